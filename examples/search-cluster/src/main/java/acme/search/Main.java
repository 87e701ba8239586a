package acme.search;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** Allocates the shards of a cluster in three ways, and lets hosts fail. */
public final class Main {

  private static final int HOSTS = 200;
  private static final int SHARDS = 10_000;
  private static final int REPETITIONS = 9;
  private static final double NANOS_PER_MILLI = 1e6;

  private Main() {}

  /**
   * Prints a table of the three ways, then what happens when hosts fail.
   *
   * @param args number of hosts, number of shards, and repetitions of each measurement, after as
   *     many to warm up; by default 200, 10,000 and 9
   */
  public static void main(String[] args) {
    int hosts = args.length > 0 ? Integer.parseInt(args[0]) : HOSTS;
    int shards = args.length > 1 ? Integer.parseInt(args[1]) : SHARDS;
    int repetitions = args.length > 2 ? Integer.parseInt(args[2]) : REPETITIONS;
    Scenario scenario = Scenario.of(hosts, shards);
    print(
        "%,d shards, %d copies each, on %,d hosts of %,d GB in %d zones",
        shards, Shard.COPIES, hosts, scenario.hosts().get(0).gigabytes(), Scenario.ZONES.size());
    print("");
    compare(scenario, repetitions);
    print("");
    tell(scenario);
  }

  // ---- The first allocation, in three ways

  private static void compare(Scenario scenario, int repetitions) {
    Map<String, Way> ways = new LinkedHashMap<>();
    ways.put("Berth", () -> allocate(scenario, new SearchCluster(Story.MOST_MOVES)));
    ways.put(
        "greedy, as a policy of Berth",
        () -> allocate(scenario, SearchCluster.greedy(Story.MOST_MOVES)));
    ways.put("greedy, alone", () -> allocateAlone(scenario));

    Map<String, Times> times = measure(ways, repetitions);
    Times ours = times.get("Berth");
    print(
        "%-29s %9s %9s %20s %8s %7s %8s %8s %7s",
        "first allocation",
        "cold ms",
        "median ms",
        "(min to max)",
        "to Berth",
        "missing",
        "breaches",
        "fullest",
        "least");
    ways.forEach(
        (name, way) -> {
          Times taken = times.get(name);
          Allocation made =
              Allocation.of(scenario.hosts(), scenario.shards(), way.allocate().get());
          print(
              "%-29s %9.1f %9.1f %20s %8.2f %7d %8d %7.2f%% %6.2f%%",
              name,
              taken.cold(),
              taken.median(),
              taken.range(),
              taken.ratioTo(ours),
              made.missing().size(),
              made.breaches().size(),
              100 * made.fullest(),
              100 * made.leastFull());
        });
  }

  private static Supplier<Map<String, String>> allocate(Scenario scenario, SearchCluster cluster) {
    Story story = new Story(scenario, cluster);
    story.decide();
    return cluster::allocation;
  }

  private static Supplier<Map<String, String>> allocateAlone(Scenario scenario) {
    PlainGreedy greedy = new PlainGreedy();
    scenario.hosts().forEach(host -> greedy.add(host, Mark.NONE));
    scenario.shards().forEach(greedy::allocate);
    return greedy::allocation;
  }

  /** A way to allocate all copies. */
  private interface Way {
    /** Allocates them, and returns how to read the host of each copy. */
    Supplier<Map<String, String>> allocate();
  }

  /**
   * How long a way took, in milliseconds.
   *
   * @param cold its first run in this JVM
   * @param warm the runs that count, in turn with those of the other ways
   */
  private record Times(double cold, double[] warm) {
    double median() {
      return median(warm);
    }

    String range() {
      double[] sorted = warm.clone();
      Arrays.sort(sorted);
      return String.format(Locale.ROOT, "(%.1f to %.1f)", sorted[0], sorted[sorted.length - 1]);
    }

    /** Returns the median of the ratios of runs in turn. */
    double ratioTo(Times others) {
      double[] ratios = new double[warm.length];
      for (int i = 0; i < ratios.length; i++) {
        ratios[i] = warm[i] / others.warm[i];
      }
      return median(ratios);
    }

    private static double median(double[] values) {
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
  }

  /** Measures each way. The ways take turns, so that other load of the machine hits all of them. */
  private static Map<String, Times> measure(Map<String, Way> ways, int repetitions) {
    Map<String, List<Double>> millis = new LinkedHashMap<>();
    for (int i = 0; i < 2 * repetitions; i++) {
      ways.forEach(
          (name, way) -> {
            System.gc(); // the garbage of one way is no cost of the next
            long start = System.nanoTime();
            way.allocate();
            double took = (System.nanoTime() - start) / NANOS_PER_MILLI;
            millis.computeIfAbsent(name, any -> new ArrayList<>()).add(took);
          });
    }
    Map<String, Times> times = new LinkedHashMap<>();
    millis.forEach(
        (name, all) -> {
          double[] warm = all.stream().skip(repetitions).mapToDouble(each -> each).toArray();
          times.put(name, new Times(all.get(0), warm));
        });
    return times;
  }

  // ---- What happens later

  private static void tell(Scenario scenario) {
    Story story = new Story(scenario, new SearchCluster(Story.MOST_MOVES));
    report("first allocation", story, story.step());

    String host = scenario.hosts().get(0).name();
    story.fail(host);
    report(host + " fails", story, story.step());

    String full = scenario.hosts().get(1).name();
    story.fill(full, 92);
    report(full + " is 92 % full", story, story.step());
    story.pass(Mark.GRACE);
    int moved = 0;
    int rounds = 0;
    int most = 0;
    while (story.cluster.mark(full) == Mark.HIGH) {
      int evicted = story.step().evicted().size();
      moved += evicted;
      most = Math.max(most, evicted);
      rounds++;
      story.pass(Duration.ofSeconds(1));
    }
    print(
        "%-28s %d copies have left %s in %d rounds, at most %d at a time; its mark is %s",
        "after the grace", moved, full, rounds, most, story.cluster.mark(full));

    String zone = Scenario.ZONES.get(2);
    story.failZone(zone);
    report(zone + " fails", story, story.step());
    String waiting = story.allocation().missing().get(0);
    print("  why %s waits: %s", waiting, story.cluster.whyPending(waiting, story.now()));
    story.bringBack(zone);
    report(zone + " comes back, empty", story, story.step());
  }

  private static void report(String event, Story story, Story.Step step) {
    Allocation now = story.allocation();
    print(
        "%-28s placed %,6d, evicted %,4d, missing %,6d, breaches %d, hosts %.2f%% to %.2f%% full",
        event,
        step.placed().size(),
        step.evicted().size(),
        now.missing().size(),
        now.breaches().size(),
        100 * now.leastFull(),
        100 * now.fullest());
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}

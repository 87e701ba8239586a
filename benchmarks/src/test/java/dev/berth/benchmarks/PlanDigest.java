package dev.berth.benchmarks;

import dev.berth.api.HostSpec;
import dev.berth.api.PoolSpec;
import dev.berth.core.PolicyRegistry;
import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.RequestOptions;
import dev.berth.testkit.history.RequestShape;
import dev.berth.testkit.history.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.sessions.JqwikSession;

/**
 * A digest of all plans over seeded histories under many policies: two engines with the same digest
 * make the same decisions. The digest depends on ids, order, amounts and times, not on type names
 * or texts. The argument is the number of histories; default 10,000.
 *
 * <p>Each history is replayed under four configurations, by rotation. Every {@value #LARGE_EVERY}th
 * is large: 65 to 300 hosts, and many equivalent requests of few kinds.
 */
public final class PlanDigest {

  private static final int STEPS = 50;
  private static final int LARGE_EVERY = 40;
  private static final long SEED = 0x9E3779B97F4A7C15L;
  static final PolicyRegistry POLICIES = PolicyRegistry.load();

  /** The configurations that are used most. */
  private static final List<List<String>> FREQUENT =
      List.of(
          List.of("qos-driven", "{}"),
          List.of("priority", "{}"),
          List.of("qos-driven", "{'preemptStarting': true, 'expectedOverhead': '5s'}"),
          List.of("priority", "{'preemptStarting': true, 'minimizeVictims': false}"),
          List.of("qos-driven", "{'minimizeVictims': false, 'preemptionCost': 'as-printed'}"));

  /** The policies that are also used, with their default configurations. */
  private static final List<String> OTHERS =
      List.of(
          "never-preempt",
          "bin-packing",
          "first-fit",
          "best-fit",
          "worst-fit",
          "round-robin",
          "dedicated",
          "memic",
          "elastic-cluster",
          "elastic-site",
          "queue-depth",
          "random",
          "lottery",
          "cpu-load",
          "lottery-with-load",
          "power-of-two-choices",
          "wall-time-estimated");

  private static final List<List<String>> SETTINGS =
      List.of(
          List.of("qos-driven", "{'allocationScore': {'balancedAllocation': 0}}"),
          List.of("best-fit", "{'reservation': 'initial', 'backfill': 'aggressive'}"),
          List.of("worst-fit", "{'reservation': 'average', 'elasticity': {'migration': false}}"),
          List.of("round-robin", "{'queue': 'fcf', 'elasticity': {'headroom': 0.5}}"),
          List.of("dedicated", "{'backfill': 'easy', 'admission': 'in-time'}"),
          List.of("memic", "{'patience': 3, 'reservation': 'maximum'}"),
          List.of("elastic-cluster", "{'trim': true, 'timeToLive': 'published', 'maxHosts': 3}"),
          List.of("elastic-site", "{'holdUntilExpiry': false}"),
          List.of("queue-depth", "{'minHosts': 1, 'maxHosts': 4, 'shrinkCoolDown': '0s'}"),
          List.of("lottery-with-load", "{'estimate': false}"));

  private final List<PlanAccount> frequent = accounts(FREQUENT);
  private final List<PlanAccount> others = accounts(others());
  private final RandomGenerator<History> histories =
      HistoryArbitraries.ofUpTo(STEPS).generator(1000);

  private PlanDigest() {}

  /** Prints the digests. */
  public static void main(String[] args) {
    int count = args.length == 0 ? 10_000 : Integer.parseInt(args[0]);
    System.out.println("overall " + of(count, System.out::println));
  }

  /**
   * Returns the digest of all plans of a number of histories.
   *
   * @param report receives a line for each configuration, and one that sums them up
   */
  static String of(int histories, Consumer<String> report) {
    AtomicReference<String> digest = new AtomicReference<>();
    JqwikSession.run( // generators need a session
        () -> digest.set(new PlanDigest().run(histories, report)));
    return Objects.requireNonNull(digest.get());
  }

  private String run(int count, Consumer<String> report) {
    for (int i = 0; i < count; i++) {
      boolean large = i % LARGE_EVERY == LARGE_EVERY - 1;
      int turn = large ? i / LARGE_EVERY : i;
      History history = large ? LargeHistory.history(SEED * i) : history(new Random(SEED * i));
      new DigestedLife(history, frequent.get(turn % frequent.size()), i % 3).live();
      for (int k = 0; k < 3; k++) {
        new DigestedLife(history, others.get((3 * turn + k) % others.size()), i % 3).live();
      }
    }
    PlanAccount all = new PlanAccount(List.of("all", ""));
    for (PlanAccount each : Stream.of(frequent, others).flatMap(List::stream).toList()) {
      String digest = each.digest();
      report.accept("%s  %6d plans  %s".formatted(digest.substring(0, 16), each.plans, each.name));
      all.word(digest);
      all.plans += each.plans;
      each.kinds.forEach((kind, times) -> all.kinds.merge(kind, times, Integer::sum));
    }
    report.accept("%d histories, %d plans, %s".formatted(count, all.plans, all.kinds));
    return all.digest();
  }

  // ---- Configurations

  private static List<PlanAccount> accounts(List<List<String>> names) {
    return names.stream().map(PlanAccount::new).toList();
  }

  private static List<List<String>> others() {
    List<List<String>> all = new ArrayList<>();
    OTHERS.forEach(each -> all.add(List.of(each, "{}")));
    all.addAll(SETTINGS);
    int turn = 0;
    for (String queue : List.of("fifo", "edf", "sgf", "sjf", "fcf")) {
      for (String backfill : List.of("none", "aggressive", "easy", "conservative")) {
        String config =
            "{'queue': '%s', 'backfill': '%s', 'molding': {'maxSlowdown': %s}, 'admission': '%s'}"
                .formatted(queue, backfill, turn % 2 + 1, turn % 3 == 0 ? "all" : "in-time");
        all.add(List.of("first-fit", config));
        all.add(List.of("memic", config.replace("maxSlowdown': 2", "maxSlowdown': 1.5")));
        turn++;
      }
    }
    return all;
  }

  // ---- Histories

  /**
   * Returns a random history, changed so that resizes (0), pools (1) or loads (2) are frequent, or
   * not changed.
   */
  private History history(Random random) {
    History it = histories.next(random).value();
    int kind = random.nextInt(5) % 4;
    if (kind == 3) {
      return it;
    }
    List<HostSpec> hosts = new ArrayList<>(it.hosts());
    List<PoolSpec> pools = new ArrayList<>(it.pools());
    List<Step> steps = new ArrayList<>();
    if (kind == 1) {
      pools.add(0, new PoolSpec("shared", it.scale().resources(List.of(2, 2, 2, 2)), 6));
      bag(6, steps);
      steps.addAll(List.of(new Step.Complete(0), new Step.Complete(1), new Step.Complete(2)));
      bag(2, steps);
      steps.addAll(List.of(new Step.Complete(3), new Step.Complete(3), new Step.Pass()));
    }
    if (kind == 2) {
      hosts.replaceAll(each -> new HostSpec(each.id(), each.capacity(), each.attributes(), true));
    }
    for (Step each : it.steps()) {
      steps.add(kind == 0 && each instanceof Step.Submit submit ? unpinned(submit) : each);
      if (kind == 0 && each instanceof Step.StartAll) {
        for (int pick = 0; pick < 10; pick++) {
          boolean lacks = random.nextInt(3) > 0;
          steps.add(
              new Step.ReportUsage(
                  pick % 5, lacks ? 8 : 3, LargeHistory.alike(lacks ? 1 + pick % 2 : 0)));
        }
        steps.add(new Step.Pass());
      } else if (kind == 2 && each instanceof Step.Pass) {
        steps.add(new Step.ReportLoad(random.nextInt(8), random.nextInt(20)));
        steps.add(new Step.ReportLoad(random.nextInt(8), random.nextInt(20)));
      }
    }
    int present = kind == 1 ? 0 : it.present();
    return new History(
        it.seed(), it.epoch(), it.serviceClasses(), it.scale(), hosts, present, pools, steps);
  }

  private static void bag(int tasks, List<Step> steps) {
    RequestShape task = new RequestShape(0, LargeHistory.alike(1), List.of(), 0, false, false);
    steps.add(new Step.SubmitBag(Collections.nCopies(tasks, task), Optional.empty()));
    steps.addAll(List.of(new Step.Pass(), new Step.AllHostsUp(), new Step.Pass()));
    steps.addAll(List.of(new Step.StartAll(), new Step.Elapse(Duration.ofMinutes(1))));
  }

  /**
   * Makes the memory of a request reclaimable, unless the request has terms: few could be resized
   * otherwise.
   */
  private static Step unpinned(Step.Submit submit) {
    RequestShape it = submit.shape();
    return it.options().equals(RequestOptions.NONE)
        ? new Step.Submit(
            LargeHistory.with(it, LargeHistory.terms(List.of(8, 0, 8, 8), 0, 0, false)))
        : submit;
  }
}

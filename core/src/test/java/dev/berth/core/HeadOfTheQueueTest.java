package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Plans.instances;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Backoff;
import dev.berth.api.Constraint;
import dev.berth.api.Domain;
import dev.berth.api.HostSpec;
import dev.berth.api.Peers;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Request;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The head of the queue starts no later than without backfilling, or than at the first time that
 * estimates promise it, if that is later: whatever estimates are missing.
 */
class HeadOfTheQueueTest {

  private static final int NEVER = Integer.MAX_VALUE;
  private static final int HORIZON = 400; // seconds; later than any event
  private static final String LICENCE = "licence";
  private static final int LICENCES = 2;

  @ParameterizedTest
  @EnumSource(Backfill.class)
  void streamOfJobsWithoutEstimates(Backfill backfill) {
    Cluster cluster = of(backfill).host("h4", 4).host("h2", 2);
    cluster.running(Jobs.job("wide", 3, 0), "h4");
    cluster.at(1).pending(Jobs.job("head", 4, 0));
    Map<String, Integer> ends = new TreeMap<>(Map.of("wide", 60));
    Optional<Integer> started = Optional.empty();
    for (int now = 1; now <= 300 && started.isEmpty(); now++) {
      cluster.at(now);
      for (String each : List.copyOf(ends.keySet())) {
        if (ends.get(each) == now) {
          cluster.completed(each);
          ends.remove(each);
        }
      }
      cluster.pending(Jobs.job("small-" + now, 1, 0));
      for (String each : instances(cluster.pass())) {
        cluster.started(each);
        ends.put(each, now + 10);
        started = each.equals("head") ? Optional.of(now) : started;
      }
    }

    assertThat(started)
        .isEqualTo(backfill == Backfill.AGGRESSIVE ? Optional.empty() : Optional.of(60));
  }

  @Property(tries = 1_000)
  void startsAsEarlyAsWithoutBackfillingOrAsPromised(@ForAll long seed) {
    new Run(new Random(seed)).check();
  }

  private static Cluster of(Backfill backfill) {
    return Cluster.of(
        Scheduler.builder()
            .instanceBackoff(new Backoff(Duration.ofSeconds(3), 2.0, Duration.ofSeconds(9), 1)),
        parts -> parts.backfill(backfill).ties(TieBreak.BY_ID));
  }

  // ---- Random runs

  private record Site(String id, int cpu, int memory, boolean timeShared, String zone) {}

  /**
   * A job.
   *
   * @param estimate zero if there is none
   * @param label empty if there is none
   * @param apart the label from which it is to be apart, or empty
   * @param domain where it is: on the same host, or in the same zone
   * @param failsAfter the time of its first run after which it fails; zero if it does not
   */
  private record Job(
      String id,
      int arrival,
      int cpu,
      int memory,
      int estimate,
      int runTime,
      String zone,
      String label,
      String apart,
      Domain domain,
      int licences,
      int failsAfter) {

    Request.Builder request() {
      PlacementSpec.Builder rules = PlacementSpec.builder();
      if (!apart.isEmpty()) {
        rules.apart(Peers.labelled("kind", apart), domain);
      }
      if (licences > 0) {
        rules.use(LICENCE, licences);
      }
      Request.Builder request =
          Jobs.job(id, cpu, estimate).demand(cores(cpu, memory)).placement(rules.build());
      if (!label.isEmpty()) {
        request.label("kind", label);
      }
      if (!zone.isEmpty()) {
        request.constraint(new Constraint.Equal("zone", zone));
      }
      return request;
    }

    boolean couldRunOn(Site site) {
      return cpu <= site.cpu && memory <= site.memory && (zone.isEmpty() || zone.equals(site.zone));
    }

    boolean isApartFrom(Job other, Site its, Site others) {
      return !apart.isEmpty()
          && apart.equals(other.label)
          && (domain.equals(Domain.HOST) ? its.equals(others) : its.zone.equals(others.zone));
    }
  }

  /** A stay of a job on a host. */
  private record Stay(Job job, Site site, int from, int until, int expected) {

    int expectedAt(int now) {
      return expected == NEVER ? NEVER : Math.max(now + 1, expected);
    }

    boolean isLate() {
      return until > expected;
    }
  }

  /** How long a job has been the head, and by when it must start if nothing is late. */
  private static final class Turn {

    final String head;
    final int since;
    final int alone; // its start without backfilling
    int promised = NEVER; // by the estimates, as soon as they promise a time

    Turn(String head, int since, int alone) {
      this.head = head;
      this.since = since;
      this.alone = alone;
    }

    int latest() {
      return promised == NEVER ? alone : Math.max(alone, promised);
    }
  }

  private static final class Run {

    private final Backfill backfill;
    private final List<Site> sites = new ArrayList<>();
    private final Map<String, Job> jobs = new LinkedHashMap<>();
    private final Map<String, Stay> running = new TreeMap<>();
    private final Map<String, Integer> served = new HashMap<>(); // before the present stay
    private final List<Stay> stays = new ArrayList<>();
    private final Cluster cluster;
    private @Nullable Turn turn;

    Run(Random random) {
      this.backfill = random.nextBoolean() ? Backfill.EASY : Backfill.CONSERVATIVE;
      this.cluster = of(backfill);
      int hosts = 1 + random.nextInt(3);
      for (int h = 0; h < hosts; h++) {
        String zone = random.nextBoolean() ? "a" : "b";
        boolean timeShared = random.nextInt(6) == 0;
        sites.add(
            new Site("h" + h, 2 + random.nextInt(5), 2 + random.nextInt(5), timeShared, zone));
      }
      boolean rules = random.nextInt(3) == 0;
      int known = random.nextInt(4); // of three
      boolean late = random.nextInt(4) == 0;
      int most = 2 + random.nextInt(4);
      int count = 4 + random.nextInt(20);
      for (int j = 0; j < count; j++) {
        int runTime = 1 + random.nextInt(20);
        int estimate = runTime + (random.nextBoolean() ? 0 : random.nextInt(15));
        boolean fails = runTime > 1 && random.nextInt(12) == 0;
        Job job =
            new Job(
                "j%02d".formatted(j),
                random.nextInt(30),
                random.nextInt(most + 1),
                random.nextInt(most + 1),
                random.nextInt(3) >= known ? 0 : estimate,
                runTime + (late && random.nextInt(5) == 0 ? 20 : 0),
                random.nextInt(6) == 0 ? "b" : "",
                rules && random.nextInt(2) == 0 ? "x" : "",
                rules && random.nextInt(3) == 0 ? "x" : "",
                random.nextBoolean() ? Domain.HOST : Domain.of("zone"),
                rules && random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0,
                fails ? runTime / 2 : 0);
        jobs.put(job.id, job);
      }
      build(cluster);
    }

    private void build(Cluster one) {
      for (Site each : sites) {
        one.scheduler()
            .addHost(
                new HostSpec(
                    each.id,
                    cores(each.cpu, each.memory),
                    Map.of("name", each.id, "zone", each.zone),
                    each.timeShared),
                one.now());
      }
      one.scheduler().setLimit(LICENCE, LICENCES, one.now());
    }

    void check() {
      for (int now = 0; now < HORIZON; now++) {
        cluster.at(now);
        end(now);
        for (Job each : jobs.values()) {
          if (each.arrival == now) {
            cluster.pending(each.request());
          }
        }
        Plan plan = cluster.pass();
        start(plan, now);
        follow(plan, now);
      }
      assertThat(running).as("%s", this).isEmpty();
    }

    private void end(int now) {
      for (Stay each : List.copyOf(running.values())) {
        if (each.until == now) {
          String id = each.job.id;
          running.remove(id);
          if (each.job.failsAfter > 0 && served.putIfAbsent(id, each.until - each.from) == null) {
            cluster.failed(id);
          } else {
            cluster.completed(id);
          }
        }
      }
    }

    private void start(Plan plan, int now) {
      for (Action.Place each : plan.placements()) {
        Job job = jobs.get(each.instance());
        Site site = sites.stream().filter(it -> it.id.equals(each.host())).findAny().orElseThrow();
        cluster.started(job.id);
        int before = served.getOrDefault(job.id, 0);
        int run = job.failsAfter > 0 && before == 0 ? job.failsAfter : job.runTime - before;
        int expected = job.estimate == 0 ? NEVER : now + Math.max(1, job.estimate - before);
        Stay stay = new Stay(job, site, now, now + Math.max(1, run), expected);
        running.put(job.id, stay);
        stays.add(stay);
      }
    }

    /** Checks the head that starts, or notes when the head that waits must start. */
    private void follow(Plan plan, int now) {
      Turn current = turn;
      if (current != null && running.containsKey(current.head)) {
        int latest = current.latest();
        for (Stay each : stays) {
          if (each.isLate() && each.until > current.since && each.from < now) {
            latest = Math.max(latest, each.until);
          }
        }
        assertThat(now).as("%s of %s", current.head, this).isLessThanOrEqualTo(latest);
      }
      String head = plan.blockedHead().orElse("");
      if (current == null || !current.head.equals(head) || startsOneBefore(plan, head)) {
        current = head.isEmpty() ? null : new Turn(head, now, alone(head, now));
      }
      if (current != null && current.promised == NEVER) {
        current.promised = promise(jobs.get(head), now);
      }
      turn = current;
    }

    /** Returns whether a job starts that is before the head, since it had failed. */
    private boolean startsOneBefore(Plan plan, String head) {
      Comparator<Job> order = Comparator.comparingInt(Job::arrival).thenComparing(Job::id);
      return plan.placements().stream()
          .anyMatch(it -> order.compare(jobs.get(it.instance()), jobs.get(head)) < 0);
    }

    /** Returns when a head starts if no job overtakes it. */
    private int alone(String head, int from) {
      Cluster none = of(Backfill.NONE);
      build(none.at(from));
      Map<String, Integer> ends = new TreeMap<>();
      for (Stay each : running.values()) {
        none.running(each.job.request(), each.site.id);
        ends.put(each.job.id, each.until);
      }
      none.pending(jobs.get(head).request());
      for (int now = from; now < HORIZON; now++) {
        none.at(now);
        for (Map.Entry<String, Integer> each : ends.entrySet()) {
          if (each.getValue() == now) {
            none.completed(each.getKey());
          }
        }
        if (instances(none.pass()).contains(head)) {
          return now;
        }
      }
      return HORIZON;
    }

    /** Returns the earliest time at which a host has room for a head by the estimates. */
    private int promise(Job head, int now) {
      int earliest = NEVER;
      for (Site site : sites) {
        if (head.couldRunOn(site) && admits(head, site)) {
          for (int time = now; time < earliest && time < HORIZON; time++) {
            if (hasRoom(head, site, time, now)) {
              earliest = time;
            }
          }
        }
      }
      return earliest;
    }

    private boolean admits(Job head, Site site) {
      int licences = head.licences;
      for (Stay each : running.values()) {
        licences += each.job.licences;
        if (head.isApartFrom(each.job, site, each.site)
            || each.job.isApartFrom(head, each.site, site)) {
          return false;
        }
      }
      return head.licences == 0 || licences <= LICENCES;
    }

    private boolean hasRoom(Job head, Site site, int time, int now) {
      int cpu = head.cpu;
      int memory = head.memory;
      for (Stay each : running.values()) {
        if (each.site.equals(site) && each.expectedAt(now) > time) {
          cpu += each.job.cpu;
          memory += each.job.memory;
        }
      }
      return (site.timeShared || cpu <= site.cpu) && memory <= site.memory;
    }

    @Override
    public String toString() {
      return "%s of %s on %s, ran %s".formatted(backfill, jobs.values(), sites, stays);
    }
  }
}

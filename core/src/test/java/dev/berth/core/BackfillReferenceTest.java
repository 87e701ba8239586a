package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.QueueDiscipline;
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
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** Backfilling matches a reference that tries every instant, and keeps its promises. */
class BackfillReferenceTest {

  private static final Dimension CPU = Dimension.CPU;
  private static final Dimension MEMORY = Dimension.MEMORY;

  /** Later than any event of a run. Jobs without an estimate end here. */
  private static final int HORIZON = 400;

  @Property(tries = 300)
  void planMatchesReference(@ForAll long seed) {
    Random random = new Random(seed);
    Run run = new Run(random, anyOf(random, Backfill.values()), 1 + random.nextInt(3), false);
    run.check =
        (plan, expected) -> {
          assertThat(
                  plan.placements().stream()
                      .map(each -> each.instance() + " on " + each.host())
                      .toList())
              .as("%s", run)
              .isEqualTo(expected.placements);
          assertThat(Cluster.reasonsToWait(run.scheduler, plan.now()).keySet())
              .as("%s", run)
              .containsExactlyInAnyOrderElementsOf(expected.turnedAway);
        };
    run.toTheEnd();
  }

  @Property(tries = 150)
  void easyNeverDelaysTheHead(@ForAll long seed) {
    Random random = new Random(seed);
    Run run = new Run(random, Backfill.EASY, 1 + random.nextInt(3), true);
    Map<String, Integer> promised = new LinkedHashMap<>();
    run.check =
        (plan, expected) -> {
          if (expected.head != null && expected.headAt < HORIZON) {
            promised.putIfAbsent(expected.head, expected.headAt);
          }
        };
    run.toTheEnd();

    promised.forEach(
        (id, at) -> assertThat(run.startedAt.get(id)).as("%s, %s", id, run).isEqualTo(at));
  }

  @Property(tries = 150)
  void conservativeStartsNoJobAfterItsReservation(@ForAll long seed) {
    Random random = new Random(seed);
    Run run = new Run(random, Backfill.CONSERVATIVE, 1 + random.nextInt(3), true);
    Map<String, Integer> promised = new LinkedHashMap<>();
    run.check = (plan, expected) -> expected.reserved.forEach(promised::putIfAbsent);
    run.toTheEnd();

    promised.forEach(
        (id, at) ->
            assertThat(run.startedAt.get(id)).as("%s, %s", id, run).isLessThanOrEqualTo(at));
  }

  @Property(tries = 100)
  void withoutBackfillingJobsStartInQueueOrder(@ForAll long seed) {
    Random random = new Random(seed);
    Run run = new Run(random, Backfill.NONE, 1, true);
    run.jobs.replaceAll(each -> each.arrivingAt(0));
    run.toTheEnd();

    List<String> byStart = new ArrayList<>(run.startedAt.keySet());
    assertThat(byStart)
        .as("%s", run)
        .isEqualTo(
            run.jobs.stream().map(Job::id).filter(run.startedAt::containsKey).sorted().toList());
  }

  private static <T> T anyOf(Random random, T[] values) {
    return values[random.nextInt(values.length)];
  }

  // ---- A run: jobs arrive, start as soon as they are placed, and end

  /**
   * A job.
   *
   * @param estimate zero if unknown
   * @param zone empty if any zone fits
   */
  private record Job(
      String id, int arrival, int cpu, int memory, int estimate, int runTime, String zone) {

    Job arrivingAt(int time) {
      return new Job(id, time, cpu, memory, estimate, runTime, zone);
    }

    Request request() {
      Request.Builder request =
          Request.builder(id, "gold").demand(Resources.of(CPU, cpu, MEMORY, memory));
      if (estimate > 0) {
        request.estimatedRunTime(Duration.ofNanos(estimate));
      }
      if (!zone.isEmpty()) {
        request.constraint(new Constraint.Equal("zone", zone));
      }
      return request.build();
    }
  }

  private record Site(String id, int cpu, int memory, String zone) {
    boolean couldHold(Job job) {
      return job.cpu <= cpu
          && job.memory <= memory
          && (job.zone.isEmpty() || job.zone.equals(zone));
    }
  }

  private record Slot(Site site, Job job, int from, int until) {
    boolean holdsAt(int time) {
      return from <= time && time < until;
    }
  }

  private interface Check {
    void of(Plan plan, Expected expected);
  }

  private static final class Run {

    private final Backfill backfill;
    private final List<Site> sites = new ArrayList<>(); // in order of joining
    private final List<Job> jobs = new ArrayList<>();
    private final Map<String, Integer> startedAt = new LinkedHashMap<>();
    private final Map<String, String> promised = new TreeMap<>(); // the host, in the pass before
    private final Map<String, Slot> running = new TreeMap<>();
    private final QueueDiscipline discipline;
    private final long scores; // zero: the first host by id is best
    private Check check = (plan, expected) -> {};
    private Scheduler scheduler;

    Run(Random random, Backfill backfill, int hosts, boolean exact) {
      this.backfill = backfill;
      this.scores = exact ? random.nextLong() : 0;
      this.discipline =
          exact
              ? QueueDiscipline.FIFO
              : anyOf(random, new QueueDiscipline[] {QueueDiscipline.FIFO, QueueDiscipline.SJF});
      for (int h = 0; h < hosts; h++) {
        sites.add(
            random.nextInt(sites.size() + 1),
            new Site(
                "h" + h, 2 + random.nextInt(7), 2 + random.nextInt(7), h % 2 == 0 ? "a" : "b"));
      }
      int most = 2 + random.nextInt(8); // if small, many jobs share a host
      int count = 3 + random.nextInt(18);
      for (int j = 0; j < count; j++) {
        int estimate = !exact && random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(12);
        int runTime = exact || random.nextInt(2) == 0 ? estimate : 1 + random.nextInt(14);
        jobs.add(
            new Job(
                "j%02d".formatted(j),
                random.nextInt(15),
                random.nextInt(most),
                random.nextInt(most),
                estimate,
                Math.max(1, runTime),
                random.nextInt(5) == 0 ? "b" : ""));
      }
    }

    private double score(String job, String host) {
      return scores == 0 ? 0 : new Random(scores * (job + host).hashCode()).nextInt(4);
    }

    void toTheEnd() {
      scheduler =
          Scheduler.builder()
              .policy(
                  "test",
                  context ->
                      context
                          .pipeline()
                          .queue(discipline)
                          .backfill(backfill)
                          .ties(TieBreak.BY_ID)
                          .allocationScore(fit -> score(fit.instance().id(), fit.host().id()))
                          .build())
              .serviceClasses(Cluster.GOLD)
              .build();
      for (Site each : sites) {
        scheduler.addHost(
            new HostSpec(
                each.id,
                Resources.of(CPU, each.cpu, MEMORY, each.memory),
                Map.of("zone", each.zone)),
            0);
      }
      List<Job> pending = new ArrayList<>();
      for (int now = 0; now < HORIZON / 2; now++) {
        boolean due = false;
        for (Slot each : List.copyOf(running.values())) {
          if (each.from + each.job.runTime == now) {
            scheduler.completed(each.job.id, now);
            running.remove(each.job.id);
            due = true;
          }
        }
        for (Job each : jobs) {
          if (each.arrival == now) {
            scheduler.submit(each.request(), now);
            pending.add(each);
            due = true;
          }
        }
        if (!due) {
          continue;
        }
        pending.sort(
            Comparator.<Job>comparingInt(
                    each ->
                        discipline == QueueDiscipline.FIFO
                            ? each.arrival
                            : each.estimate == 0 ? Integer.MAX_VALUE : each.estimate)
                .thenComparing(Job::arrival)
                .thenComparing(Job::id));
        Plan plan = scheduler.schedule(now);
        Expected expected = new Expected(this, pending, now, plan);
        check.of(plan, expected);
        for (Action.Place place : plan.placements()) {
          Job job = pending.stream().filter(j -> j.id.equals(place.instance())).findAny().get();
          Site site = sites.stream().filter(s -> s.id.equals(place.host())).findAny().get();
          scheduler.started(job.id, now);
          pending.remove(job);
          startedAt.put(job.id, now);
          running.put(job.id, new Slot(site, job, now, 0));
        }
      }
      assertThat(running).isEmpty();
    }

    @Override
    public String toString() {
      return "%s %s of %s on %s, started %s"
          .formatted(backfill, discipline, jobs, sites, startedAt);
    }
  }

  // ---- The reference

  /** Computes the expected plan of a pass by trying every instant. */
  private static final class Expected {

    private final List<Slot> taken = new ArrayList<>();
    private final List<String> placements = new ArrayList<>();
    private final List<String> turnedAway = new ArrayList<>(); // although there is room
    private final Map<String, Integer> reserved = new HashMap<>();
    private String head;
    private int headAt;

    /** Follows the plan where the best host is not the first by id. */
    Expected(Run run, List<Job> pending, int now, Plan plan) {
      for (Slot each : run.running.values()) {
        taken.add(new Slot(each.site, each.job, each.from, end(each, now)));
      }
      List<Slot> real = new ArrayList<>(taken);
      List<Job> behind = new ArrayList<>();
      for (Job job : pending) {
        if (head != null && run.backfill == Backfill.NONE) {
          turnedAway.add(job.id);
          continue;
        }
        if (head != null) {
          behind.add(job);
        }
        Site found = null;
        for (Site site : run.sites) {
          if (fits(taken, site, job, now, until(job, now))
              && (run.scores == 0
                  ? isBetter(site, found, run.promised.get(job.id))
                  : plan.placements().contains(new Action.Place(job.id, site.id, List.of())))) {
            found = site;
          }
        }
        if (found != null) {
          placements.add(job.id + " on " + found.id);
          taken.add(new Slot(found, job, now, until(job, now)));
          real.add(new Slot(found, job, now, until(job, now)));
          continue;
        }
        run.promised.remove(job.id);
        boolean reserves =
            run.backfill == Backfill.CONSERVATIVE || (head == null && run.backfill.reserves());
        if (run.sites.stream().anyMatch(site -> site.couldHold(job))) {
          if (reserves) {
            reserve(run, job, now);
          }
          if (head == null && run.backfill != Backfill.AGGRESSIVE) {
            head = job.id;
            headAt = reserved.getOrDefault(job.id, HORIZON);
          }
        }
      }
      behind.removeIf(job -> placements.stream().anyMatch(each -> each.startsWith(job.id + " ")));
      for (Job job : behind) {
        if (run.backfill.reserves()
            && run.sites.stream().anyMatch(site -> fits(real, site, job, now, now + 1))) {
          turnedAway.add(job.id);
        }
      }
    }

    private void reserve(Run run, Job job, int now) {
      for (int from = now; from < HORIZON / 2 + 100; from++) {
        for (Site site : run.sites) {
          if (fits(taken, site, job, from, until(job, from))) {
            taken.add(new Slot(site, job, from, until(job, from)));
            reserved.put(job.id, from);
            if (run.backfill == Backfill.CONSERVATIVE) {
              run.promised.put(job.id, site.id);
            }
            return;
          }
        }
      }
      for (Site site : run.sites) { // no time is certain, so it may start anywhere at any moment
        if (site.couldHold(job)) {
          taken.add(new Slot(site, job, now, HORIZON));
        }
      }
    }

    /** Prefers the reserved host, then the first by id. */
    private static boolean isBetter(Site site, @Nullable Site than, @Nullable String promised) {
      if (than == null || site.id.equals(promised)) {
        return true;
      }
      return !than.id.equals(promised) && site.id.compareTo(than.id) < 0;
    }

    private static int end(Slot slot, int now) {
      return slot.job.estimate == 0 ? HORIZON : Math.max(now + 1, slot.from + slot.job.estimate);
    }

    private static int until(Job job, int from) {
      return job.estimate == 0 ? HORIZON : from + job.estimate;
    }

    private static boolean fits(List<Slot> taken, Site site, Job job, int from, int until) {
      if (!site.couldHold(job)) {
        return false;
      }
      for (int time = from; time < until; time++) {
        int cpu = job.cpu;
        int memory = job.memory;
        for (Slot each : taken) {
          if (each.site.equals(site) && each.holdsAt(time)) {
            cpu += each.job.cpu;
            memory += each.job.memory;
          }
        }
        if ((cpu > site.cpu && job.cpu > 0) || (memory > site.memory && job.memory > 0)) {
          return false;
        }
      }
      return true;
    }
  }
}

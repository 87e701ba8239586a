package dev.berth.experiments.queue;

import dev.berth.api.Dimension;
import dev.berth.api.Moldability;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.experiments.queue.PlainQueue.Rules;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** On one host, the schedule of every queue discipline is that of {@link PlainQueue}. */
class QueueReferenceTest {

  private static final Dimension GPU = new Dimension("gpu", 1);
  private static final long CORE = 2; // of the units in which jobs are drawn

  /**
   * A job; amounts and times in small units.
   *
   * @param estimate 0 if there is none
   * @param deadline after its arrival; 0 if there is none
   */
  record Draft(
      int arrival,
      int cpu,
      int memory,
      int gpu,
      int runTime,
      int estimate,
      int deadline,
      boolean moldable) {}

  /** A run: jobs, the capacity of the host, the length of a unit of time, and the rules. */
  record Case(List<Draft> jobs, int cpu, int memory, int gpu, long unit, Rules rules) {

    Workload workload() {
      List<Arrival> arrivals = new ArrayList<>();
      for (int i = 0; i < jobs.size(); i++) {
        arrivals.add(arrival(i, jobs.get(i)));
      }
      arrivals.sort(Comparator.comparingLong(Arrival::at));
      return Workload.of(
          "random", List.of(ServiceClasses.bronze(Duration.ZERO)), List.copyOf(arrivals));
    }

    private Arrival arrival(int index, Draft job) {
      String id = "job-%02d".formatted(index * 37 % 100); // not in the order of arrival
      Request.Builder request =
          Request.builder(id, ServiceClasses.BRONZE)
              .demand(resources(job.cpu, job.memory, job.gpu));
      if (job.estimate > 0) {
        request.estimatedRunTime(Duration.ofNanos(job.estimate * unit));
      }
      if (job.deadline > 0) {
        request.deadline(Duration.ofNanos(job.deadline * unit));
      }
      if (job.moldable) {
        request.moldability(Moldability.LINPACK);
      }
      return new Arrival(job.arrival * unit, request.build(), job.runTime * unit);
    }

    Resources capacity() {
      return resources(cpu, memory, gpu);
    }

    private static Resources resources(int cpu, int memory, int gpu) {
      return Resources.builder()
          .put(Dimension.CPU, cpu * (Dimension.CPU.unitsPerWhole() / CORE))
          .put(Dimension.MEMORY, memory)
          .put(GPU, gpu)
          .build();
    }
  }

  @Property(tries = 2000, edgeCases = EdgeCasesMode.NONE)
  void scheduleIsThatOfThePlainQueue(@ForAll("cases") Case given) {
    BerthQueue.assertSameSchedule(given.workload(), given.capacity(), given.rules());
  }

  @Provide
  Arbitrary<Case> cases() {
    Arbitrary<Rules> rules =
        Combinators.combine(
                Arbitraries.of(QueueDiscipline.values()),
                Arbitraries.of(Backfill.values()),
                Arbitraries.of(1.0, 1.0, 1.0, 1.5, 2.0, 1000.0))
            .as(
                (order, backfill, slowdown) ->
                    new Rules(order, backfill, slowdown, Dimension.CPU.unitsPerWhole()));
    return Combinators.combine(
            Arbitraries.integers().between(2, 10).flatMap(this::jobs),
            Arbitraries.integers().between(1, 16),
            Arbitraries.integers().between(0, 8),
            Arbitraries.integers().between(0, 8),
            Arbitraries.of(1L, 7L, 1_000_000_000L),
            rules)
        .as(Case::new);
  }

  /** Returns jobs that need up to a most: if it is small, many share the host. */
  private Arbitrary<List<Draft>> jobs(int most) {
    Arbitrary<Integer> amounts = Arbitraries.integers().between(0, most);
    Arbitrary<Integer> runTimes = Arbitraries.integers().between(1, 14);
    return Combinators.combine(
            Arbitraries.integers().between(0, 25),
            amounts.map(it -> 2 * it - (it % 4 == 3 ? 1 : 0)), // mostly whole cores
            Arbitraries.oneOf(Arbitraries.just(0), amounts),
            Arbitraries.oneOf(Arbitraries.just(0), Arbitraries.just(0), amounts),
            runTimes,
            Arbitraries.integers().between(0, 14),
            Arbitraries.integers().between(0, 40),
            Arbitraries.of(true, false))
        .as(
            (arrival, cpu, memory, gpu, runTime, estimate, deadline, moldable) ->
                new Draft(
                    arrival,
                    cpu,
                    memory,
                    gpu,
                    runTime,
                    estimate < 3 ? 0 : estimate > 11 ? runTime : estimate - 2,
                    deadline < 5 ? 0 : deadline,
                    moldable))
        .list()
        .ofMinSize(1)
        .ofMaxSize(30);
  }
}

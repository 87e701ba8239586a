package dev.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.MemoryProfile;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Slowdown;
import dev.berth.simulator.execution.ExecutionModel;
import dev.berth.simulator.execution.TransferCost;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.result.Adjustments;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;
import org.jspecify.annotations.Nullable;

/** Properties of simulations in which instances are resized, paused, suspended and migrated. */
class ElasticityPropertiesTest {

  private static final long SECOND = 1_000_000_000;
  private static final long GB = Dimension.MEMORY.unitsPerWhole();

  /** Later than the end of every run, even at an eighth of the speed. */
  private static final Duration UNTIL = Duration.ofHours(2);

  /** The input of a run. */
  record Case(
      List<Arrival> arrivals,
      List<HostEvent> hostEvents,
      Duration usageReports,
      long watchdogSeconds,
      long seed) {}

  /** The service of one instance at one speed. */
  record Interval(Slowdown slowdown, long serviceBefore) {}

  /** Delegates to another model, and records the service of each instance at each change. */
  private static final class Recorded implements ExecutionModel {

    private final Map<String, List<Interval>> intervals = new HashMap<>();
    private final Map<String, Integer> asked = new HashMap<>();
    private @Nullable Simulation simulation;

    @Override
    public Slowdown slowdown(Work work) {
      Slowdown answer = ExecutionModel.BY_GRANT.slowdown(work);
      String id = work.request().id();
      long service = instance(work.host(), id).serviceTime(clock());
      List<Interval> all = intervals.computeIfAbsent(id, first -> new ArrayList<>());
      if (all.isEmpty() || !all.get(all.size() - 1).slowdown().equals(answer)) {
        all.add(new Interval(answer, service));
      }
      asked.merge(id, 1, Integer::sum);
      return answer;
    }

    private long clock() {
      return simulation == null ? 0 : simulation.now().toNanos();
    }

    private static Instance instance(Host host, String id) {
      return host.instances().stream().filter(it -> it.id().equals(id)).findFirst().orElseThrow();
    }

    /** Returns the work done during a service. */
    long work(String id, long service) {
      List<Interval> all = intervals.getOrDefault(id, List.of());
      long work = 0;
      for (int i = 0; i < all.size(); i++) {
        long end = i + 1 < all.size() ? all.get(i + 1).serviceBefore() : service;
        work += all.get(i).slowdown().workIn(end - all.get(i).serviceBefore());
      }
      return work;
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  void workOfCompletedJobsAddsUp(@ForAll("cases") Case given) {
    Recorded model = new Recorded();
    List<RequestOutcome> outcomes = new ArrayList<>();
    RunResult result = run(given, model, outcomes);
    Adjustments done = result.adjustments();
    often("resizes", done.resizes() > 0);
    often("pauses", done.pauses() > 0);
    often("suspends", done.suspensions() > 0);
    often("resumes", done.resumes() > 0);
    often("migrates", done.migrations() > 0);
    often("slows down", model.intervals.values().stream().anyMatch(each -> each.size() > 1));

    Map<String, Arrival> arrivals = new HashMap<>();
    given.arrivals().forEach(each -> arrivals.put(each.request().id(), each));
    for (RequestOutcome outcome : outcomes) {
      String id = outcome.request().id();
      long work = arrivals.get(id).serviceTime();
      long did = model.work(id, outcome.report().serviceTime());
      if (outcome.completed()) {
        // Rounded up whenever the model was asked and at the end.
        assertThat(did).isBetween(work, work + 2L * model.asked.getOrDefault(id, 0));
      } else {
        assertThat(did).isLessThan(work);
      }
    }
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void everyRunEndsAndAccountsForAllRequests(@ForAll("cases") Case given) {
    List<RequestOutcome> outcomes = new ArrayList<>();
    RunResult result = run(given, ExecutionModel.BY_GRANT, outcomes);

    assertThat(outcomes).hasSize(given.arrivals().size());
    assertThat(result.completed() + result.unfinished()).isEqualTo(result.arrivals());
    assertThat(result.adjustments().migrations())
        .isEqualTo(outcomes.stream().mapToLong(RequestOutcome::migrations).sum());
    assertThat(result.placements())
        .isEqualTo(outcomes.stream().mapToLong(each -> each.report().placements()).sum());
    if (given.hostEvents().isEmpty()) {
      assertThat(result.unfinished()).isZero(); // each fits on an empty host
      assertThat(result.simulated()).isLessThan(UNTIL);
    }
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void reportsAndPausesDoNotChangeTheRun(@ForAll("cases") Case given) {
    List<RequestOutcome> reported = new ArrayList<>();
    RunResult result = run(given, ExecutionModel.BY_GRANT, reported);
    List<RequestOutcome> unreported = new ArrayList<>();
    Case silent =
        new Case(
            given.arrivals(),
            given.hostEvents(),
            Duration.ZERO,
            given.watchdogSeconds(),
            given.seed());
    Simulation stopped = simulation(silent, ExecutionModel.BY_GRANT, unreported);
    for (long time = 0; time <= 200 * SECOND; time += 7 * SECOND / 3) {
      stopped.runUntil(Duration.ofNanos(time));
    }

    assertThat(stopped.run()).isEqualTo(result);
    assertThat(unreported).isEqualTo(reported);
  }

  /** Requires that a situation is frequent among the cases. */
  private static void often(String what, boolean happens) {
    Statistics.label(what)
        .collect(happens)
        .coverage(coverage -> coverage.check(true).percentage(share -> share > 20));
  }

  private static RunResult run(Case given, ExecutionModel model, List<RequestOutcome> outcomes) {
    Simulation simulation = simulation(given, model, outcomes);
    if (model instanceof Recorded recorded) {
      recorded.simulation = simulation;
    }
    return simulation.run();
  }

  private static Simulation simulation(
      Case given, ExecutionModel model, List<RequestOutcome> outcomes) {
    return Simulation.builder()
        .workload(Cases.workload(given.arrivals().toArray(Arrival[]::new)))
        .infrastructure(
            new Infrastructure(
                "test hosts",
                IntStream.rangeClosed(1, 3)
                    .mapToObj(i -> new HostSpec("h" + i, resources(4, 8 * GB)))
                    .toList()))
        .scheduler(TestPolicies.restless(given.watchdogSeconds()))
        .overheads(Cases.coldAndHot(2, 0.5))
        .migrationCost(new TransferCost(Duration.ofSeconds(1), GB / 3))
        .resumeCost(new TransferCost(Duration.ZERO, GB / 7))
        .usageReports(given.usageReports())
        .executionModel(model)
        .hostEvents(given.hostEvents())
        .until(UNTIL)
        .seed(given.seed())
        .listener(SimulationListener.onRequestEnded(outcomes::add))
        .build();
  }

  private static Resources resources(int cores, long memory) {
    return Resources.of(Dimension.CPU, cores * SECOND, Dimension.MEMORY, memory);
  }

  @Provide
  Arbitrary<Case> cases() {
    Arbitrary<Long> instants = Arbitraries.longs().between(0, 20 * SECOND);
    Arbitrary<List<HostEvent>> events =
        SimulationPropertiesTest.hostEvents(instants)
            .injectNull(0.5)
            .map(each -> each == null ? List.of() : each);
    Arbitrary<Duration> reports =
        Arbitraries.longs().between(SECOND / 10, 5 * SECOND).map(Duration::ofNanos);
    return Combinators.combine(
            jobs(instants),
            events,
            reports,
            Arbitraries.longs().between(1, 10),
            Arbitraries.longs())
        .as(Case::new);
  }

  private static Arbitrary<List<Arrival>> jobs(Arbitrary<Long> instants) {
    Arbitrary<MemoryProfile> needs =
        Arbitraries.longs()
            .between(0, 6 * GB)
            .withDistribution(RandomDistribution.uniform())
            .list()
            .ofMinSize(1)
            .ofMaxSize(6)
            .map(
                each ->
                    MemoryProfile.of(
                        IntStream.range(0, each.size())
                            .mapToObj(i -> new MemoryProfile.Step(i * 3_333_333_331L, each.get(i)))
                            .toList()));
    Arbitrary<PerformanceMemoryProfile> performances =
        Arbitraries.longs()
            .between(SECOND, 8 * SECOND)
            .withDistribution(RandomDistribution.uniform())
            .list()
            .ofSize(4)
            .map(each -> slower(each));
    return Combinators.combine(
            instants,
            Arbitraries.integers().between(1, 3),
            Arbitraries.longs().between(1, 4 * GB).withDistribution(RandomDistribution.uniform()),
            Arbitraries.longs()
                .between(1, 30 * SECOND)
                .withDistribution(RandomDistribution.uniform()),
            needs.injectNull(0.2),
            performances)
        .as(
            (at, cores, memory, work, need, performance) -> {
              Request.Builder request =
                  Request.builder("r", "gold")
                      .demand(resources(cores, memory))
                      .guaranteed(resources(cores, memory / 4))
                      .performanceMemoryProfile(performance);
              return new Draft(at, work, need == null ? request : request.memoryProfile(need));
            })
        .list()
        .ofMinSize(1)
        .ofMaxSize(10)
        .map(
            drafts ->
                IntStream.range(0, drafts.size()).mapToObj(i -> drafts.get(i).named(i)).toList());
  }

  /** A job without a name. */
  private record Draft(long at, long work, Request.Builder request) {
    Arrival named(int number) {
      Request like = request.build();
      Request.Builder copy =
          Request.builder("r" + number, "gold")
              .demand(like.demand())
              .guaranteed(like.guaranteed())
              .performanceMemoryProfile(like.performanceMemoryProfile().orElseThrow());
      like.memoryProfile().ifPresent(copy::memoryProfile);
      return new Arrival(at, copy.build(), work);
    }
  }

  /** Run times with 1, 2, 3 and 4 GB; more memory is never slower. */
  private static PerformanceMemoryProfile slower(List<Long> runTimes) {
    List<Long> ascending = runTimes.stream().sorted().toList();
    Map<Long, Long> points = new TreeMap<>();
    for (int i = 0; i < 4; i++) {
      points.put((4 - i) * GB, ascending.get(i));
    }
    return PerformanceMemoryProfile.of(
        points.entrySet().stream()
            .map(each -> new PerformanceMemoryProfile.Point(each.getKey(), each.getValue()))
            .toList());
  }
}

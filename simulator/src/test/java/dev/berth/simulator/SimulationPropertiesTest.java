package dev.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.Scheduler;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;

/** Properties of every simulation, under a policy that acts at random. */
class SimulationPropertiesTest {

  private static final long SECOND = 1_000_000_000;

  /** The input of a run. */
  record Case(
      List<Integer> hostCores,
      List<Arrival> arrivals,
      Overheads overheads,
      List<HostEvent> hostEvents,
      Optional<Duration> until,
      long watchdogSeconds,
      long seed) {}

  /** The outcome of a run. */
  record Run(RunResult result, List<RequestOutcome> outcomes) {}

  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void sameSeedGivesTheSameResult(@ForAll("cases") Case given) {
    Run first = run(given);
    Run second = run(given);

    assertThat(second.result()).isEqualTo(first.result());
    assertThat(second.outcomes()).isEqualTo(first.outcomes());
  }

  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void pausingDoesNotChangeTheResult(@ForAll("cases") Case given) {
    List<RequestOutcome> outcomes = new ArrayList<>();
    Simulation simulation = simulation(given, outcomes);
    long end = given.until().orElse(Duration.ofSeconds(100)).toNanos();
    for (long time = 0; time <= end; time += 7 * SECOND / 3) {
      simulation.runUntil(Duration.ofNanos(time));
    }

    assertThat(new Run(simulation.run(), outcomes)).isEqualTo(run(given));
  }

  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void serviceAndWaitingAddUpToTheLife(@ForAll("cases") Case given) {
    Map<String, Arrival> arrivals = new HashMap<>();
    given.arrivals().forEach(each -> arrivals.put(each.request().id(), each));

    for (RequestOutcome outcome : run(given).outcomes()) {
      Arrival arrival = arrivals.get(outcome.report().id());
      assertThat(outcome.report().admittedAt()).isEqualTo(arrival.at());
      assertThat(outcome.report().serviceTime() + outcome.report().waitingTime())
          .isEqualTo(outcome.report().endedAt() - outcome.report().admittedAt());
      assertThat(outcome.report().serviceTime()).isNotNegative();
      assertThat(outcome.report().waitingTime()).isNotNegative();
      if (outcome.completed()) {
        assertThat(outcome.report().serviceTime()).isEqualTo(arrival.serviceTime());
      } else {
        assertThat(outcome.report().serviceTime()).isLessThan(arrival.serviceTime());
      }
      if (outcome.report().serviceTime() > 0) {
        assertThat(outcome.ran()).isTrue();
      }
    }
  }

  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  void totalsMatchTheRequests(@ForAll("cases") Case given) {
    Run run = run(given);
    RunResult result = run.result();
    often("preempts", result.preemptions() > 0);
    often("completes", result.completed() > 0);
    often("leaves unfinished", result.unfinished() > 0);
    often("places again", result.placements() > result.arrivals());

    assertThat(result.arrivals()).isEqualTo(run.outcomes().size());
    assertThat(result.completed() + result.unfinished()).isEqualTo(result.arrivals());
    assertThat(result.preemptions())
        .isEqualTo(run.outcomes().stream().mapToLong(each -> each.report().preemptions()).sum())
        .isEqualTo(result.classes().stream().mapToLong(ClassResult::preemptions).sum());
    assertThat(result.placements())
        .isEqualTo(run.outcomes().stream().mapToLong(each -> each.report().placements()).sum());
    assertThat(result.classes().stream().mapToLong(ClassResult::count).sum())
        .isEqualTo(result.arrivals() - result.admittedAtEnd());
    given.until().ifPresent(until -> assertThat(result.simulated()).isLessThanOrEqualTo(until));
    if (given.until().isEmpty()) {
      assertThat(result.arrivals()).isEqualTo(given.arrivals().size());
    }
  }

  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void noHostServesBeyondItsCapacity(@ForAll("cases") Case given) {
    Map<String, Long> cores = new HashMap<>();
    given
        .arrivals()
        .forEach(
            each ->
                cores.put(
                    each.request().id(), each.request().demand().amount(Dimension.CPU) / SECOND));
    Case oneHost =
        new Case(
            given.hostCores().subList(0, 1),
            given.arrivals(),
            given.overheads(),
            given.hostEvents().stream()
                .filter(each -> ((HostEvent.OfHost) each).hostId().equals("h1"))
                .toList(),
            given.until(),
            given.watchdogSeconds(),
            given.seed());

    Run run = run(oneHost);
    long up = timeUp(oneHost.hostEvents(), run.result().simulated().toNanos());
    long served =
        run.outcomes().stream()
            .mapToLong(each -> each.report().serviceTime() * cores.get(each.report().id()))
            .sum();
    assertThat(served).isLessThanOrEqualTo(oneHost.hostCores().get(0) * up);
  }

  /** Requires that a situation is frequent among the cases. */
  private static void often(String what, boolean happens) {
    Statistics.label(what)
        .collect(happens)
        .coverage(coverage -> coverage.check(true).percentage(share -> share > 20));
  }

  private static long timeUp(List<HostEvent> events, long end) {
    long up = 0;
    long upSince = 0;
    for (HostEvent event : events) {
      if (event.at() > end) {
        break;
      }
      if (event instanceof HostEvent.Fails) {
        up += event.at() - upSince;
        upSince = end;
      } else {
        upSince = event.at();
      }
    }
    return up + (end - upSince);
  }

  /** With decision times, each decision begins after the end of the one before. */
  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void noTwoDecisionsOverlap(
      @ForAll("cases") Case given, @ForAll @LongRange(min = 1, max = 5) long seconds) {
    List<Long> decisions = new ArrayList<>();
    Simulation.builder()
        .workload(Cases.workload(given.arrivals().toArray(Arrival[]::new)))
        .infrastructure(
            Cases.hosts(given.hostCores().stream().mapToInt(Integer::intValue).toArray()))
        .scheduler(
            Scheduler.builder()
                .policy("test.observed", context -> pass -> observe(pass, decisions))
                .watchdog(Duration.ofSeconds(3)))
        .overheads(given.overheads())
        .hostEvents(given.hostEvents())
        .seed(given.seed())
        .decisionTime(Duration.ofSeconds(seconds))
        .until(Duration.ofMinutes(3))
        .build()
        .run();

    for (int i = 1; i < decisions.size(); i++) {
      assertThat(decisions.get(i) - decisions.get(i - 1)).isGreaterThanOrEqualTo(seconds * SECOND);
    }
    Statistics.label("decisions").collect(Math.min(3, decisions.size()));
  }

  /** Acts at random; adds the time of the pass once for each placement. */
  private static void observe(SchedulingPass pass, List<Long> decisions) {
    int before = pass.pending().size();
    TestPolicies.erratic(pass);
    for (int i = pass.pending().size(); i < before; i++) {
      decisions.add(pass.now());
    }
  }

  private static Run run(Case given) {
    List<RequestOutcome> outcomes = new ArrayList<>();
    return new Run(simulation(given, outcomes).run(), outcomes);
  }

  private static Simulation simulation(Case given, List<RequestOutcome> outcomes) {
    Scheduler.Builder policy = TestPolicies.erratic(given.watchdogSeconds());
    Simulation.Builder builder =
        Simulation.builder()
            .workload(Cases.workload(given.arrivals().toArray(Arrival[]::new)))
            .infrastructure(
                Cases.hosts(given.hostCores().stream().mapToInt(Integer::intValue).toArray()))
            .scheduler(policy)
            .overheads(given.overheads())
            .hostEvents(given.hostEvents())
            .seed(given.seed())
            .listener(SimulationListener.onRequestEnded(outcomes::add));
    given.until().ifPresent(builder::until);
    return builder.build();
  }

  @Provide
  Arbitrary<Case> cases() {
    Arbitrary<List<Integer>> hosts = Arbitraries.integers().between(1, 4).list().ofSize(3);
    Arbitrary<Long> times = Arbitraries.longs().between(0, 60 * SECOND);
    Arbitrary<Long> instants = Arbitraries.oneOf(times, times.map(time -> time / SECOND * SECOND));
    Arbitrary<List<Arrival>> arrivals =
        Combinators.combine(
                instants,
                Arbitraries.of("gold", "bronze"),
                Arbitraries.integers().between(1, 4),
                instants.map(time -> Math.max(1, time / 2)))
            .as((at, name, cores, service) -> Cases.arrival("?", name, cores, at, service))
            .list()
            .ofMaxSize(25)
            .withSizeDistribution(RandomDistribution.uniform())
            .map(SimulationPropertiesTest::numbered);
    Arbitrary<Overheads> overheads =
        Combinators.combine(overheadValues(), overheadValues()).as(Overheads::new);
    Arbitrary<Optional<Duration>> until =
        instants
            .map(time -> Optional.of(Duration.ofNanos(time)))
            .injectNull(0.3)
            .map(end -> end == null ? Optional.empty() : end);
    return Combinators.combine(
            hosts,
            arrivals,
            overheads,
            hostEvents(instants),
            until,
            Arbitraries.longs().between(1, 20),
            Arbitraries.longs())
        .as(Case::new);
  }

  private static Arbitrary<List<Duration>> overheadValues() {
    return Arbitraries.longs()
        .between(0, 5)
        .map(Duration::ofSeconds)
        .list()
        .ofMinSize(1)
        .ofMaxSize(4);
  }

  /** Each host fails and recovers in turn at increasing times. */
  static Arbitrary<List<HostEvent>> hostEvents(Arbitrary<Long> instants) {
    return instants
        .set()
        .ofMaxSize(4)
        .list()
        .ofSize(3)
        .map(
            timesByHost -> {
              List<HostEvent> events = new ArrayList<>();
              for (int host = 0; host < timesByHost.size(); host++) {
                boolean fails = true;
                for (long at : timesByHost.get(host).stream().sorted().toList()) {
                  String id = "h" + (host + 1);
                  events.add(fails ? new HostEvent.Fails(at, id) : new HostEvent.Recovers(at, id));
                  fails = !fails;
                }
              }
              events.sort(Comparator.comparingLong(HostEvent::at));
              return events;
            });
  }

  private static List<Arrival> numbered(List<Arrival> arrivals) {
    return IntStream.range(0, arrivals.size())
        .mapToObj(
            i -> {
              Arrival each = arrivals.get(i);
              int cores = (int) (each.request().demand().amount(Dimension.CPU) / SECOND);
              return Cases.arrival(
                  "r" + i, each.request().serviceClass(), cores, each.at(), each.serviceTime());
            })
        .toList();
  }
}

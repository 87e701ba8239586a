package dev.berth.simulator;

import static dev.berth.simulator.Cases.arrival;
import static dev.berth.simulator.Cases.hosts;
import static dev.berth.simulator.Cases.s;
import static dev.berth.simulator.Cases.seconds;
import static dev.berth.simulator.Cases.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.api.batch.InstanceReport;
import dev.berth.core.Scheduler;
import dev.berth.simulator.metrics.DimensionUsage;
import dev.berth.simulator.metrics.IntervalMetrics;
import dev.berth.simulator.metrics.IntervalMetrics.ClassInterval;
import dev.berth.simulator.metrics.MetricsCollector;
import dev.berth.simulator.metrics.MetricsSettings;
import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.metrics.Timeline.Quantity;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.PenaltyTable;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Compares the metrics of runs with figures computed by hand or from all events. */
class MetricsCollectorTest {

  private static final MetricsSettings TENS =
      new MetricsSettings(seconds(10), seconds(5), PenaltyTable.PUBLISHED);

  /** One core: a runs until 4 s, b until 10 s, then c. */
  private static final Workload QUEUE =
      workload(
          arrival("a", 0, s(4)),
          arrival("b", "bronze", 1, 0, s(6)),
          arrival("c", "bronze", 1, s(2), s(1000)));

  @Test
  void intervalsHaveLiveAndEndedRequests() {
    RunMetrics got = measured(TENS, QUEUE, seconds(25));

    assertThat(got.intervals())
        .containsExactly(
            // b ends with the interval and is in no other.
            new IntervalMetrics(
                0,
                10,
                List.of(
                    interval("gold", 1, 1, 1, 1, 0, 1),
                    interval("bronze", 2, 0, 0.6, 0.3, 0.5, 0.5))),
            new IntervalMetrics(
                10, 20, List.of(ClassInterval.inactive("gold"), alone("bronze", s(10), s(18), 1))),
            // cut short by the end
            new IntervalMetrics(
                20, 25, List.of(ClassInterval.inactive("gold"), alone("bronze", s(15), s(23), 1))));
  }

  /** Starts of two seconds: a starts on arrival, so it is served; b waits for a, and c for b. */
  @Test
  void firstStartTakesNothingFromRequest() {
    RunMetrics got =
        measured(
            TENS,
            QUEUE,
            Simulation.builder()
                .workload(QUEUE)
                .infrastructure(hosts(1))
                .overheads(Cases.coldAndHot(2, 2))
                .scheduler(TestPolicies.firstFit())
                .until(seconds(20)));

    ClassInterval gold = got.intervals().get(0).classes().get(0);
    assertThat(gold.min().orElseThrow()).isLessThan(1);
    assertThat(gold.served()).hasValue(1);
    assertThat(gold.met()).hasValue(1);
    assertThat(got.intervals().get(0).classes().get(1).served()).hasValue(0);
  }

  @Test
  void runThatEndsWithAnIntervalHasNoPartialOne() {
    assertThat(measured(TENS, QUEUE, seconds(20)).intervals())
        .isEqualTo(measured(TENS, QUEUE, seconds(25)).intervals().subList(0, 2));
  }

  @Test
  void earlyEndKeepsTheLastRequests() {
    Workload two = workload(arrival("a", 0, s(11)), arrival("b", "bronze", 1, s(1), s(2)));
    assertThat(measured(TENS, two, seconds(60)).intervals())
        .containsExactly(
            new IntervalMetrics(
                0, 10, List.of(alone("gold", 1, 1, 1), alone("bronze", 0, s(9), 0))),
            new IntervalMetrics(
                10, 13, List.of(alone("gold", 1, 1, 1), alone("bronze", s(2), s(12), 0))));
  }

  @Test
  void runOfZeroLengthHasNoInterval() {
    RunMetrics got = measured(TENS, QUEUE, Duration.ZERO);
    assertThat(got.intervals()).isEmpty();
    assertThat(got.result().penalty()).isZero();
  }

  @Test
  void sharesOfHostsWithoutCapacityAreAbsent() {
    MetricsCollector collector = new MetricsCollector(TENS, QUEUE, hosts(1));
    Simulation.Builder simulation =
        Simulation.builder()
            .workload(QUEUE)
            .infrastructure(hosts())
            .scheduler(TestPolicies.firstFit())
            .until(seconds(25));
    RunMetrics got = collector.result(collector.attachTo(simulation).build().run());

    assertThat(got.dimensions())
        .containsExactly(
            new DimensionUsage(
                "cpu", OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty()));
  }

  @Test
  void meanWaitingTimeOfNoRequestsIsAbsent() {
    RunMetrics none = measured(TENS, workload(), seconds(25));

    assertThat(none.result().waitingMean()).isEmpty();
    assertThat(none.result().classes())
        .extracting(ClassResult::waiting)
        .containsOnly(ClassResult.WaitingTimes.NONE);
    assertThat(measured(TENS, QUEUE, seconds(25)).result().waitingMean()).hasValue(4);
  }

  @Test
  void timesUseAndQueue() {
    RunMetrics got = measured(TENS, QUEUE, seconds(25));

    ClassResult bronze = got.result().classes().get(1);
    assertThat(bronze.waiting().mean()).as("4 s and 8 s").hasValue(6);
    assertThat(bronze.waiting().max()).hasValue(8);
    assertThat(bronze.served()).isEqualTo(6 + 15);
    assertThat(got.result().classes().get(0).served()).isEqualTo(4);
    assertThat(got.meanPending()).as("c, at 5 s").isEqualTo(0.2);
    assertThat(got.maxPending()).isOne();
    assertThat(got.dimensions())
        .containsExactly(
            new DimensionUsage(
                "cpu", OptionalDouble.of(1), OptionalDouble.of(1), OptionalDouble.of(1.2)));
    assertThat(got.timeline().step()).isEqualTo(5);
    assertThat(got.timeline().values(Quantity.CAPACITY, "cpu", ""))
        .containsExactly(1.0, 1.0, 1.0, 1.0, 1.0);
    assertThat(got.timeline().values(Quantity.DEMAND, "cpu", "bronze"))
        .containsExactly(2.0, 1.0, 1.0, 1.0, 1.0);
    assertThat(got.timeline().values(Quantity.GRANTED, "cpu", "bronze"))
        .containsExactly(1.0, 1.0, 1.0, 1.0, 1.0);
    assertThat(got.timeline().values(Quantity.PENDING, "", "bronze"))
        .containsExactly(1.0, 0.0, 0.0, 0.0, 0.0);
    assertThat(got.timeline().values(Quantity.PENDING, "", "tin")).isEmpty();
  }

  /** b waits for 999 s and runs for one: 0.5 - 0.001, one second of one core, and that again. */
  @Test
  void chargesMissedObjectives() {
    Workload late = workload(arrival("a", 0, s(999)), arrival("b", "bronze", 1, 0, s(1)));
    assertThat(measured(TENS, late, seconds(2000)).result().penalty())
        .isCloseTo((0.5 - 0.001) / 3600 * 2, within(1e-12));
  }

  @Test
  void refusesIntervalsThatAreNoMultipleOfTheSample() {
    assertThatThrownBy(() -> new MetricsSettings(seconds(10), seconds(3), PenaltyTable.PUBLISHED))
        .hasMessage("interval must be a multiple of sample, 3s");
    assertThatThrownBy(() -> new MetricsSettings(seconds(10), seconds(0), PenaltyTable.PUBLISHED))
        .hasMessage("sample must be longer than 0s");
    assertThatThrownBy(() -> new MetricsSettings(seconds(0), seconds(1), PenaltyTable.PUBLISHED))
        .hasMessage("interval must be a multiple of sample, 1s");
  }

  /** Streaming gives the same figures as a computation from all outcomes. */
  @Property(tries = 150)
  void matchesFiguresComputedFromAllOutcomes(
      @ForAll @Size(min = 1, max = 25) List<@IntRange(min = 0, max = 60) Integer> times,
      @ForAll @IntRange(min = 1, max = 60) int until,
      @ForAll @IntRange(min = 1, max = 9) int interval,
      @ForAll long seed) {
    List<Arrival> arrivals = new ArrayList<>();
    for (int i = 0; i < times.size(); i++) {
      String serviceClass = i % 2 == 0 ? "gold" : "bronze";
      int service = 1 + times.get(i) * 7 % 23;
      arrivals.add(arrival("r" + i, serviceClass, 1 + i % 2, s(times.get(i)), s(service)));
    }
    Workload workload = workload(arrivals.toArray(Arrival[]::new));
    MetricsSettings settings =
        new MetricsSettings(seconds(interval), seconds(1), PenaltyTable.PUBLISHED);

    List<List<Double>> seen = new ArrayList<>();
    Simulation.Builder watched = simulation(workload, TestPolicies.erratic(1), until, seed);
    RunMetrics got = measured(settings, workload, watched);
    got.intervals()
        .forEach(
            each ->
                each.classes()
                    .forEach(
                        its ->
                            seen.add(
                                List.of(
                                    each.end(),
                                    (double) its.active(),
                                    its.min().orElse(Double.NaN),
                                    its.max().orElse(Double.NaN),
                                    its.mean().orElse(Double.NaN),
                                    its.fulfilment().orElse(Double.NaN)))));

    assertThat(seen).isEqualTo(naive(workload, until, seed, interval));
    assertThat(got.result())
        .as("being watched changes nothing")
        .isEqualTo(simulation(workload, TestPolicies.erratic(1), until, seed).build().run());
  }

  /** Computes the figures of each interval and class from all availabilities. */
  private static List<List<Double>> naive(Workload workload, int until, long seed, int interval) {
    TreeMap<Long, List<double[]>> active = new TreeMap<>(); // class, service, life
    List<RequestOutcome> outcomes = new ArrayList<>();
    RunResult result =
        simulation(workload, TestPolicies.erratic(1), until, seed)
            .listener(SimulationListener.onRequestEnded(outcomes::add))
            .listener(
                Cases.sampling(
                    seconds(interval),
                    (now, scheduler) -> {
                      List<double[]> those = active.computeIfAbsent(now, key -> new ArrayList<>());
                      for (Instance each : scheduler.instances()) {
                        those.add(
                            row(each.request(), each.serviceTime(now), now - each.admittedAt()));
                      }
                    }))
            .build()
            .run();
    active.remove(0L); // ended at once
    for (RequestOutcome each : outcomes) {
      if (each.end() != RequestOutcome.End.UNFINISHED) {
        InstanceReport sli = each.report();
        long end = active.ceilingKey(sli.endedAt());
        active
            .get(end)
            .add(row(each.request(), sli.serviceTime(), sli.serviceTime() + sli.waitingTime()));
      }
    }
    assertThat(active.isEmpty() ? 0 : active.lastKey()).isEqualTo(result.simulated().toNanos());
    List<List<Double>> figures = new ArrayList<>();
    active.forEach(
        (end, those) -> {
          figures.add(figures(end, those, 0, 1));
          figures.add(figures(end, those, 1, 0.5));
        });
    return figures;
  }

  private static double[] row(Request request, long service, long life) {
    return new double[] {request.serviceClass().equals("gold") ? 0 : 1, service, life};
  }

  private static List<Double> figures(long end, List<double[]> all, int rank, double slo) {
    double[] got =
        all.stream()
            .filter(each -> each[0] == rank && each[2] > 0)
            .mapToDouble(each -> each[1] / each[2])
            .sorted()
            .toArray();
    if (got.length == 0) {
      return List.of(end / 1e9, 0.0, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }
    double sum = 0;
    double met = 0;
    for (double each : got) {
      sum += each;
      met += each >= slo ? 1 : 0;
    }
    return List.of(
        end / 1e9,
        (double) got.length,
        got[0],
        got[got.length - 1],
        sum / got.length,
        met / got.length);
  }

  private static Simulation.Builder simulation(
      Workload workload, Scheduler.Builder scheduler, int until, long seed) {
    return Simulation.builder()
        .workload(workload)
        .infrastructure(hosts(2, 1))
        .overheads(Cases.coldAndHot(2, 1))
        .scheduler(scheduler)
        .seed(seed)
        .until(seconds(until));
  }

  private static RunMetrics measured(MetricsSettings settings, Workload workload, Duration until) {
    return measured(
        settings,
        workload,
        Simulation.builder()
            .workload(workload)
            .infrastructure(hosts(1))
            .scheduler(TestPolicies.firstFit())
            .until(until));
  }

  private static RunMetrics measured(
      MetricsSettings settings, Workload workload, Simulation.Builder simulation) {
    MetricsCollector collector = new MetricsCollector(settings, workload, hosts(1));
    return collector.result(collector.attachTo(simulation).build().run());
  }

  private static ClassInterval alone(String name, long service, long life, double fulfilment) {
    double availability = (double) service / life;
    return interval(name, 1, availability, availability, availability, 0, fulfilment);
  }

  private static ClassInterval interval(
      String name,
      long active,
      double min,
      double max,
      double mean,
      double gini,
      double fulfilment) {
    return new ClassInterval(
        name,
        active,
        OptionalDouble.of(min),
        OptionalDouble.of(max),
        OptionalDouble.of(mean),
        OptionalDouble.of(gini),
        OptionalDouble.of(fulfilment),
        OptionalDouble.of(min == 1 ? 1 : 0),
        OptionalDouble.of(fulfilment));
  }
}

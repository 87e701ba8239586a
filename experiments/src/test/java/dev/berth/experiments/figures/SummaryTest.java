package dev.berth.experiments.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.experiments.Trials;
import dev.berth.experiments.bound.FluidBound;
import dev.berth.experiments.figures.Summary.Group;
import dev.berth.experiments.figures.Summary.Row;
import dev.berth.experiments.run.Cell;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.run.RunOutcome;
import dev.berth.experiments.store.CellStore;
import dev.berth.experiments.store.StoredCell;
import dev.berth.simulator.metrics.DimensionUsage;
import dev.berth.simulator.metrics.IntervalMetrics;
import dev.berth.simulator.metrics.IntervalMetrics.ClassInterval;
import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.metrics.Timeline;
import dev.berth.simulator.result.Adjustments;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.ClassResult.WaitingTimes;
import dev.berth.simulator.result.InvalidActions;
import dev.berth.simulator.result.PoolUsage;
import dev.berth.simulator.result.RunResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runs are made up, so that the expected figures can be counted by hand. */
class SummaryTest {

  @TempDir private static Path cells;

  /** Three seeds; priority, never-preempt, infinite host. */
  private static final Experiment THREE =
      Trials.load(
          Path.of("."), "{'workloads':['validation-1'],'policies':['priority'],'seeds':[1,2,3]}");

  @Test
  void computesMeansAndIntervalsOverCases() {
    Group group =
        group(THREE, (label, seed) -> Optional.of(run(seed.doubleValue(), seed * 10, List.of())));
    assertThat(group.cases()).isEqualTo(3);
    Row row = group.row("priority");
    assertThat(row.failed()).isZero();
    assertThat(row.get(Totals.PREEMPTIONS).mean()).isEqualTo(20);
    // Student's t of two degrees of freedom: 4.303; deviation 10.
    assertThat(row.get(Totals.PREEMPTIONS).halfWidth().orElseThrow())
        .isCloseTo(4.3027 * 10 / Math.sqrt(3), within(1e-3));
    assertThat(row.get(Totals.PENALTY).mean()).isEqualTo(2);
    assertThat(row.get(Totals.PENALTY).sum()).isEqualTo(6);
    assertThat(row.get(Totals.WAITING).mean()).as("5 s for 3 requests, 1 s for 1").isEqualTo(4);
    assertThat(row.get(Totals.RESTARTS).mean()).as("two classes of half an hour").isEqualTo(1);
    assertThat(row.get(Totals.LOST_WORK).mean()).as("and of three quarters").isEqualTo(1.5);
    assertThat(row.used().get("cpu").mean()).isEqualTo(0.5);
    assertThat(row.classes()).extracting(ClassFigures::name).containsExactly("gold", "tin");
    assertThat(row.classes().get(0).get(ClassFigures.MEAN_DEFICIT).size())
        .as("none missed it")
        .isZero();
    assertThat(row.classes().get(1).get(ClassFigures.MEAN_DEFICIT).mean()).isEqualTo(0.25);
    assertThat(group.intervals()).isEmpty();
  }

  @Test
  void countsAndSkipsFailedCases() {
    Group group =
        group(
            THREE,
            (label, seed) ->
                label.equals("priority") && seed > 1
                    ? Optional.empty()
                    : Optional.of(run(seed.doubleValue(), 1, List.of(interval(1, 1)))));
    Row row = group.row("priority");
    assertThat(row.failed()).isEqualTo(2);
    assertThat(row.get(Totals.PENALTY).size()).isOne();
    assertThat(row.get(Totals.PENALTY).halfWidth()).isEmpty();
    assertThat(group.row("never-preempt").failed()).isZero();
    assertThat(group.intervals()).as("of one case").isEqualTo(Map.of(Contention.NONE, 1L));

    Row none = group(THREE, (label, seed) -> Optional.<RunMetrics>empty()).row("priority");
    assertThat(none.failed()).isEqualTo(3);
    assertThat(none.get(Totals.PENALTY).size()).isZero();
    assertThat(none.classes()).isEmpty();
  }

  @Test
  void eachWatchdogAndMarginIsAGroupOfItsOwn() {
    Experiment experiment =
        Trials.load(
            Path.of("."),
            "{'workloads':['validation-1'],'policies':['priority','never-preempt'],"
                + "'seeds':[1,2,3],'scales':[1,0.5],'watchdog':['1s','2s'],'margin':['0s','9s']}");
    Map<String, List<Double>> penalties = // by seed
        Map.of(
            "watchdog 1s, margin 0s", List.of(13.0, 23.1, 33.0),
            "watchdog 1s, margin 9s", List.of(12.0, 22.0, 32.0),
            "watchdog 2s, margin 0s", List.of(14.0, 24.1, 34.0),
            "watchdog 2s, margin 9s", List.of(12.1, 21.7, 32.1)); // not clearly less
    Summary summary =
        Summary.of(
            experiment,
            results(
                experiment,
                each ->
                    Optional.of(
                        run(
                            each.policy().label().equals("priority")
                                ? penalties
                                    .get(each.setting().variant())
                                    .get((int) each.setting().seed() - 1)
                                : 7,
                            1,
                            List.of()))));
    assertThat(summary.groups()).hasSize(8).allMatch(each -> each.cases() == 3);
    assertThat(summary.groups())
        .extracting(each -> each.scale() + " " + each.first().variant())
        .startsWith("1.0 watchdog 1s, margin 0s", "1.0 watchdog 1s, margin 9s")
        .endsWith("0.5 watchdog 2s, margin 9s");
    List<Variants> variants = Variants.of(summary);
    assertThat(variants).hasSize(2);
    assertThat(variants.get(0).best("priority"))
        .extracting(each -> each.first().variant())
        .containsExactly("watchdog 2s, margin 9s", "watchdog 1s, margin 9s");
    assertThat(variants.get(0).bestNames("priority"))
        .isEqualTo("watchdog 2s, margin 9s, or 1 other");
    assertThat(variants.get(0).least("priority").orElseThrow()).isCloseTo(65.9 / 3, within(1e-9));
    assertThat(variants.get(1).bestNames("never-preempt")).isEqualTo("any");
    assertThat(Variants.of(Summary.of(THREE, results(THREE, (label, seed) -> Optional.empty()))))
        .as("nothing varies")
        .isEmpty();
  }

  @Test
  void comparesPenalties() {
    Group group =
        group(
            THREE,
            (label, seed) ->
                Optional.of(
                    run((label.equals("priority") ? 3 : 1) * seed.doubleValue(), 1, List.of())));
    Row priority = group.row("priority");
    Row other = group.row("never-preempt");
    assertThat(Summary.excess(priority, other)).contains(2.0);
    assertThat(Summary.excess(other, priority).orElseThrow()).isCloseTo(-2 / 3.0, within(1e-12));
    Row none = group(THREE, (label, seed) -> Optional.of(run(0, 1, List.of()))).row("priority");
    assertThat(Summary.excess(priority, none)).isEmpty();
  }

  /** Under the reference there is one interval of each level of contention. */
  @Test
  void classifiesIntervalsByReference() {
    Group group =
        group(
            THREE,
            (label, seed) ->
                Optional.of(
                    label.equals("priority")
                        ? run(
                            1,
                            1,
                            List.of(
                                interval(1, 1),
                                interval(1, 0.8),
                                interval(1, 0.1),
                                interval(0.5, 1)))
                        : run(
                            1,
                            1,
                            // One interval less: the last one has no counterpart.
                            List.of(interval(1, 0.7), interval(1, 0.6), interval(1, 0.5)))));
    assertThat(group.intervals())
        .isEqualTo(
            Map.of(
                Contention.NONE,
                3L,
                Contention.LOW,
                3L,
                Contention.MEDIUM,
                3L,
                Contention.HIGH,
                3L));
    Map<Contention, List<ClassFigures>> other = group.row("never-preempt").active();
    assertThat(other.keySet()).containsExactly(Contention.NONE, Contention.LOW, Contention.MEDIUM);
    assertThat(tin(other, Contention.LOW).get(ClassFigures.MIN).mean())
        .isCloseTo(0.6, within(1e-12));
    assertThat(tin(other, Contention.LOW).get(ClassFigures.MIN).size()).isEqualTo(3);
    assertThat(tin(other, Contention.LOW).get(ClassFigures.MIN_BY_SEED).size()).isEqualTo(3);
    assertThat(tin(other, Contention.MEDIUM).get(ClassFigures.MIN).mean()).isEqualTo(0.5);
    Map<Contention, List<ClassFigures>> its = group.row("priority").active();
    assertThat(tin(its, Contention.HIGH).get(ClassFigures.MIN).mean()).isEqualTo(1);
    assertThat(its.get(Contention.HIGH).get(0).get(ClassFigures.MIN).mean()).isEqualTo(0.5);
  }

  @Test
  void acceptsCasesWithDifferentNumbersOfIntervals() {
    Group group =
        group(
            THREE,
            (label, seed) -> {
              List<IntervalMetrics> intervals = new ArrayList<>();
              for (int i = 0; i < seed; i++) {
                intervals.add(interval(1, 0.6 + 0.1 * seed));
              }
              return Optional.of(run(1, 1, intervals));
            });
    assertThat(group.intervals()).isEqualTo(Map.of(Contention.LOW, 6L));
    ClassFigures tin = tin(group.row("priority").active(), Contention.LOW);
    assertThat(tin.get(ClassFigures.MIN).size()).isEqualTo(6);
    assertThat(tin.get(ClassFigures.MIN).mean())
        .as("each interval")
        .isCloseTo((0.7 + 2 * 0.8 + 3 * 0.9) / 6, within(1e-12));
    assertThat(tin.get(ClassFigures.MIN_BY_SEED).mean())
        .as("each seed")
        .isCloseTo(0.8, within(1e-12));
  }

  @Test
  void groupsByScale() {
    Experiment scales =
        Trials.load(
            Path.of("."),
            "{'workloads':['validation-1'],'policies':['priority'],'scales':[1,0.9],'seeds':[1,2]}");
    Summary summary = summary(scales, (label, seed) -> Optional.of(run(1, 1, List.of())));
    assertThat(summary.groups()).extracting(Group::scale).containsExactly(1.0, 0.9);
    assertThat(summary.groups()).extracting(Group::cases).containsExactly(2, 2);
  }

  /** A bound for each seed and scale: fewer hosts serve less. */
  @Test
  void boundsAreThoseOfTheCases() {
    Experiment experiment =
        Trials.load(
            Path.of("."),
            "{'workloads':['validation-1'],'policies':['priority'],'seeds':[1,2],'until':'20m',"
                + "'scales':[1,0.5]}");
    List<CellResult> results =
        results(experiment, (label, seed) -> Optional.of(run(1, 1, List.of())));

    assertThat(Summary.of(experiment, results).hasBounds()).isFalse();
    Summary summary = Summary.withBounds(experiment, results);
    assertThat(summary.hasBounds()).isTrue();
    for (int i = 0; i < 2; i++) {
      Summary.Bound bound = summary.groups().get(i).bound().orElseThrow();
      FluidBound first = FluidBound.of(experiment.cases().get(2 * i).settings().scenario());
      FluidBound second = FluidBound.of(experiment.cases().get(2 * i + 1).settings().scenario());
      assertThat(bound.penalty().size()).isEqualTo(2);
      assertThat(bound.penalty().mean())
          .isCloseTo(
              (first.penalty().orElseThrow() + second.penalty().orElseThrow()) / 2, within(1e-12));
      assertThat(bound.classes())
          .extracting(ClassFigures::name)
          .containsExactly("gold", "silver", "bronze");
      assertThat(bound.incomparable()).isEmpty();
    }
    assertThat(penalty(summary, 1)).isGreaterThan(10 * penalty(summary, 0));
  }

  private static double penalty(Summary summary, int group) {
    return summary.groups().get(group).bound().orElseThrow().penalty().mean();
  }

  @Test
  void experimentWithoutRunsOfBoundsHasNoBound() {
    Experiment experiment =
        Trials.load(
            Path.of("."), "{'workloads':['validation-1'],'policies':['priority'],'bounds':false}");
    List<CellResult> results =
        results(experiment, (label, seed) -> Optional.of(run(1, 1, List.of())));

    assertThat(Summary.withBounds(experiment, results).groups().get(0).bound()).isEmpty();
  }

  private static ClassFigures tin(Map<Contention, List<ClassFigures>> active, Contention level) {
    return active.get(level).stream()
        .filter(each -> each.name().equals("tin"))
        .findFirst()
        .orElseThrow();
  }

  private static Group group(
      Experiment experiment, BiFunction<String, Long, Optional<RunMetrics>> runs) {
    List<Group> groups = summary(experiment, runs).groups();
    assertThat(groups).hasSize(1);
    return groups.get(0);
  }

  private static Summary summary(
      Experiment experiment, BiFunction<String, Long, Optional<RunMetrics>> runs) {
    return Summary.of(experiment, results(experiment, runs));
  }

  private static StoredCell stored(RunMetrics run) {
    try (CellStore store = CellStore.open(cells)) {
      Files.write(store.draft("k"), new byte[0]);
      store.keep("k", run, false);
      return store.find("k", false).orElseThrow();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static List<CellResult> results(
      Experiment experiment, BiFunction<String, Long, Optional<RunMetrics>> runs) {
    return results(experiment, each -> runs.apply(each.policy().label(), each.setting().seed()));
  }

  private static List<CellResult> results(
      Experiment experiment, Function<Cell, Optional<RunMetrics>> runs) {
    List<CellResult> results = new ArrayList<>();
    for (Cell each : experiment.cells()) {
      results.add(
          runs.apply(each)
              .map(run -> CellResult.of(each, stored(run)))
              .orElseGet(
                  () ->
                      CellResult.of(
                          each, new RunOutcome.Failed("no", new IllegalStateException("no")))));
    }
    return results;
  }

  /** Three gold requests that meet their objective, one of tin that misses it by 0.25. */
  private static RunMetrics run(double penalty, long preemptions, List<IntervalMetrics> intervals) {
    RunResult result =
        new RunResult(
            "p",
            "{}",
            Optional.empty(),
            "w",
            "h",
            1,
            Duration.ofHours(1),
            4,
            4,
            0,
            0,
            0,
            0,
            1,
            1,
            preemptions,
            Adjustments.NONE,
            InvalidActions.NONE,
            PoolUsage.NONE,
            Optional.empty(),
            List.of(
                got("gold", 3, 1, OptionalDouble.empty(), 5, 0),
                got("tin", 1, 0.5, OptionalDouble.of(0.25), 1, penalty),
                new ClassResult(
                    "empty",
                    0.5,
                    0,
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    0,
                    0,
                    WaitingTimes.NONE,
                    0,
                    0,
                    0,
                    0,
                    0)));
    return new RunMetrics(
        result,
        List.of(
            new DimensionUsage(
                "cpu", OptionalDouble.of(0.5), OptionalDouble.of(1), OptionalDouble.of(1))),
        2,
        3,
        intervals,
        new Timeline(60, List.of()));
  }

  private static ClassResult got(
      String name, long count, double min, OptionalDouble deficit, double waiting, double penalty) {
    OptionalDouble waited = OptionalDouble.of(waiting);
    OptionalDouble share = OptionalDouble.of(min);
    return new ClassResult(
        name,
        0.75,
        count,
        share,
        share,
        share,
        OptionalDouble.of(deficit.isPresent() ? 0 : 1),
        OptionalDouble.of(deficit.isPresent() ? 0 : 1),
        deficit,
        deficit,
        0,
        0,
        new WaitingTimes(waited, waited, waited, waited),
        1800,
        2700,
        0,
        1,
        penalty);
  }

  private static IntervalMetrics interval(double gold, double tin) {
    return new IntervalMetrics(
        0,
        600,
        List.of(
            interval("gold", gold, gold == 1 ? 1 : 0), interval("tin", tin, tin >= 0.5 ? 1 : 0)));
  }

  private static ClassInterval interval(String name, double availability, double fulfilment) {
    OptionalDouble all = OptionalDouble.of(availability);
    return new ClassInterval(
        name,
        1,
        all,
        all,
        all,
        OptionalDouble.of(0),
        OptionalDouble.of(fulfilment),
        OptionalDouble.of(availability == 1 ? 1 : 0),
        OptionalDouble.of(fulfilment));
  }
}

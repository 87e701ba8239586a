package dev.berth.testkit.generators;

import dev.berth.testkit.generators.ClusterArbitraries.HostShape;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.Step;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Generators of histories. They use few distinct times, so that ties are frequent. */
public final class HistoryArbitraries {

  static final List<Long> EPOCHS =
      List.of(
          0L,
          Duration.ofHours(-1).toNanos(),
          Duration.ofDays(365 * 56).plusNanos(1).toNanos(),
          4_611_686_011_509_858_879L - Duration.ofSeconds(30).toNanos());

  private HistoryArbitraries() {}

  /**
   * Returns histories of up to so many steps, in proportions that keep a cluster of the generated
   * size busy: requests that arrive alone, several at one instant, or the same one several times;
   * instances that become ready, report usage, complete, fail or are cancelled; hosts that leave,
   * and return unchanged or as other machines, some of them time-shared; hosts that change, have
   * foreign load, are cordoned or drained; disruption budgets of jobs; reports about attempts that
   * are late or come again; actions that are rejected; now and then a fleet that reports what it
   * has; bags of tasks, with or without a time to live; pools whose hosts start as offered, as
   * other machines, or not at all; passes after events and after mere waiting; waits from a
   * nanosecond to a century, as far as the {@linkplain History#horizon horizon} allows.
   *
   * <p>Shrinks to few steps, one service class of objective 1, few small hosts, no pools, one
   * dimension, small requests, an epoch and a seed of 0.
   *
   * @param steps not negative
   */
  public static Arbitrary<History> ofUpTo(int steps) {
    return histories(StepArbitraries.usual(), steps, ClusterArbitraries.anyHostShapes());
  }

  /** Returns the same histories, but with many hosts that change, are cordoned or drained. */
  public static Arbitrary<History> withHostChanges(int steps) {
    return histories(StepArbitraries.withHostChanges(), steps, ClusterArbitraries.anyHostShapes());
  }

  /**
   * Returns the same histories, but of a fleet that misbehaves often: reports are lost, doubled,
   * late and out of order, starts fail, actions are rejected, and what the fleet reports to have
   * differs from what a scheduler believes.
   */
  public static Arbitrary<History> unreliable(int steps) {
    return histories(
        StepArbitraries.ofUnreliableFleets(), steps, ClusterArbitraries.anyHostShapes());
  }

  /**
   * Returns histories with hosts in places and with taints, and with requests that have
   * tolerations, rules about other instances, and preferences. Hosts change, and with them their
   * places and taints.
   */
  public static Arbitrary<History> withPlacement(int steps) {
    return histories(StepArbitraries.withPlacement(), steps, ClusterArbitraries.placedHostShapes());
  }

  /**
   * Returns histories as {@link #withPlacement} does, but with counted limits, which most requests
   * use, and which are set to other amounts often.
   */
  public static Arbitrary<History> withLimits(int steps) {
    return histories(StepArbitraries.withLimits(), steps, ClusterArbitraries.placedHostShapes());
  }

  /**
   * Returns the same histories, but most requests belong to one of a few jobs, whose disruption
   * budgets are set, changed and removed while instances fail and hosts are drained.
   */
  public static Arbitrary<History> withBudgets(int steps) {
    return histories(StepArbitraries.withBudgets(), steps, ClusterArbitraries.anyHostShapes());
  }

  /**
   * Returns the same histories, but with many groups, of members that are alike or not, and with
   * members that fail, complete, are cancelled, or lose their hosts.
   */
  public static Arbitrary<History> withGroups(int steps) {
    return histories(StepArbitraries.withGroups(), steps, ClusterArbitraries.anyHostShapes());
  }

  /** Returns the same histories, but half of the requests are to start after others. */
  public static Arbitrary<History> withDependencies(int steps) {
    return histories(StepArbitraries.withDependencies(), steps, ClusterArbitraries.anyHostShapes());
  }

  /**
   * Returns histories as {@link #withLimits} does, but also with disruption budgets of the jobs,
   * and with groups whose members have rules, preferences and limits.
   */
  public static Arbitrary<History> withMixedPlacement(int steps) {
    return histories(
        StepArbitraries.withMixedPlacement(), steps, ClusterArbitraries.placedHostShapes());
  }

  /**
   * Returns histories as {@link #ofUpTo} does, most of which begin with jobs that run, one after
   * another, for about as long as their requests estimate, or as others of their application did.
   */
  public static Arbitrary<History> withJobs(int steps) {
    Arbitrary<List<Step>> all =
        Combinators.combine(
                ElementRun.lists(StepArbitraries.jobs(), 0, 60, 90, 120),
                ElementRun.lists(
                    StepArbitraries.withJobs(), IntStream.rangeClosed(0, steps).toArray()))
            .as((before, after) -> Stream.concat(before.stream(), after.stream()).toList());
    return histories(all, ClusterArbitraries.anyHostShapes());
  }

  private static Arbitrary<History> histories(
      List<ElementRun<Step>> runs, int steps, Arbitrary<List<HostShape>> hosts) {
    return histories(ElementRun.lists(runs, IntStream.rangeClosed(0, steps).toArray()), hosts);
  }

  private static Arbitrary<History> histories(
      Arbitrary<List<Step>> steps, Arbitrary<List<HostShape>> hosts) {
    Arbitrary<HistoryDraft> drafts =
        Combinators.combine(
                steps,
                hosts,
                Arbitraries.frequency(
                    Tuple.of(10, 0), Tuple.of(2, 1), Tuple.of(1, 2), Tuple.of(1, 8)),
                ClusterArbitraries.classShapes(),
                ClusterArbitraries.scales(),
                epochs(),
                Arbitraries.of(0, 1, 2, 3),
                ClusterArbitraries.poolShapes())
            .as(HistoryDraft::new);
    return Shrinker.shrinking(drafts, HistoryDraft::simpler).map(HistoryDraft::history);
  }

  /**
   * Returns single steps, in the proportions of {@link #unreliable}. Shrinks to steps of the same
   * kind with the first possible subject.
   */
  public static Arbitrary<Step> unreliableSteps() {
    return steps(StepArbitraries.ofUnreliableFleets());
  }

  /** Returns single steps, in the proportions of {@link #withPlacement}. Shrinks alike. */
  public static Arbitrary<Step> placedSteps() {
    return steps(StepArbitraries.withPlacement());
  }

  private static Arbitrary<Step> steps(List<ElementRun<Step>> runs) {
    return Shrinker.shrinking(
        Arbitraries.frequencyOf(
            runs.stream()
                .flatMap(run -> run.parts().stream().map(part -> Tuple.of(run.weight(), part)))
                .toList()),
        StepShrinking::simpler);
  }

  /**
   * Returns times at which histories begin: zero, negative times, the nanoseconds of present-day
   * clocks, and any other. Some are shortly before the {@linkplain dev.berth.api.Slo#lifeSpan life
   * span} of an objective of one third less the time itself overflows a {@code long}. Shrinks to
   * zero.
   */
  private static Arbitrary<Long> epochs() {
    return Arbitraries.frequencyOf(
        Tuple.of(6, Arbitraries.of(EPOCHS)),
        Tuple.of(1, Arbitraries.longs().between(-(1L << 61), 1L << 61)));
  }
}

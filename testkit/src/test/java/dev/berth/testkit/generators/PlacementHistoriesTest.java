package dev.berth.testkit.generators;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.test.TestRun;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.HistoryPlayer;
import dev.berth.testkit.reference.CaseCoverage;
import dev.berth.testkit.reference.CaseCoverage.Mark;
import dev.berth.testkit.reference.QosDriven;
import dev.berth.testkit.reference.ReferenceScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.RandomGenerator;

/** Histories with taints, rules and preferences meet each of them, and each refusal. */
class PlacementHistoriesTest {

  private static final int HISTORIES = TestRun.isFixed() ? 240 : 1_000;
  private static final int STEPS = 100;

  /** What must be met in at least a hundredth of the passes. */
  private static final List<Mark> FREQUENT =
      List.of(
          Mark.REFUSAL_BY_TAINT,
          Mark.REFUSAL_BY_NEAR,
          Mark.REFUSAL_BY_APART,
          Mark.REFUSAL_BY_APART_OF_OTHERS,
          Mark.REFUSAL_BY_SPREAD,
          Mark.REFUSAL_WITHOUT_PLACE,
          Mark.PLACEMENT_BY_TOLERATION,
          Mark.PLACEMENT_DESPITE_TAINT,
          Mark.PLACEMENT_OF_FIRST_PEER,
          Mark.PLACEMENT_NEAR,
          Mark.PLACEMENT_APART,
          Mark.PLACEMENT_SPREAD,
          Mark.PLACEMENT_WITH_PREFERENCE,
          Mark.DECISION_BY_TAINT,
          Mark.DECISION_BY_PREFERENCE);

  /** What must be met at all. */
  private static final List<Mark> RARE =
      List.of(
          Mark.REFUSAL_BY_LOST_PEER,
          Mark.PREEMPTION_FOR_RULE,
          Mark.DRAIN_REFUSED_BY_RULE,
          Mark.DECISION_BY_PREFERENCE_AFTER_COST,
          Mark.EXPELLED_BY_TAINT,
          Mark.EXPELLED_FROM_UNREACHABLE,
          Mark.UNREACHABLE_INSTANCE_KEPT,
          Mark.DRAINED_BY_MIGRATION);

  /** The same histories each time: what is counted is what the generator makes, not its luck. */
  @Example
  void meetEachRuleAndEachRefusal() {
    Random random = new Random(22);
    RandomGenerator<History> histories =
        HistoryArbitraries.withPlacement(STEPS).generator(HISTORIES, false);
    CaseCoverage coverage = new CaseCoverage();
    for (int i = 0; i < HISTORIES; i++) {
      History history = histories.next(random).value();
      ReferenceScheduler scheduler =
          new ReferenceScheduler(
              QosDriven.PAPER,
              history.serviceClasses(),
              history.seed(),
              Optional.of(Duration.ofSeconds(10)));
      new HistoryPlayer(history, scheduler.cluster(), event -> event.applyTo(scheduler)).play();
      coverage.add(scheduler.coverage());
    }
    for (Mark each : FREQUENT) {
      assertThat(coverage.of(each))
          .as("%s, of%n%s", each, coverage)
          .isGreaterThan(coverage.of(Mark.PASS) / 100);
    }
    for (Mark each : RARE) {
      assertThat(coverage.of(each)).as("%s, of%n%s", each, coverage).isPositive();
    }
  }
}

package dev.berth.policies.qos;

import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.reference.CaseCoverage.Mark;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** With taints, rules about other instances, and preferences; for three policies. */
class PlacementReferenceTest extends EngineReferenceTest {

  private static final int TRIES = 6_000;
  private static final int STEPS = 100;

  private static final Coverage COVERAGE = new Coverage(TRIES);

  PlacementReferenceTest() {
    super(TRIES, COVERAGE);
  }

  @Provide
  @Override
  protected Arbitrary<History> histories() {
    return HistoryArbitraries.withPlacement(STEPS);
  }

  @AfterContainer
  static void casesWereNotTrivial() {
    if (COVERAGE.complete()) {
      COVERAGE.reached(Mark.PASS_PLACING, 0.06);
      COVERAGE.reached(Mark.PASS_PREEMPTING, 0.008);
      COVERAGE.reached(Mark.REFUSAL_BY_TAINT, 0.5);
      COVERAGE.reached(Mark.REFUSAL_BY_NEAR, 0.1);
      COVERAGE.reached(Mark.REFUSAL_BY_APART, 0.2);
      COVERAGE.reached(Mark.REFUSAL_BY_APART_OF_OTHERS, 0.2);
      COVERAGE.reached(Mark.REFUSAL_BY_SPREAD, 0.05);
      COVERAGE.reached(Mark.REFUSAL_WITHOUT_PLACE, 0.1);
      COVERAGE.reached(Mark.REFUSAL_BY_LOST_PEER, 0.002);
      COVERAGE.reached(Mark.PREEMPTION_FOR_RULE, 0.004);
      COVERAGE.reached(Mark.DRAIN_REFUSED_BY_RULE, 0.005);
      COVERAGE.reached(Mark.EXPELLED_BY_TAINT, 0.004);
      COVERAGE.reached(Mark.PLACEMENT_BY_TOLERATION, 0.03);
      COVERAGE.reached(Mark.PLACEMENT_DESPITE_TAINT, 0.015);
      COVERAGE.reached(Mark.PLACEMENT_OF_FIRST_PEER, 0.005);
      COVERAGE.reached(Mark.PLACEMENT_NEAR, 0.02);
      COVERAGE.reached(Mark.PLACEMENT_APART, 0.04);
      COVERAGE.reached(Mark.PLACEMENT_SPREAD, 0.04);
      COVERAGE.reached(Mark.PLACEMENT_WITH_PREFERENCE, 0.1);
      COVERAGE.reached(Mark.DECISION_BY_TAINT, 0.006);
      COVERAGE.reached(Mark.DECISION_BY_PREFERENCE, 0.008);
      COVERAGE.reached(Mark.DECISION_BY_PREFERENCE_AFTER_COST, 0.00005);
      COVERAGE.reachedTheUsual(0.0002);
    }
  }
}

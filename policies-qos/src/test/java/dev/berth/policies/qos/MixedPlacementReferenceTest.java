package dev.berth.policies.qos;

import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.reference.CaseCoverage.Mark;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * With taints, rules about other instances, preferences, counted limits, disruption budgets and
 * groups together; for three policies.
 */
class MixedPlacementReferenceTest extends EngineReferenceTest {

  private static final int TRIES = 6_000;
  private static final int STEPS = 100;

  private static final Coverage COVERAGE = new Coverage(TRIES);

  MixedPlacementReferenceTest() {
    super(TRIES, COVERAGE);
  }

  @Provide
  @Override
  protected Arbitrary<History> histories() {
    return HistoryArbitraries.withMixedPlacement(STEPS);
  }

  @AfterContainer
  static void casesWereNotTrivial() {
    if (COVERAGE.complete()) {
      COVERAGE.reached(Mark.PASS_PLACING, 0.001);
      COVERAGE.reached(Mark.PASS_PREEMPTING, 0.001);
      COVERAGE.reached(Mark.REFUSAL_BY_TAINT, 0.001);
      COVERAGE.reached(Mark.REFUSAL_BY_NEAR, 0.001);
      COVERAGE.reached(Mark.REFUSAL_BY_APART, 0.001);
      COVERAGE.reached(Mark.REFUSAL_BY_SPREAD, 0.001);
      COVERAGE.reached(Mark.REFUSAL_BY_LIMIT, 0.001);
      COVERAGE.reached(Mark.REFUSAL_BY_BUDGET, 0.0002);
      COVERAGE.reached(Mark.PREEMPTION_WITHIN_BUDGET, 0.0002);
      COVERAGE.reached(Mark.BUDGET_EXCEEDED, 0.001);
      COVERAGE.reached(Mark.EXPELLED_BY_TAINT, 0.0002);
      COVERAGE.reached(Mark.PLACEMENT_WITH_PREFERENCE, 0.001);
      COVERAGE.reached(Mark.DECISION_BY_PREFERENCE, 0.001);
      COVERAGE.reached(Mark.GROUP_STARTED, 0.001);
      COVERAGE.reached(Mark.GROUP_STARTED_BY_PREEMPTION, 0.0002);
      COVERAGE.reached(Mark.GROUP_INCOMPLETE, 0.001);
      COVERAGE.reached(Mark.GROUP_RELEASED, 0.001);
      COVERAGE.reached(Mark.GROUP_RESTORED, 0.001);
    }
  }
}

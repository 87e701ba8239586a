package dev.berth.policies.qos;

import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.reference.CaseCoverage.Mark;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** With disruption budgets that are set, changed, exceeded and removed; for three policies. */
class BudgetsReferenceTest extends EngineReferenceTest {

  private static final int TRIES = 3_000;
  private static final int STEPS = 100;

  private static final Coverage COVERAGE = new Coverage(TRIES);

  BudgetsReferenceTest() {
    super(TRIES, COVERAGE);
  }

  @Provide
  @Override
  protected Arbitrary<History> histories() {
    return HistoryArbitraries.withBudgets(STEPS);
  }

  @AfterContainer
  static void casesWereNotTrivial() {
    if (COVERAGE.complete()) {
      COVERAGE.reached(Mark.PASS_PLACING, 0.06);
      COVERAGE.reached(Mark.PASS_PREEMPTING, 0.008);
      COVERAGE.reached(Mark.REFUSAL_BY_BUDGET, 0.01);
      COVERAGE.reached(Mark.REFUSAL_BY_SHARED_BUDGET, 0.001);
      COVERAGE.reached(Mark.PREEMPTION_WITHIN_BUDGET, 0.001);
      COVERAGE.reached(Mark.DRAIN_HELD_BY_BUDGET, 0.005);
      COVERAGE.reached(Mark.BUDGET_EXCEEDED, 0.05);
      COVERAGE.reached(Mark.DRAINED_BY_MIGRATION, 0.002);
      COVERAGE.reached(Mark.DRAINED_AT_DEADLINE, 0.002);
      COVERAGE.reached(Mark.REJECTION, 0.005);
    }
  }
}

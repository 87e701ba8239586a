package dev.berth.policies.qos;

import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.reference.CaseCoverage.Mark;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** With counted limits, beside taints, rules and preferences; for three policies. */
class LimitsReferenceTest extends EngineReferenceTest {

  private static final int TRIES = 5_000;
  private static final int STEPS = 100;

  private static final Coverage COVERAGE = new Coverage(TRIES);

  LimitsReferenceTest() {
    super(TRIES, COVERAGE);
  }

  @Provide
  @Override
  protected Arbitrary<History> histories() {
    return HistoryArbitraries.withLimits(STEPS);
  }

  @AfterContainer
  static void casesWereNotTrivial() {
    if (COVERAGE.complete()) {
      COVERAGE.reached(Mark.PASS_PLACING, 0.06);
      COVERAGE.reached(Mark.PASS_PREEMPTING, 0.008);
      COVERAGE.reached(Mark.REFUSAL_BY_LIMIT, 1.0);
      COVERAGE.reached(Mark.DRAIN_REFUSED_BY_LIMIT, 0.0002);
      COVERAGE.reached(Mark.PLACEMENT_WITH_LIMIT_PER_INSTANCE, 0.05);
      COVERAGE.reached(Mark.PLACEMENT_WITH_LIMIT_PER_HOST, 0.05);
      COVERAGE.reached(Mark.LIMIT_GIVEN_BACK_BY_VICTIMS, 0.005);
      COVERAGE.reached(Mark.EXPELLED_BY_TAINT, 0.002);
      COVERAGE.reached(Mark.LIMIT_EXCEEDED, 0.02);
    }
  }
}

package dev.berth.policies.qos;

import dev.berth.testkit.reference.CaseCoverage.Mark;
import dev.berth.testkit.reference.ReferencePolicy;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** With {@code qos-hysteresis}. */
class QosHysteresisReferenceTest extends EngineReferenceTest {

  private static final int TRIES = 8_000;

  private static final Coverage COVERAGE = new Coverage(TRIES);

  QosHysteresisReferenceTest() {
    super(TRIES, COVERAGE);
  }

  @Provide
  @Override
  protected Arbitrary<? extends ReferencePolicy> policies() {
    return Policies.qosHysteresis();
  }

  @AfterContainer
  static void casesWereNotTrivial() {
    if (COVERAGE.complete()) {
      COVERAGE.reached(Mark.PASS_PLACING, 0.2);
      COVERAGE.reached(Mark.PASS_PREEMPTING, 0.05);
      COVERAGE.reached(Mark.PREEMPTION_BY_RULE_A, 0.03);
      COVERAGE.reached(Mark.PREEMPTION_BY_RULE_B, 0.02);
      COVERAGE.reached(Mark.PREEMPTION_BY_RULE_C, 0.02);
      COVERAGE.reached(Mark.REFUSAL_BY_OVERHEAD_LIMIT, 0.02);
      COVERAGE.reached(Mark.REFUSAL_BY_RESTART_SHARE, 0.0001);
      COVERAGE.reachedTheUsual(0.001);
    }
  }
}

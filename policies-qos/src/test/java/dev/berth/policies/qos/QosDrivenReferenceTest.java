package dev.berth.policies.qos;

import dev.berth.testkit.reference.CaseCoverage.Mark;
import dev.berth.testkit.reference.ReferencePolicy;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** With {@code qos-driven}. */
class QosDrivenReferenceTest extends EngineReferenceTest {

  private static final int TRIES = 2_000;

  private static final Coverage COVERAGE = new Coverage(TRIES);

  QosDrivenReferenceTest() {
    super(TRIES, COVERAGE);
  }

  @Provide
  @Override
  protected Arbitrary<? extends ReferencePolicy> policies() {
    return Policies.qosDriven();
  }

  @AfterContainer
  static void casesWereNotTrivial() {
    if (COVERAGE.complete()) {
      COVERAGE.reached(Mark.PASS_PLACING, 0.2);
      COVERAGE.reached(Mark.PASS_PREEMPTING, 0.08);
      COVERAGE.reached(Mark.PREEMPTION_BY_RULE_A, 0.04);
      COVERAGE.reached(Mark.PREEMPTION_BY_RULE_B, 0.03);
      COVERAGE.reached(Mark.PREEMPTION_BY_RULE_C, 0.05);
      COVERAGE.reached(Mark.REFUSAL_BY_OVERHEAD_LIMIT, 0.015);
      COVERAGE.reached(Mark.REFUSAL_BY_PREEMPTION_LIMIT, 0.02);
      COVERAGE.reached(Mark.TIE_IN_QUEUE, 0.3);
      COVERAGE.reached(Mark.PREEMPTION_OF_STARTING, 0.001);
      COVERAGE.reachedTheUsual(0.001);
    }
  }
}

package dev.berth.policies.qos;

import dev.berth.testkit.reference.CaseCoverage.Mark;
import dev.berth.testkit.reference.ReferencePolicy;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** With {@code priority}. */
class PriorityReferenceTest extends EngineReferenceTest {

  private static final int TRIES = 3_000;

  private static final Coverage COVERAGE = new Coverage(TRIES);

  PriorityReferenceTest() {
    super(TRIES, COVERAGE);
  }

  @Provide
  @Override
  protected Arbitrary<? extends ReferencePolicy> policies() {
    return Policies.priorityBased();
  }

  @AfterContainer
  static void casesWereNotTrivial() {
    if (COVERAGE.complete()) {
      COVERAGE.reached(Mark.PASS_PLACING, 0.2);
      COVERAGE.reached(Mark.PASS_PREEMPTING, 0.02);
      COVERAGE.reached(Mark.PREEMPTION_BY_PRIORITY, 0.02);
      COVERAGE.reached(Mark.PREEMPTION_OF_STARTING, 0.0005);
      COVERAGE.reached(Mark.STOPPED, 0.005);
      COVERAGE.reachedTheUsual(0.0005);
    }
  }
}

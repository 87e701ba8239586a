package dev.berth.policies.qos;

import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.reference.CaseCoverage.Mark;
import dev.berth.testkit.reference.ReferencePolicy;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** With {@code qos-attained}, after jobs from which it learns. */
class QosAttainedReferenceTest extends EngineReferenceTest {

  private static final int TRIES = 1_500;
  private static final int STEPS = 100;

  private static final Coverage COVERAGE = new Coverage(TRIES);

  QosAttainedReferenceTest() {
    super(TRIES, COVERAGE);
  }

  @Provide
  @Override
  protected Arbitrary<? extends ReferencePolicy> policies() {
    return Policies.qosAttained();
  }

  @Provide
  @Override
  protected Arbitrary<History> histories() {
    return HistoryArbitraries.withJobs(STEPS);
  }

  @AfterContainer
  static void casesWereNotTrivial() {
    if (COVERAGE.complete()) {
      COVERAGE.reached(Mark.PASS_PLACING, 0.1);
      COVERAGE.reached(Mark.PASS_PREEMPTING, 0.015);
      COVERAGE.reached(Mark.PREEMPTION_BY_RULE_B, 0.01);
      COVERAGE.reached(Mark.PREEMPTION_BY_RULE_G, 0.015);
      COVERAGE.reached(Mark.PREEMPTION_BY_RULE_S, 0.003);
      COVERAGE.reached(Mark.REFUSAL_BY_OVERHEAD_LIMIT, 0.003);
      COVERAGE.reached(Mark.REFUSAL_BY_LOST_PROGRESS, 0.1);
      COVERAGE.reached(Mark.PREEMPTION_LOSING_PROGRESS, 0.002);
      COVERAGE.reached(Mark.RUN_TIME_EXPECTED, 0.05);
      COVERAGE.reached(Mark.BEYOND_RESCUE, 0.4);
      COVERAGE.reached(Mark.WAITED_LONGEST, 0.01);
      COVERAGE.reached(Mark.REFUSAL_BY_QUANTUM, 0.001);
      COVERAGE.reachedTheUsual(0.0005);
    }
  }
}

package dev.berth.policies.qos;

import dev.berth.testkit.contract.ReferenceContractTest;
import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.generators.Histories;
import dev.berth.testkit.history.History;
import dev.berth.testkit.reference.ReferencePolicy;
import dev.berth.testkit.reference.Tally;
import dev.berth.testkit.reference.Tally.Mark;
import java.time.Duration;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * The engine with {@code qos-driven} gives the plans of the reference model, to the last action.
 */
class QosDrivenReferenceTest extends ReferenceContractTest {

  private static final int TRIES = 12_000;

  private static final Coverage COVERAGE = new Coverage(TRIES);

  @Override
  protected EventTarget start(ReferencePolicy policy, Setting setting) {
    return Policies.start(policy, setting);
  }

  @Override
  protected Optional<Duration> watchdog() {
    return Optional.of(Policies.WATCHDOG);
  }

  @Override
  protected int tries() {
    return TRIES;
  }

  @Provide
  @Override
  protected Arbitrary<History> histories() {
    return Histories.ofUpTo(100);
  }

  @Provide
  @Override
  protected Arbitrary<? extends ReferencePolicy> policies() {
    return Policies.qosDriven();
  }

  @Override
  protected void cameAcross(Tally tally) {
    COVERAGE.add(tally);
  }

  @AfterContainer
  static void casesWereNotTrivial() {
    if (COVERAGE.complete()) {
      COVERAGE.reached(Mark.PASS_PLACING, 0.2);
      COVERAGE.reached(Mark.PASS_PREEMPTING, 0.1);
      COVERAGE.reached(Mark.PREEMPTION_BY_RULE_A, 0.05);
      COVERAGE.reached(Mark.PREEMPTION_BY_RULE_B, 0.03);
      COVERAGE.reached(Mark.PREEMPTION_BY_RULE_C, 0.05);
      COVERAGE.reached(Mark.REFUSAL_BY_OVERHEAD_LIMIT, 0.05);
      COVERAGE.reached(Mark.TIE_IN_QUEUE, 0.3);
      COVERAGE.reachedTheUsual(0.001);
    }
  }
}

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

/** The engine with {@code priority} gives the plans of the reference model, to the last action. */
class PriorityReferenceTest extends ReferenceContractTest {

  private static final int TRIES = 6_000;

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
    return Policies.priorityBased();
  }

  @Override
  protected void cameAcross(Tally tally) {
    COVERAGE.add(tally);
  }

  @AfterContainer
  static void casesWereNotTrivial() {
    if (COVERAGE.complete()) {
      COVERAGE.reached(Mark.PASS_PLACING, 0.2);
      COVERAGE.reached(Mark.PASS_PREEMPTING, 0.02);
      COVERAGE.reached(Mark.PREEMPTION_BY_PRIORITY, 0.02);
      COVERAGE.reachedTheUsual(0.0005);
    }
  }
}

package dev.berth.policies.qos;

import dev.berth.testkit.contract.ReferenceContractTest;
import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.reference.CaseCoverage;
import dev.berth.testkit.reference.ReferencePolicy;
import java.time.Duration;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;

/** The engine gives the plans of the reference model, to the last action. */
abstract class EngineReferenceTest extends ReferenceContractTest {

  private static final int STEPS = 100;

  private final int tries;
  private final Coverage coverage;

  EngineReferenceTest(int tries, Coverage coverage) {
    this.tries = tries;
    this.coverage = coverage;
  }

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
    return tries;
  }

  /** Three policies; one of them in tests of a single policy. */
  @Provide
  @Override
  protected Arbitrary<? extends ReferencePolicy> policies() {
    return Arbitraries.oneOf(
        Policies.qosDriven(), Policies.qosHysteresis(), Policies.priorityBased());
  }

  @Provide
  @Override
  protected Arbitrary<History> histories() {
    return HistoryArbitraries.ofUpTo(STEPS);
  }

  @Override
  protected void recordCoverage(CaseCoverage reached) {
    coverage.add(reached);
  }
}

package dev.berth.policies.qos;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;
import java.time.Duration;

/** With a known overhead and {@code quantum}. */
class QosHysteresisWithQuantumContractTest extends PolicyContractTest<QosHysteresisConfig> {

  @Override
  protected PolicyFactory<QosHysteresisConfig> factory() {
    return new QosHysteresisFactory();
  }

  @Override
  protected QosHysteresisConfig config() {
    QosHysteresisConfig defaults = factory().defaults(expectedOverhead());
    return new QosHysteresisConfig(
        defaults.restartShare(),
        defaults.expectedOverhead(),
        true,
        defaults.overload(),
        defaults.watchdog(),
        defaults.allocationScore());
  }

  @Override
  protected Duration expectedOverhead() {
    return Duration.ofMillis(2_370);
  }

  @Override
  protected double mostRestarts() {
    return PaidSwitchRule.MOST_SHARES * config().restartShare();
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(
            Capability.PREEMPTS_STARTING,
            Capability.DEFERS,
            Capability.ADJUSTS,
            Capability.SPARES_PROGRESS,
            Capability.SPACES_PREEMPTIONS);
  }
}

package dev.berth.policies.qos;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;

/** With {@code overload=fulfilment}. */
class QosHysteresisForFulfilmentContractTest extends PolicyContractTest<QosHysteresisConfig> {

  @Override
  protected PolicyFactory<QosHysteresisConfig> factory() {
    return new QosHysteresisFactory();
  }

  @Override
  protected QosHysteresisConfig config() {
    QosHysteresisConfig defaults = factory().defaults();
    return new QosHysteresisConfig(
        defaults.restartShare(),
        defaults.expectedOverhead(),
        Overload.FULFILMENT,
        defaults.watchdog(),
        defaults.allocationScore());
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
            Capability.ADJUSTS,
            // It aims above the objectives, and guests give way however much they lack.
            Capability.RESPECTS_MARGINS,
            Capability.SPARES_PROGRESS,
            Capability.SPACES_PREEMPTIONS,
            // It remembers who was a guest when it was placed, which no snapshot tells.
            Capability.STATELESS,
            // With more capacity an earlier instance may be kept, and a later one shed for it.
            Capability.MONOTONE);
  }
}

package dev.berth.policies.qos;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;

/** Learns what a switch costs from the restarts of each instance. */
class QosHysteresisContractTest extends PolicyContractTest<QosHysteresisConfig> {

  @Override
  protected PolicyFactory<QosHysteresisConfig> factory() {
    return new QosHysteresisFactory();
  }

  @Override
  protected double mostRestarts() {
    return PaidSwitchRule.MOST_SHARES * config().restartShare();
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(Capability.PREEMPTS_STARTING, Capability.DEFERS, Capability.ADJUSTS);
  }
}

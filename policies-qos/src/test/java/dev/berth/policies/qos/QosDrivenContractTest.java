package dev.berth.policies.qos;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;

class QosDrivenContractTest extends PolicyContractTest<QosDrivenConfig> {

  @Override
  protected PolicyFactory<QosDrivenConfig> factory() {
    return new QosDrivenFactory();
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(
            Capability.PREEMPTS_STARTING,
            Capability.DEFERS,
            Capability.ADJUSTS,
            Capability.BOUNDS_SWITCHING, // it switches for any difference
            Capability.SPARES_PROGRESS,
            Capability.SPACES_PREEMPTIONS);
  }
}

package dev.berth.policies.qos;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;

class QosAttainedContractTest extends PolicyContractTest<QosAttainedConfig> {

  @Override
  protected PolicyFactory<QosAttainedConfig> factory() {
    return new QosAttainedFactory();
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(
            Capability.PREEMPTS_STARTING,
            Capability.DEFERS,
            Capability.ADJUSTS,
            Capability.RESPECTS_MARGINS); // one that is beyond rescue may yield
  }
}

package dev.berth.policies.qos;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;

class PriorityContractTest extends PolicyContractTest<PriorityConfig> {

  @Override
  protected PolicyFactory<PriorityConfig> factory() {
    return new PriorityFactory();
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(
            Capability.PREEMPTS_STARTING,
            Capability.DEFERS,
            Capability.ADJUSTS,
            Capability.RESPECTS_MARGINS); // it ignores the objectives of classes
  }
}

package dev.berth.policies.memory;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;

class DedicatedContractTest extends PolicyContractTest<DedicatedConfig> {

  @Override
  protected PolicyFactory<DedicatedConfig> factory() {
    return new DedicatedFactory();
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(
            Capability.PREEMPTS,
            Capability.RESIZES,
            Capability.SUSPENDS,
            Capability.MIGRATES,
            Capability.REJECTS,
            Capability.SCALES,
            Capability.ASSIGNS,
            Capability.CONSERVES_WORK); // an instance excludes all others from its host
  }
}

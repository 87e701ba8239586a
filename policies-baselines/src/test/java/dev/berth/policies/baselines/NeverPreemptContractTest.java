package dev.berth.policies.baselines;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;

class NeverPreemptContractTest extends PolicyContractTest<NeverPreemptConfig> {

  @Override
  protected PolicyFactory<NeverPreemptConfig> factory() {
    return new NeverPreemptFactory();
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(
            Capability.PREEMPTS,
            Capability.PREEMPTS_STARTING,
            Capability.DEFERS,
            Capability.ADJUSTS,
            Capability.RESPECTS_MARGINS);
  }
}

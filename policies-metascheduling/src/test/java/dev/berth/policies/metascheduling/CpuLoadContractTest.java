package dev.berth.policies.metascheduling;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;

class CpuLoadContractTest extends PolicyContractTest<NoSettings> {

  @Override
  protected PolicyFactory<NoSettings> factory() {
    return MetaschedulingPolicies.CPU_LOAD;
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all().without(Capability.PREEMPTS, Capability.DEFERS, Capability.ADJUSTS);
  }
}

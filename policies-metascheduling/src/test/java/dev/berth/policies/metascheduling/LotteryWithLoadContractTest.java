package dev.berth.policies.metascheduling;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;

class LotteryWithLoadContractTest extends PolicyContractTest<LoadConfig> {

  @Override
  protected PolicyFactory<LoadConfig> factory() {
    return MetaschedulingPolicies.LOTTERY_WITH_LOAD;
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(
            Capability.PREEMPTS,
            Capability.DEFERS,
            Capability.ADJUSTS,
            Capability.IGNORES_HOST_ORDER); // draws depend on the order of hosts
  }
}

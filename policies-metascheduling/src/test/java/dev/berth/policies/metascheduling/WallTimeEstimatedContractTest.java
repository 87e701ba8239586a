package dev.berth.policies.metascheduling;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;

class WallTimeEstimatedContractTest extends PolicyContractTest<LoadConfig> {

  @Override
  protected PolicyFactory<LoadConfig> factory() {
    return MetaschedulingPolicies.WALL_TIME_ESTIMATED;
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all().without(Capability.PREEMPTS, Capability.DEFERS, Capability.ADJUSTS);
  }
}

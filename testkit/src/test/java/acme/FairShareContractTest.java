package acme;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;

/** The policy that the guide shows obeys the contract that the guide explains. */
class FairShareContractTest extends PolicyContractTest<FairShareFactory.Config> {

  @Override
  protected PolicyFactory<FairShareFactory.Config> factory() {
    return new FairShareFactory();
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all().without(Capability.PREEMPTS, Capability.DEFERS, Capability.ADJUSTS);
  }
}

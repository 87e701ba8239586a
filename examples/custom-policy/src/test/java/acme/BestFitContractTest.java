package acme;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;

/** What every policy is held to: forty-one tests, all of them inherited. */
class BestFitContractTest extends PolicyContractTest<BestFit.Config> {

  @Override
  protected PolicyFactory<BestFit.Config> factory() {
    return new BestFit();
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all().without(Capability.PREEMPTS, Capability.DEFERS, Capability.ADJUSTS);
  }
}

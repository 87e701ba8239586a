package acme;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;

/** The policy of the guide that preempts obeys the contract, so its hints change no plan. */
class LeastLostContractTest extends PolicyContractTest<LeastLost.Config> {

  @Override
  protected PolicyFactory<LeastLost.Config> factory() {
    return new LeastLost();
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(
            Capability.PREEMPTS_STARTING,
            Capability.DEFERS,
            Capability.ADJUSTS,
            Capability.RESPECTS_MARGINS,
            Capability.BOUNDS_SWITCHING,
            Capability.SPARES_PROGRESS,
            Capability.SPACES_PREEMPTIONS);
  }
}

package dev.berth.policies.qos;

import dev.berth.api.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;

class BestFitContractTest extends PolicyContractTest<BestFitConfig> {

  @Override
  protected PolicyFactory<BestFitConfig> factory() {
    return new BestFitFactory();
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

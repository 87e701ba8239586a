package dev.berth.policies.baselines;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;

class QueueDepthContractTest extends PolicyContractTest<QueueDepthConfig> {

  @Override
  protected PolicyFactory<QueueDepthConfig> factory() {
    return new QueueDepthFactory();
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(
            Capability.PREEMPTS,
            Capability.DEFERS,
            Capability.RESIZES,
            Capability.SUSPENDS,
            Capability.MIGRATES,
            Capability.REJECTS,
            Capability.MOLDS,
            Capability.ASSIGNS,
            Capability.STATELESS, // it remembers its cool-downs
            Capability.IGNORES_HOST_ORDER);
  }
}

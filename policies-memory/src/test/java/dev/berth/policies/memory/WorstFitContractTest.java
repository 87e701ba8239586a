package dev.berth.policies.memory;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;
import dev.berth.testkit.history.History;
import net.jqwik.api.Arbitrary;

class WorstFitContractTest extends PolicyContractTest<FitConfig> {

  @Override
  protected PolicyFactory<FitConfig> factory() {
    return new WorstFitFactory();
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(
            Capability.PREEMPTS,
            Capability.REJECTS,
            Capability.SCALES,
            Capability.ASSIGNS,
            Capability.CONSERVES_WORK, // the queue waits for its head
            Capability.MONOTONE); // a departure may make room for a migration
  }

  @Override
  protected Arbitrary<History> histories() {
    return ReportedHistories.histories();
  }
}

package dev.berth.policies.memory;

import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;
import dev.berth.testkit.history.History;
import net.jqwik.api.Arbitrary;

/** The contract of policies that correct the memory of running instances. */
abstract class ElasticityContractTest<C extends Record> extends PolicyContractTest<C> {

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

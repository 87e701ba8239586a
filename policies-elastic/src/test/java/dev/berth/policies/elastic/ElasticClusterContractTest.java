package dev.berth.policies.elastic;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;
import dev.berth.testkit.history.History;
import net.jqwik.api.Arbitrary;

class ElasticClusterContractTest extends PolicyContractTest<ElasticClusterConfig> {

  @Override
  protected PolicyFactory<ElasticClusterConfig> factory() {
    return ElasticPolicies.ELASTIC_CLUSTER;
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(
            Capability.PREEMPTS,
            Capability.RESIZES,
            Capability.SUSPENDS,
            Capability.REJECTS,
            Capability.MOLDS,
            Capability.CONSERVES_WORK,
            Capability.MONOTONE,
            Capability.IGNORES_HOST_ORDER);
  }

  @Override
  protected Arbitrary<History> histories() {
    return SharedHistories.histories();
  }
}

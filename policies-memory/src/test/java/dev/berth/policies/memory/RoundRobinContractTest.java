package dev.berth.policies.memory;

import dev.berth.api.policy.PolicyFactory;

/** Stateless: the cluster itself shows the host of the latest placement. */
class RoundRobinContractTest extends ElasticityContractTest<RoundRobinConfig> {

  @Override
  protected PolicyFactory<RoundRobinConfig> factory() {
    return new RoundRobinFactory();
  }
}

package dev.berth.policies.memory;

import dev.berth.api.policy.PolicyFactory;

class MemicContractTest extends ElasticityContractTest<MemicConfig> {

  @Override
  protected PolicyFactory<MemicConfig> factory() {
    return new MemicFactory();
  }
}

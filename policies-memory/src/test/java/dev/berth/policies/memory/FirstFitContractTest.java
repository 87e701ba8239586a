package dev.berth.policies.memory;

import dev.berth.api.policy.PolicyFactory;

class FirstFitContractTest extends ElasticityContractTest<FitConfig> {

  @Override
  protected PolicyFactory<FitConfig> factory() {
    return FitFactory.FIRST_FIT;
  }
}

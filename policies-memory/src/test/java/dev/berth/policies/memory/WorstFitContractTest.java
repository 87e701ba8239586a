package dev.berth.policies.memory;

import dev.berth.api.policy.PolicyFactory;

class WorstFitContractTest extends ElasticityContractTest<FitConfig> {

  @Override
  protected PolicyFactory<FitConfig> factory() {
    return FitFactory.WORST_FIT;
  }
}

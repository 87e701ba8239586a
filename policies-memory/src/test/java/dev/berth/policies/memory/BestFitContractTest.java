package dev.berth.policies.memory;

import dev.berth.api.policy.PolicyFactory;

class BestFitContractTest extends ElasticityContractTest<FitConfig> {

  @Override
  protected PolicyFactory<FitConfig> factory() {
    return FitFactory.BEST_FIT;
  }
}

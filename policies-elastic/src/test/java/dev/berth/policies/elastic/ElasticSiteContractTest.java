package dev.berth.policies.elastic;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;

class ElasticSiteContractTest extends PolicyContractTest<ElasticSiteConfig> {

  @Override
  protected PolicyFactory<ElasticSiteConfig> factory() {
    return ElasticPolicies.ELASTIC_SITE;
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(
            Capability.PREEMPTS,
            Capability.RESIZES,
            Capability.SUSPENDS,
            Capability.MIGRATES,
            Capability.REJECTS,
            Capability.MOLDS,
            Capability.CONSERVES_WORK,
            Capability.MONOTONE,
            Capability.IGNORES_HOST_ORDER);
  }
}

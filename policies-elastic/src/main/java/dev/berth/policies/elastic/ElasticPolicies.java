package dev.berth.policies.elastic;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyProvider;
import java.util.List;

/** The policies of this module: {@code elastic-cluster} and {@code elastic-site}. */
public final class ElasticPolicies implements PolicyProvider {

  /** Used by {@link java.util.ServiceLoader}. */
  public ElasticPolicies() {}

  @Override
  public List<PolicyFactory<?>> factories() {
    return List.of(new ElasticClusterFactory(), new ElasticSiteFactory());
  }
}

package dev.berth.policies.elastic;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyProvider;
import java.time.Duration;
import java.util.List;

/** The policies of this module: {@code elastic-cluster} and {@code elastic-site}. */
public final class ElasticPolicies implements PolicyProvider {

  static final PolicyFactory<ElasticClusterConfig> ELASTIC_CLUSTER =
      new PoolPolicyFactory<>(
          "elastic-cluster",
          "runs bags of tasks on clusters of hosts that it grows, shrinks and reuses",
          new ElasticClusterConfig(
              "",
              Duration.ofSeconds(13),
              0.65,
              140,
              TimeToLive.MAKESPAN,
              Duration.ofSeconds(60),
              Duration.ofMinutes(10),
              Duration.ofMinutes(1),
              false,
              false),
          ElasticCluster::new);

  static final PolicyFactory<ElasticSiteConfig> ELASTIC_SITE =
      new PoolPolicyFactory<>(
          "elastic-site",
          "runs each bag of tasks on a new cluster of hosts, one at a time",
          new ElasticSiteConfig(
              "",
              Duration.ofSeconds(13),
              TimeToLive.MAKESPAN,
              Duration.ofSeconds(60),
              Duration.ofMinutes(10),
              Duration.ofMinutes(1),
              true),
          ElasticSite::new);

  /** Used by {@link java.util.ServiceLoader}. */
  public ElasticPolicies() {}

  @Override
  public List<PolicyFactory<?>> factories() {
    return List.of(ELASTIC_CLUSTER, ELASTIC_SITE);
  }
}

package dev.berth.policies.elastic;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.RequestDetail;
import java.time.Duration;
import java.util.Set;

/** Creates {@code elastic-cluster}: clusters that grow, shrink and are reused. */
final class ElasticClusterFactory implements PolicyFactory<ElasticClusterConfig> {

  @Override
  public String id() {
    return "elastic-cluster";
  }

  @Override
  public String summary() {
    return "runs bags of tasks on clusters of hosts that it grows, shrinks and reuses";
  }

  @Override
  public ElasticClusterConfig defaults() {
    return new ElasticClusterConfig(
        "",
        Duration.ofSeconds(13),
        0.65,
        140,
        TimeToLive.MAKESPAN,
        Duration.ofSeconds(60),
        Duration.ofMinutes(10),
        Duration.ofMinutes(1),
        false,
        false);
  }

  @Override
  public Set<RequestDetail> requiredDetails(ElasticClusterConfig config) {
    return Set.of(RequestDetail.RUN_TIME);
  }

  @Override
  public Policy create(ElasticClusterConfig config, PolicyContext context) {
    return new ElasticCluster(config);
  }
}

package dev.berth.policies.elastic;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.RequestDetail;
import java.time.Duration;
import java.util.Set;

/** Creates {@code elastic-site}: a new cluster for each bag of tasks, one at a time. */
final class ElasticSiteFactory implements PolicyFactory<ElasticSiteConfig> {

  @Override
  public String id() {
    return "elastic-site";
  }

  @Override
  public String summary() {
    return "runs each bag of tasks on a new cluster of hosts, one at a time";
  }

  @Override
  public ElasticSiteConfig defaults() {
    return new ElasticSiteConfig(
        "",
        Duration.ofSeconds(13),
        TimeToLive.MAKESPAN,
        Duration.ofSeconds(60),
        Duration.ofMinutes(10),
        Duration.ofMinutes(1),
        true);
  }

  @Override
  public Set<RequestDetail> requiredDetails(ElasticSiteConfig config) {
    return Set.of(RequestDetail.RUN_TIME);
  }

  @Override
  public Policy create(ElasticSiteConfig config, PolicyContext context) {
    return new ElasticSite(config);
  }
}

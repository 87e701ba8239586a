package dev.berth.experiments.studies.elastic;

import dev.berth.experiments.spec.PolicySpec;
import dev.berth.policies.elastic.ClusterSizing.Limits;
import dev.berth.report.Numbers;
import java.util.List;

/** The policies that the studies of elastic clusters compare. */
final class ElasticPolicies {

  private ElasticPolicies() {}

  /** Returns ElasticCluster with limits and a rule for the time to live. */
  static PolicySpec cluster(Limits limits, String timeToLive) {
    return PolicySpec.of(
        "elastic-cluster, %s%s"
            .formatted(named(limits), timeToLive.equals("published") ? ", published" : ""),
        "elastic-cluster",
        "{\"maxHosts\":%s,\"maxUtilisation\":%s,\"timeToLive\":\"%s\"}"
            .formatted(limits.maxHosts(), limits.maxUtilisation(), timeToLive));
  }

  /** Returns ElasticCluster that releases hosts which the last tasks of a bag leave idle. */
  static PolicySpec trimmed(Limits limits) {
    return PolicySpec.of(
        "elastic-cluster, %s, trimmed".formatted(named(limits)),
        "elastic-cluster",
        "{\"maxHosts\":%s,\"maxUtilisation\":%s,\"trim\":true}"
            .formatted(limits.maxHosts(), limits.maxUtilisation()));
  }

  /** Returns ElasticSite with a rule for the time to live. */
  static PolicySpec site(String timeToLive) {
    return PolicySpec.of(
        "elastic-site" + (timeToLive.equals("published") ? ", published" : ""),
        "elastic-site",
        "{\"timeToLive\":\"%s\"}".formatted(timeToLive));
  }

  /**
   * Returns the autoscaler with and without a limit. Without one it asks for a host for every
   * waiting task.
   *
   * @param wanted the limit: the sum of the hosts that the bags are worth
   */
  static List<PolicySpec> autoscalers(int wanted) {
    return List.of(
        PolicySpec.of(
            "queue-depth, at most " + wanted, "queue-depth", "{\"maxHosts\":%s}".formatted(wanted)),
        PolicySpec.of("queue-depth"));
  }

  /** Returns limits as tables name them: {@code "70, .35"}. */
  static String named(Limits limits) {
    return "%s, %s".formatted(limits.maxHosts(), share(limits.maxUtilisation()));
  }

  /** Returns a utilisation as tables name it: {@code ".35"}. */
  static String share(double utilisation) {
    return Numbers.fixed(utilisation, 2).substring(1);
  }
}

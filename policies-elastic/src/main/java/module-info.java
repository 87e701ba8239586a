/** ElasticCluster and ElasticSite: clusters of hosts that grow and shrink. */
module dev.berth.policies.elastic {
  requires transitive dev.berth.api;
  requires static transitive org.jspecify;

  exports dev.berth.policies.elastic;

  // Configurations are bound from JSON by reflection.
  opens dev.berth.policies.elastic;

  provides dev.berth.api.policy.PolicyProvider with
      dev.berth.policies.elastic.ElasticPolicies;
}

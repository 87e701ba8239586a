/** Choosing a site with little information. */
module dev.berth.policies.metascheduling {
  requires dev.berth.api;
  requires static transitive org.jspecify;

  // Configurations are bound from JSON by reflection.
  opens dev.berth.policies.metascheduling;

  provides dev.berth.api.policy.PolicyProvider with
      dev.berth.policies.metascheduling.MetaschedulingPolicies;
}

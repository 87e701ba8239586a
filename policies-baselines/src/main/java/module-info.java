/** Baselines that belong to no paper. */
module dev.berth.policies.baselines {
  requires dev.berth.api;
  requires static transitive org.jspecify;

  // Configurations are bound from JSON by reflection.
  opens dev.berth.policies.baselines;

  provides dev.berth.api.policy.PolicyProvider with
      dev.berth.policies.baselines.BaselinePolicies;
}

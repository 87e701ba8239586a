/**
 * Memory-aware scheduling: MEMiC, the elasticity controller, and the queue disciplines' policies.
 */
module dev.berth.policies.memory {
  requires transitive dev.berth.api;
  requires static transitive org.jspecify;

  exports dev.berth.policies.memory;

  // Configurations are bound from JSON by reflection.
  opens dev.berth.policies.memory;

  provides dev.berth.api.policy.PolicyProvider with
      dev.berth.policies.memory.MemoryPolicies;
}

/** QoS-driven scheduling and its priority-based baseline. */
module dev.berth.policies.qos {
  requires dev.berth.api;
  requires static transitive org.jspecify;

  // Configurations are bound from JSON by reflection.
  opens dev.berth.policies.qos;

  provides dev.berth.api.policy.PolicyProvider with
      dev.berth.policies.qos.QosPolicies;
}

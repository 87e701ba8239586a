/** A named module with a policy of its own and a program that embeds Berth. */
module acme.scheduling {
  requires dev.berth.core;

  provides dev.berth.api.policy.PolicyProvider with
      acme.scheduling.AcmePolicies;

  // The configuration is bound from JSON.
  opens acme.scheduling to
      com.fasterxml.jackson.databind;
}

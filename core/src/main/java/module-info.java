/**
 * The scheduler: the embedding API, the registry of policies, the binding of their configuration,
 * explanations, and the engine.
 */
module dev.berth.core {
  requires transitive dev.berth.api;
  requires transitive com.fasterxml.jackson.databind;
  requires com.google.common;
  requires static transitive org.jspecify;

  exports dev.berth.core;
  exports dev.berth.core.config;
  exports dev.berth.core.decision;
  exports dev.berth.core.error;
  exports dev.berth.core.explain;

  uses dev.berth.api.policy.PolicyProvider;
}

/**
 * The scheduler: the embedding API, the registry of policies, the binding of their configuration,
 * explanations, and the engine.
 */
@SuppressWarnings("module") // the modules that bind trees are compiled later
module dev.berth.core {
  requires transitive dev.berth.api;
  requires com.fasterxml.jackson.databind;
  requires com.google.common;
  requires jdk.jfr;
  requires static transitive org.jspecify;

  exports dev.berth.core;
  exports dev.berth.core.config;
  exports dev.berth.core.decision;
  exports dev.berth.core.error;
  exports dev.berth.core.event;
  exports dev.berth.core.explain;
  exports dev.berth.core.snapshot;

  // Its signatures have types of Jackson.
  exports dev.berth.core.config.tree to
      dev.berth.cli,
      dev.berth.experiments,
      dev.berth.kubernetes,
      dev.berth.testkit;

  uses dev.berth.api.policy.PolicyProvider;
}

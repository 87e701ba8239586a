/** The API that policy authors and embedders compile against. Depends on the JDK alone. */
module dev.berth.api {
  requires static transitive org.jspecify;

  exports dev.berth.api;
  exports dev.berth.api.batch;
  exports dev.berth.api.fleet;
  exports dev.berth.api.pipeline;
  exports dev.berth.api.plan;
  exports dev.berth.api.policy;
}

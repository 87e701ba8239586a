/** Simulates a scheduler: virtual clock, execution models, service-level accounting, metrics. */
module dev.berth.simulator {
  requires transitive dev.berth.core;
  requires com.google.common;
  requires HdrHistogram;
  requires org.apache.commons.statistics.descriptive;
  requires static transitive org.jspecify;

  exports dev.berth.simulator;
  exports dev.berth.simulator.execution;
  exports dev.berth.simulator.fleet;
  exports dev.berth.simulator.metrics;
  exports dev.berth.simulator.result;
  exports dev.berth.simulator.workload;
}

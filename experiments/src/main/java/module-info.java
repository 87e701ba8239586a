/** Experiments as data, and the published studies with their scenarios, claims and bounds. */
@SuppressWarnings("module") // the command is compiled later
module dev.berth.experiments {
  requires transitive dev.berth.report;
  requires transitive dev.berth.traces;
  requires dev.berth.policies.elastic;
  requires com.fasterxml.jackson.datatype.jdk8;
  requires com.google.common;
  requires org.apache.commons.statistics.descriptive;
  requires org.apache.commons.statistics.distribution;
  requires static transitive org.jspecify;

  // Configurations are bound by reflection.
  opens dev.berth.experiments.studies.slo to
      dev.berth.core;

  uses dev.berth.api.policy.PolicyProvider;
  uses dev.berth.traces.spi.FormatProvider;

  exports dev.berth.experiments.cluster;
  exports dev.berth.experiments.run;
  exports dev.berth.experiments.spec;
  exports dev.berth.experiments.store;
  exports dev.berth.experiments.figures to
      dev.berth.cli;
  exports dev.berth.experiments.page to
      dev.berth.cli;
  exports dev.berth.experiments.scenario to
      dev.berth.cli;
  exports dev.berth.experiments.study to
      dev.berth.cli;
  exports dev.berth.experiments.studies to
      dev.berth.cli;
  exports dev.berth.experiments.studies.qos to
      dev.berth.cli;
}

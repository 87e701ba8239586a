/**
 * Tests for policies, schedulers, fleets and trace formats: numbered rules, generators, a reference
 * model, assertions.
 */
module dev.berth.testkit {
  requires com.fasterxml.jackson.databind;
  requires static dev.berth.runtime; // for the contract of fleets alone
  requires transitive dev.berth.traces;
  requires transitive net.jqwik.api;
  requires transitive org.assertj.core;
  requires transitive org.junit.jupiter.api;
  requires static transitive org.jspecify;

  exports dev.berth.testkit;
  exports dev.berth.testkit.asserting;
  exports dev.berth.testkit.assertions;
  exports dev.berth.testkit.contract;
  exports dev.berth.testkit.event;
  exports dev.berth.testkit.fleet;
  exports dev.berth.testkit.format;
  exports dev.berth.testkit.generators;
  exports dev.berth.testkit.history;
  exports dev.berth.testkit.reference;
  exports dev.berth.testkit.rule;
  exports dev.berth.testkit.simulation;

  provides net.jqwik.api.SampleReportingFormat with
      dev.berth.testkit.contract.HistoryReport;
}

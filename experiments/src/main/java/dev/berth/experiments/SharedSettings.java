package dev.berth.experiments;

import dev.berth.experiments.ExperimentSpec.WorkloadSpec;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.simulator.Overheads;
import dev.berth.simulator.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings that all cases of an experiment share. The first built-in workload provides the
 * values that the specification leaves open.
 *
 * @param spec the specification
 */
record SharedSettings(ExperimentSpec spec) {

  /** Returns whether a workload comes with Berth. */
  static boolean isBuiltIn(WorkloadSpec workload) {
    return BuiltInWorkloads.names().contains(workload.from());
  }

  private Optional<Scenario> builtIn() {
    return spec.workloads().stream()
        .filter(SharedSettings::isBuiltIn)
        .findFirst()
        .map(each -> BuiltInWorkloads.get(each.from(), 0, Duration.ZERO));
  }

  /** Returns the longest time between two passes. */
  Duration watchdog() {
    return spec.watchdog()
        .orElseGet(
            () ->
                spec.workloads().stream()
                    .filter(SharedSettings::isBuiltIn)
                    .findFirst()
                    .map(each -> BuiltInWorkloads.watchdog(each.from()))
                    .orElse(RunSettings.WATCHDOG_OF_FILES));
  }

  /** Returns the safety margin of service classes that define none. */
  Duration margin() {
    return spec.margin().orElse(watchdog());
  }

  /** Returns the end of all runs. */
  Duration until() {
    return spec.until().or(() -> builtIn().map(Scenario::until)).orElse(RunSettings.UNTIL_OF_FILES);
  }

  /** Returns the times from placement to readiness. */
  Overheads overheads() {
    if (spec.overheads().isEmpty() && spec.hotOverheads().isEmpty()) {
      return builtIn().map(Scenario::overheads).orElse(RunSettings.OVERHEADS_OF_FILES);
    }
    List<Duration> cold =
        spec.overheads()
            .orElseGet(
                () ->
                    builtIn()
                        .map(Scenario::overheads)
                        .orElse(RunSettings.OVERHEADS_OF_FILES)
                        .cold());
    return new Overheads(cold, spec.hotOverheads().orElse(cold));
  }
}

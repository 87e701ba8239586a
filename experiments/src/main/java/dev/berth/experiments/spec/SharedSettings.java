package dev.berth.experiments.spec;

import dev.berth.core.config.Durations;
import dev.berth.experiments.run.RunSettings;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.experiments.spec.ExperimentSpec.WorkloadSpec;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.DecisionTimes;
import dev.berth.simulator.execution.Overheads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The settings that all cases of an experiment with the same watchdog and margin share.
 *
 * @param spec the specification
 * @param watchdog longest time between two passes
 * @param apart least time between two passes; 0: none
 * @param margin safety margin of service classes that define none
 * @param variant as {@link dev.berth.experiments.run.Case#variant}
 * @param until end of all runs
 * @param overheads times from placement to readiness
 * @param decisionTimes how long the scheduler is busy with each placement
 */
record SharedSettings(
    ExperimentSpec spec,
    Duration watchdog,
    Duration apart,
    Duration margin,
    String variant,
    Duration until,
    Overheads overheads,
    DecisionTimes decisionTimes) {

  /**
   * Returns the settings of an experiment: for each watchdog, one for each margin. The first
   * built-in workload provides the values that the specification leaves open.
   */
  static List<SharedSettings> of(ExperimentSpec spec) {
    Optional<String> name =
        spec.workloads().stream()
            .filter(SharedSettings::isBuiltIn)
            .findFirst()
            .map(WorkloadSpec::from);
    Optional<Scenario> builtIn = name.map(each -> BuiltInWorkloads.get(each, 0, Duration.ZERO));
    List<Duration> watchdogs =
        Objects.requireNonNullElseGet(
            spec.watchdog(),
            () ->
                List.of(
                    name.map(BuiltInWorkloads::watchdog).orElse(RunSettings.WATCHDOG_OF_FILES)));
    Overheads usual = builtIn.map(Scenario::overheads).orElse(RunSettings.OVERHEADS_OF_FILES);
    List<SharedSettings> all = new ArrayList<>();
    for (Duration watchdog : watchdogs) {
      List<Duration> margins = Objects.requireNonNullElse(spec.margin(), List.of(watchdog));
      for (Duration margin : margins) {
        List<String> varied = new ArrayList<>();
        if (watchdogs.size() > 1) {
          varied.add("watchdog " + Durations.format(watchdog));
        }
        if (margins.size() > 1) {
          varied.add("margin " + Durations.format(margin));
        }
        all.add(of(spec, watchdog, margin, String.join(", ", varied), builtIn, usual));
      }
    }
    return all;
  }

  private static SharedSettings of(
      ExperimentSpec spec,
      Duration watchdog,
      Duration margin,
      String variant,
      Optional<Scenario> builtIn,
      Overheads usual) {
    return new SharedSettings(
        spec,
        watchdog,
        Objects.requireNonNullElse(spec.apart(), Duration.ZERO),
        margin,
        variant,
        Optional.ofNullable(spec.until())
            .or(() -> builtIn.map(Scenario::until))
            .orElse(RunSettings.UNTIL_OF_FILES),
        overheads(spec, usual)
            .withTermination(Objects.requireNonNullElse(spec.termination(), Duration.ZERO)),
        RunSettings.decisionTimes(
            Optional.ofNullable(spec.decisionTimes()),
            Optional.ofNullable(spec.plainDecisionTimes())));
  }

  private static Overheads overheads(ExperimentSpec spec, Overheads usual) {
    if (spec.overheads() == null && spec.hotOverheads() == null) {
      return usual;
    }
    List<Duration> cold = Objects.requireNonNullElseGet(spec.overheads(), usual::cold);
    return new Overheads(cold, Objects.requireNonNullElse(spec.hotOverheads(), cold));
  }

  /** Returns whether a workload comes with Berth. */
  static boolean isBuiltIn(WorkloadSpec workload) {
    return BuiltInWorkloads.names().contains(workload.from());
  }
}

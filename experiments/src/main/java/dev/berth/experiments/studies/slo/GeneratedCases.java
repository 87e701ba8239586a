package dev.berth.experiments.studies.slo;

import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.experiments.scenario.GeneratedJobs;
import dev.berth.experiments.scenario.GeneratedJobs.Arrivals;
import dev.berth.experiments.scenario.GeneratedJobs.RunTimes;
import dev.berth.experiments.studies.slo.WorkThatEndsStudy.Compared;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Generated work that ends, and services that do not. */
final class GeneratedCases {

  private static final String CHOSEN = "the rule was chosen on these";
  private static final String OTHERS = "other cases";
  private static final double USUAL = 0.92;
  private static final double OVERLOAD = 1.1;

  private GeneratedCases() {}

  /** Returns the main cases. */
  static List<Compared> main() {
    return List.of(
        jobs(CHOSEN, RunTimes.LOG_NORMAL_13, Arrivals.POISSON, USUAL, false),
        jobs(CHOSEN, RunTimes.LOG_NORMAL_13, Arrivals.POISSON, OVERLOAD, false),
        jobs(CHOSEN, RunTimes.EXPONENTIAL, Arrivals.POISSON, OVERLOAD, false),
        builtIn("validation-1"),
        builtIn("validation-2"),
        builtIn("render-farm"),
        jobs(OTHERS, RunTimes.LOG_NORMAL_13, Arrivals.BURSTS, USUAL, false),
        jobs(OTHERS, RunTimes.LOG_NORMAL_13, Arrivals.BESIDE_SERVICES, USUAL, false));
  }

  /** Returns all cases. */
  static List<Compared> all() {
    List<Compared> all = new ArrayList<>();
    for (double load : new double[] {USUAL, OVERLOAD}) {
      for (RunTimes each : RunTimes.values()) {
        if (each != RunTimes.LOG_NORMAL_20) {
          all.add(jobs(CHOSEN, each, Arrivals.POISSON, load, false));
        }
      }
    }
    all.addAll(List.of(builtIn("validation-1"), builtIn("validation-2"), builtIn("render-farm")));
    for (double load : new double[] {0.7, 1, 1.3}) {
      all.add(jobs(OTHERS, RunTimes.LOG_NORMAL_13, Arrivals.POISSON, load, false));
    }
    for (RunTimes each : RunTimes.values()) {
      if (each != RunTimes.LOG_NORMAL_13) {
        all.add(jobs(OTHERS, each, Arrivals.POISSON, 1.3, false));
      }
    }
    all.add(jobs(OTHERS, RunTimes.LOG_NORMAL_20, Arrivals.POISSON, USUAL, false));
    all.add(jobs(OTHERS, RunTimes.LOG_NORMAL_20, Arrivals.POISSON, OVERLOAD, false));
    all.add(jobs(OTHERS, RunTimes.LOG_NORMAL_13, Arrivals.POISSON, USUAL, true));
    all.add(jobs(OTHERS, RunTimes.LOG_NORMAL_13, Arrivals.POISSON, OVERLOAD, true));
    for (Arrivals each : Arrivals.values()) {
      if (each != Arrivals.POISSON) {
        all.add(jobs(OTHERS, RunTimes.LOG_NORMAL_13, each, USUAL, false));
        all.add(jobs(OTHERS, RunTimes.EXPONENTIAL, each, USUAL, false));
      }
    }
    return all;
  }

  private static Compared jobs(
      String group, RunTimes runTimes, Arrivals arrivals, double load, boolean known) {
    GeneratedJobs jobs = new GeneratedJobs(runTimes, arrivals, load, known);
    Duration watchdog = GeneratedJobs.WATCHDOG;
    return new Compared(
        jobs.name(),
        group,
        seed ->
            HysteresisStudy.settings(jobs.scenario(jobs.name(), watchdog, seed), watchdog, seed));
  }

  private static Compared builtIn(String name) {
    Duration watchdog = BuiltInWorkloads.watchdog(name);
    return new Compared(
        name,
        CHOSEN,
        seed ->
            HysteresisStudy.settings(BuiltInWorkloads.get(name, seed, watchdog), watchdog, seed));
  }
}

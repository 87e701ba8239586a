package dev.berth.experiments.studies.qos;

import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.run.RunSettings;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.experiments.study.Study;
import dev.berth.experiments.study.StudyRun;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.RequestOutcome;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Runs both policies on a validation workload, as {@code berth compare} does. */
final class ValidationRuns {

  /** The compared policies. */
  static final List<String> POLICIES = List.of("qos-driven", "priority");

  private ValidationRuns() {}

  /**
   * Runs both policies.
   *
   * @param workload its name
   * @param seeds number of seeds
   */
  static StudyRuns of(String workload, int seeds, Study.Setting setting) {
    Duration watchdog = BuiltInWorkloads.WATCHDOG;
    return StudyRuns.inSettings(
        POLICIES.stream().map(PolicySpec::of).toList(),
        seed ->
            new RunSettings(
                BuiltInWorkloads.get(workload, seed, watchdog),
                watchdog,
                watchdog,
                List.of(),
                seed),
        seeds,
        setting);
  }

  /** Returns the service classes, most important first, as a run has them. */
  static List<ClassFigures> classes(StudyRuns runs) {
    return runs.first(POLICIES.get(0)).result().classes().stream().map(ClassFigures::of).toList();
  }

  /** Returns a figure of a service class in each run. */
  static List<Double> figures(
      List<StudyRun> runs, String serviceClass, Figure<ClassResult> figure) {
    return runs.stream().map(run -> figures(run, serviceClass).only(figure).orElseThrow()).toList();
  }

  /** Returns the figures of a service class in a run. */
  static ClassFigures figures(StudyRun run, String serviceClass) {
    return ClassFigures.of(run.result(), serviceClass).orElseThrow();
  }

  /** Returns the outcomes of a run in order of arrival. */
  static List<RequestOutcome> byArrival(StudyRun run) {
    return run.outcomes().stream()
        .sorted(Comparator.comparingLong(RequestOutcome::number))
        .toList();
  }

  /** Returns the final availabilities of the requests of a class, in order of arrival. */
  static List<Double> availabilities(StudyRun run, String serviceClass) {
    return byArrival(run).stream()
        .filter(each -> each.report().serviceClass().name().equals(serviceClass))
        .map(each -> each.report().availability().orElseThrow())
        .toList();
  }

  /** The distribution of a figure over the seeds: extremes and quartiles. */
  record Spread(double least, double lower, double median, double upper, double most) {

    /** Returns the distribution of a figure of a service class. */
    static Spread of(List<StudyRun> runs, String serviceClass, Figure<ClassResult> figure) {
      return of(figures(runs, serviceClass, figure));
    }

    /** Returns the distribution of the numbers of preemptions. */
    static Spread ofPreemptions(List<StudyRun> runs) {
      return of(runs.stream().map(each -> (double) each.result().preemptions()).toList());
    }

    /** Returns the distribution of values, at least one. */
    static Spread of(List<Double> values) {
      double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
      return new Spread(
          sorted[0],
          quantile(sorted, 0.25),
          quantile(sorted, 0.5),
          quantile(sorted, 0.75),
          sorted[sorted.length - 1]);
    }

    private static double quantile(double[] sorted, double share) {
      double at = share * (sorted.length - 1);
      int below = (int) Math.floor(at);
      int above = Math.min(below + 1, sorted.length - 1);
      return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }

    List<Double> values() {
      return Arrays.asList(least, median, most);
    }
  }
}

package dev.berth.experiments.studies.slo;

import dev.berth.experiments.bound.FluidBound;
import dev.berth.experiments.figures.Sample;
import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.study.StudyRun;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.RunResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The runs of several policies in one setting. All policies have the same cases in the same order,
 * so that their figures are pairs.
 *
 * @param byLabel of each policy one result for each case
 * @param bounds of the cases
 */
record Runs(Map<String, List<RunResult>> byLabel, Bounds bounds) {

  /** Copies the map, in its order. */
  Runs {
    byLabel = Collections.unmodifiableMap(new LinkedHashMap<>(byLabel));
  }

  /** Returns the same runs with the bounds of their cases. */
  Runs with(List<FluidBound> byCase) {
    return new Runs(byLabel, new Bounds(byCase));
  }

  /** Returns the same runs and those of another policy. */
  Runs with(String label, List<RunResult> itsRuns) {
    Map<String, List<RunResult>> all = new LinkedHashMap<>(byLabel);
    all.put(label, List.copyOf(itsRuns));
    return new Runs(all, bounds);
  }

  static Runs of(StudyRuns runs) {
    Map<String, List<RunResult>> byLabel = new LinkedHashMap<>();
    for (String each : runs.labels()) {
      byLabel.put(each, runs.runs(each).stream().map(StudyRun::result).toList());
    }
    return new Runs(byLabel, Bounds.NONE);
  }

  /**
   * Returns the runs of an experiment.
   *
   * @param known bounds that are known already, to which others are added
   */
  static Runs of(List<CellResult> cells, Map<Scenario, FluidBound> known) {
    Map<String, List<RunResult>> totals = new LinkedHashMap<>();
    Map<Case, FluidBound> bounds = new LinkedHashMap<>();
    for (CellResult each : cells) {
      Case its = each.cell().setting();
      totals
          .computeIfAbsent(each.policy().label(), key -> new ArrayList<>())
          .add(each.totals().orElseThrow());
      bounds.put(its, known.computeIfAbsent(its.settings().scenario(), FluidBound::of));
    }
    return new Runs(totals, new Bounds(List.copyOf(bounds.values())));
  }

  List<String> labels() {
    return List.copyOf(byLabel.keySet());
  }

  List<RunResult> runs(String label) {
    return Objects.requireNonNull(byLabel.get(label), label);
  }

  /** Returns the classes that have requests in any case, most important first. */
  List<ClassResult> classes() {
    Map<String, ClassResult> classes = new LinkedHashMap<>();
    for (RunResult run : runs(labels().get(0))) {
      for (ClassResult each : run.classes()) {
        if (each.count() > 0) {
          classes.putIfAbsent(each.name(), each);
        }
      }
    }
    return List.copyOf(classes.values());
  }

  /** Returns a figure of a class over the cases in which the class has requests. */
  Sample of(String label, String serviceClass, Figure figure) {
    return Sample.ofDefined(
        runs(label),
        run -> classOf(run, serviceClass).map(figure::of).orElse(OptionalDouble.empty()));
  }

  private static Optional<ClassResult> classOf(RunResult run, String serviceClass) {
    return run.classes().stream().filter(each -> each.name().equals(serviceClass)).findFirst();
  }

  /** Returns the sum of a figure over all classes. */
  Sample total(String label, Figure figure) {
    return Sample.of(
        runs(label),
        run ->
            run.classes().stream().map(figure::of).flatMapToDouble(OptionalDouble::stream).sum());
  }

  /** Returns how much a policy is better than another in a figure, case by case. */
  Sample gain(String label, String other, String serviceClass, Figure figure) {
    Sample its = of(label, serviceClass, figure);
    Sample others = of(other, serviceClass, figure);
    return figure.moreIsBetter() ? its.minus(others) : others.minus(its);
  }
}

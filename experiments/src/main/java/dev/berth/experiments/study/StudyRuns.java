package dev.berth.experiments.study;

import dev.berth.experiments.figures.CsvColumns;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.figures.Sample;
import dev.berth.experiments.run.RunSettings;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.report.CsvText;
import dev.berth.simulator.Scenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.LongFunction;

/** The runs of a study: of each policy one for each seed. */
public final class StudyRuns {

  private final Map<String, List<StudyRun>> byLabel;

  private StudyRuns(Map<String, List<StudyRun>> byLabel) {
    this.byLabel = byLabel;
  }

  /** Simulates one policy with one seed. */
  @FunctionalInterface
  public interface Execution {

    /** Returns the run. */
    StudyRun run(PolicySpec policy, long seed);
  }

  /**
   * Simulates every policy with every seed.
   *
   * @param scenario of each seed
   * @param seeds number of seeds, counted on from that of the setting
   */
  public static StudyRuns of(
      List<PolicySpec> policies,
      LongFunction<Scenario> scenario,
      int seeds,
      Study.Setting setting) {
    return of(
        policies,
        seeds,
        setting,
        (policy, seed) ->
            StudyRun.of(policy.resolve(setting.registry()), scenario.apply(seed), seed));
  }

  /**
   * Simulates every policy with every seed, with the defaults that the settings of a run give it.
   *
   * @param settings of each seed
   */
  public static StudyRuns inSettings(
      List<PolicySpec> policies,
      LongFunction<RunSettings> settings,
      int seeds,
      Study.Setting setting) {
    return of(
        policies,
        seeds,
        setting,
        (policy, seed) -> {
          RunSettings its = settings.apply(seed);
          return StudyRun.of(policy.resolve(setting.registry(), its), its::simulation);
        });
  }

  /** Runs every policy with every seed. */
  public static StudyRuns of(
      List<PolicySpec> policies, int seeds, Study.Setting setting, Execution execution) {
    Map<String, List<StudyRun>> all = new LinkedHashMap<>();
    for (PolicySpec policy : policies) {
      List<StudyRun> runs = new ArrayList<>();
      for (int i = 0; i < seeds; i++) {
        long seed = setting.seed() + i;
        setting
            .steps()
            .reached(
                "%s, seed %s".formatted(policy.name(), seed),
                all.size() * seeds + i,
                policies.size() * seeds);
        runs.add(execution.run(policy, seed));
      }
      all.put(policy.name(), runs);
    }
    return new StudyRuns(all);
  }

  /** Returns the labels of the policies, in order. */
  public List<String> labels() {
    return List.copyOf(byLabel.keySet());
  }

  /** Returns the runs of a policy, in the order of their seeds. */
  public List<StudyRun> runs(String label) {
    List<StudyRun> runs = byLabel.get(label);
    if (runs == null) {
      throw new IllegalArgumentException("There is no run of \"%s\".".formatted(label));
    }
    return runs;
  }

  /** Returns all runs: by policy, then by seed. */
  public List<StudyRun> all() {
    return byLabel.values().stream().flatMap(List::stream).toList();
  }

  /** Returns the run of a policy with the first seed. */
  public StudyRun first(String label) {
    return runs(label).get(0);
  }

  /** Returns a figure over the runs of a policy in which it is defined. */
  public Sample sample(String label, Figure<StudyRun> figure) {
    return figure.over(runs(label));
  }

  /** Returns the mean of a figure over the runs of a policy; empty if it is never defined. */
  public OptionalDouble mean(String label, Figure<StudyRun> figure) {
    return runs(label).stream().flatMapToDouble(run -> figure.of(run).stream()).average();
  }

  /** Returns figures of all runs as CSV. */
  public CsvText series(String name, List<Figure<StudyRun>> figures) {
    return new CsvColumns<StudyRun>()
        .add("policy", StudyRun::label)
        .add("seed", each -> each.result().seed())
        .add(figures, each -> each, 3)
        .of(name, all());
  }
}

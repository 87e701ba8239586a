package dev.berth.experiments.studies.qos;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.UnknownPolicyException;
import dev.berth.experiments.ClassFigures;
import dev.berth.experiments.PolicyChoice;
import dev.berth.experiments.RunSettings;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.simulator.RequestOutcome;
import dev.berth.simulator.RunResult;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.SimulationListener;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Runs of both policies on a validation workload, seed by seed, each as {@code berth compare} runs
 * it.
 *
 * @param byPolicy the runs of each policy, in the order of their seeds
 */
record ValidationRuns(Map<String, List<ValidationRuns.Run>> byPolicy) {

  /** The policies that are compared. */
  static final List<String> POLICIES = List.of("qos-driven", "priority");

  /**
   * One run.
   *
   * @param result its totals
   * @param outcomes what became of each request, in the order in which they came
   */
  record Run(RunResult result, List<RequestOutcome> outcomes) {

    /** Returns what a class got. */
    ClassFigures figures(String serviceClass) {
      return result.classes().stream()
          .filter(each -> each.name().equals(serviceClass))
          .findFirst()
          .map(ClassFigures::of)
          .orElseThrow();
    }

    /** Returns the availabilities that the requests of a class ended with, as they came. */
    List<Double> availabilities(String serviceClass) {
      return outcomes.stream()
          .filter(each -> each.report().serviceClass().name().equals(serviceClass))
          .map(each -> each.report().availability().orElseThrow())
          .toList();
    }
  }

  /** The five numbers of a figure's distribution over the seeds. */
  record Spread(double least, double lower, double median, double upper, double most) {

    static Spread of(List<Run> runs, ToDoubleFunction<Run> figure) {
      double[] sorted = runs.stream().mapToDouble(figure).sorted().toArray();
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

  /** Copies the runs. */
  ValidationRuns {
    byPolicy = new LinkedHashMap<>(byPolicy);
  }

  /**
   * Runs everything.
   *
   * @param workload its name
   * @param first seed
   * @param seeds how many, from the first on
   */
  static ValidationRuns of(PolicyRegistry registry, String workload, long first, int seeds) {
    Map<String, List<Run>> all = new LinkedHashMap<>();
    POLICIES.forEach(each -> all.put(each, new ArrayList<>()));
    for (long seed = first; seed < first + seeds; seed++) {
      Scenario scenario = BuiltInWorkloads.get(workload, seed, BuiltInWorkloads.PERIOD);
      RunSettings settings =
          new RunSettings(
              scenario, BuiltInWorkloads.PERIOD, BuiltInWorkloads.PERIOD, List.of(), seed);
      for (PolicyChoice<?> each :
          choices(registry, settings)) {
        all.getOrDefault(each.id(), List.of()).add(run(each, settings));
      }
    }
    return new ValidationRuns(all);
  }

  private static List<PolicyChoice<?>> choices(PolicyRegistry registry, RunSettings settings) {
    List<PolicyChoice<?>> choices = new ArrayList<>();
    for (String id : POLICIES) {
      try {
        choices.add(
            PolicyChoice.of(
                registry.get(id),
                JsonNodeFactory.instance.objectNode(),
                settings.period(),
                settings.scenario().overheads().mean()));
      } catch (UnknownPolicyException | ConfigException impossible) {
        throw new IllegalStateException("an experiment asks for what is not there", impossible);
      }
    }
    return choices;
  }

  private static Run run(PolicyChoice<?> policy, RunSettings settings) {
    List<RequestOutcome> outcomes = new ArrayList<>();
    try (Simulation simulation =
        policy.start(
            settings
                .simulation(policy.scheduler().decisionLog(0))
                .listener(SimulationListener.onRequestEnded(outcomes::add)))) {
      RunResult result = simulation.run();
      outcomes.sort(Comparator.comparingLong(RequestOutcome::number));
      return new Run(result, List.copyOf(outcomes));
    }
  }

  /** Returns the runs of a policy. */
  List<Run> runs(String policy) {
    List<Run> runs = byPolicy.get(policy);
    if (runs == null) {
      throw new IllegalStateException("nothing was run for " + policy);
    }
    return runs;
  }

  /** Returns the run of a policy with the first seed. */
  Run first(String policy) {
    return runs(policy).get(0);
  }

  /** Returns the service classes, most important first, as a run has them. */
  List<ClassFigures> classes() {
    return first(POLICIES.get(0)).result().classes().stream().map(ClassFigures::of).toList();
  }
}

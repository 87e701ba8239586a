package dev.berth.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.experiments.CellResult;
import dev.berth.experiments.ClassFigures;
import dev.berth.experiments.ComparedPolicy;
import dev.berth.experiments.RunOutcome;
import dev.berth.simulator.RunResult;
import dev.berth.simulator.metrics.RunMetrics;
import java.util.List;
import java.util.Optional;

/**
 * The outcome of one policy of a comparison.
 *
 * @param label its name in tables
 * @param role its role
 * @param policy id of its policy
 * @param config its effective configuration
 * @param outcome outcome of its run
 */
public record Entrant(
    String label, ComparedPolicy.Role role, String policy, JsonNode config, RunOutcome outcome) {

  public static Entrant of(CellResult result) {
    ComparedPolicy comparedPolicy = result.cell().policy();
    return new Entrant(
        comparedPolicy.label(),
        comparedPolicy.role(),
        comparedPolicy.choice().id(),
        comparedPolicy.choice().configJson(),
        result.outcome());
  }

  /** Returns its metrics if the run finished. */
  public Optional<RunMetrics> metrics() {
    return outcome instanceof RunOutcome.Finished finished
        ? Optional.of(finished.metrics())
        : Optional.empty();
  }

  /** Returns its totals if the run finished. */
  public Optional<RunResult> result() {
    return metrics().map(RunMetrics::result);
  }

  /** Returns why the run failed, if it did. */
  public Optional<String> failure() {
    return outcome instanceof RunOutcome.Failed failed
        ? Optional.of(failed.why())
        : Optional.empty();
  }

  /** Returns the figures of all service classes, most important first. */
  public List<ClassFigures> figures() {
    return result().stream()
        .flatMap(each -> each.classes().stream())
        .map(ClassFigures::of)
        .toList();
  }

  /** Returns the figures of the service class of that name, if it had requests. */
  public Optional<ClassFigures> figures(String serviceClass) {
    return figures().stream().filter(each -> each.name().equals(serviceClass)).findFirst();
  }
}

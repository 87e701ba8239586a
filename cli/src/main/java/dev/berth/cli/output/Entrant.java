package dev.berth.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.experiments.CellResult;
import dev.berth.experiments.ClassFigures;
import dev.berth.experiments.Contender;
import dev.berth.experiments.RunOutcome;
import dev.berth.simulator.RunResult;
import dev.berth.simulator.metrics.RunMetrics;
import java.util.List;
import java.util.Optional;

/**
 * What one of the contenders of a comparison came to.
 *
 * @param label what the table calls it
 * @param role what it is there for
 * @param policy id of its policy
 * @param config effective configuration of that
 * @param outcome what became of its run
 */
public record Entrant(
    String label, Contender.Role role, String policy, JsonNode config, RunOutcome outcome) {

  public static Entrant of(CellResult result) {
    Contender contender = result.cell().contender();
    return new Entrant(
        contender.label(),
        contender.role(),
        contender.policy().id(),
        contender.policy().configJson(),
        result.outcome());
  }

  /** Returns what was measured, if the run came to its end. */
  public Optional<RunMetrics> metrics() {
    return outcome instanceof RunOutcome.Finished finished
        ? Optional.of(finished.metrics())
        : Optional.empty();
  }

  /** Returns the totals, if the run came to its end. */
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

  /** Returns the figures of the service class of that name, if anything asked for it. */
  public Optional<ClassFigures> figures(String serviceClass) {
    return figures().stream().filter(each -> each.name().equals(serviceClass)).findFirst();
  }
}

package dev.berth.cli.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.run.SettingsJson;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.page.RunJson;
import dev.berth.experiments.run.RunSettings;
import dev.berth.report.render.JsonText;
import dev.berth.simulator.result.RunResult;
import java.time.Duration;
import java.util.List;

/**
 * The outcome of runs at scale as one JSON object. The same input and seed give the same bytes,
 * except for {@code cost}.
 */
public final class ScaleJson {

  private static final double NANOS = 1e9;

  private ScaleJson() {}

  /** Returns the object. */
  public static ObjectNode of(
      double scale, RunSettings settings, Duration apart, List<ScaleOutcome> outcomes) {
    ObjectNode root = JsonText.object().put("scale", scale);
    SettingsJson.put(root, settings);
    root.put("secondsBetweenPasses", apart.toNanos() / NANOS);
    ArrayNode runs = root.putArray("runs");
    outcomes.forEach(each -> putRun(runs.addObject(), each));
    return root;
  }

  private static void putRun(ObjectNode node, ScaleOutcome outcome) {
    RunResult result = outcome.result();
    node.put("policy", result.policy());
    node.set("config", TreeBinder.parse("policy " + result.policy(), result.config()));
    node.put("requests", result.arrivals())
        .put("completed", result.completed())
        .put("unfinished", result.unfinished())
        .put("refused", result.refused())
        .put("cancelled", result.cancelled())
        .put("events", outcome.events())
        .put("passes", result.passes())
        .put("placements", result.placements())
        .put("preemptions", result.preemptions());
    RunJson.putClasses(node, result.classes().stream().map(ClassFigures::of).toList());
    putLoad(node, outcome.load());
    RunCost cost = outcome.cost();
    ObjectNode costs =
        node.putObject("cost")
            .put("wallSeconds", cost.wallNanos() / NANOS)
            .put("cpuSeconds", cost.cpuNanos() / NANOS)
            .put("eventsPerSecond", cost.perSecond(outcome.events()))
            .put("requestsPerSecond", cost.perSecond(result.arrivals()))
            .put("peakHeapBytes", cost.peakHeapBytes())
            .put("peakKeptBytes", cost.peakKeptBytes());
    JsonText.put(costs, "peakResidentBytes", cost.peakResidentBytes());
  }

  private static void putLoad(ObjectNode node, ScaleLoad load) {
    node.put("liveMax", load.liveMax())
        .put("pendingMean", load.pendingMean())
        .put("pendingMax", load.pendingMax());
    ArrayNode steps = node.putArray("steps");
    for (ScaleLoad.Step step : load.steps()) {
      ObjectNode each =
          steps
              .addObject()
              .put("endSeconds", step.end())
              .put("live", step.live())
              .put("pendingMean", step.pendingMean())
              .put("pendingMax", step.pendingMax());
      for (ScaleLoad.Use use : step.uses()) {
        each.putObject(use.dimension())
            .put("demanded", use.demanded())
            .put("granted", use.granted());
      }
    }
  }
}

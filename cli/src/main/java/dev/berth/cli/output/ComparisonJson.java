package dev.berth.cli.output;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.option.Repeated;
import dev.berth.core.config.Durations;
import dev.berth.experiments.CellResult;
import dev.berth.experiments.ComparedPolicy;
import dev.berth.experiments.RunSettings;
import dev.berth.experiments.output.RunJson;
import dev.berth.experiments.studies.qos.PublishedRun;
import dev.berth.report.render.JsonText;
import dev.berth.simulator.Scenario;
import java.time.Duration;
import java.util.List;

/** The outcome of a comparison as one JSON object; the same bytes for the same input and seed. */
public final class ComparisonJson {

  private ComparisonJson() {}

  /**
   * Returns the object.
   *
   * @param comparison what was run
   * @param outcomes one for each compared policy, in the same order
   * @param published published results for the same workload and policies
   */
  public static ObjectNode of(
      Comparison comparison, List<CellResult> outcomes, List<PublishedRun> published) {
    ObjectNode root = JsonText.object();
    putSettings(root, comparison.settings());
    ArrayNode runs = root.putArray("runs");
    outcomes.forEach(outcome -> putRun(runs.addObject(), outcome));
    if (!published.isEmpty()) {
      ArrayNode theirs = root.putArray("published");
      published.forEach(run -> putPublished(theirs.addObject(), run));
    }
    List<String> notes = comparison.notes();
    if (!notes.isEmpty()) {
      ArrayNode list = root.putArray("notes");
      notes.forEach(list::add);
    }
    return root;
  }

  /** Puts everything but the policy that a run depends on. */
  static void putSettings(ObjectNode node, RunSettings settings) {
    Scenario scenario = settings.scenario();
    node.put("workload", scenario.workload().name());
    node.put("seed", settings.seed());
    node.putObject("infrastructure")
        .put("name", scenario.infrastructure().name())
        .put("hosts", scenario.infrastructure().hosts().size());
    node.put("until", Durations.format(scenario.until()));
    node.put("period", Durations.format(settings.watchdog()));
    node.put("margin", Durations.format(settings.margin()));
    putList(node, "overheads", scenario.overheads().cold());
    putList(node, "hotOverheads", scenario.overheads().hot());
    node.put("crowding", Durations.format(scenario.overheads().crowding()));
    node.put("hostEvents", settings.hostEvents().size());
  }

  private static void putList(ObjectNode node, String key, List<Duration> durations) {
    ArrayNode list = node.putArray(key);
    Repeated.words(durations).forEach(list::add);
  }

  private static void putRun(ObjectNode node, CellResult outcome) {
    ComparedPolicy policy = outcome.policy();
    node.put("policy", policy.choice().id());
    if (policy.role() != ComparedPolicy.Role.POLICY) {
      node.put("bound", policy.label());
    }
    node.set("config", policy.choice().configJson());
    outcome.failure().ifPresent(why -> node.put("failure", why));
    outcome.metrics().ifPresent(metrics -> RunJson.putMetrics(node, metrics));
  }

  private static void putPublished(ObjectNode node, PublishedRun run) {
    node.put("policy", run.policy());
    node.put("source", run.source().word());
    if (run.rounded()) {
      node.put("rounded", true);
    }
    JsonText.put(node, "preemptions", run.preemptions());
    JsonText.put(node, "placements", run.placements());
    RunJson.putClasses(node, run.classes());
  }
}

package dev.berth.cli.compare;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.run.SettingsJson;
import dev.berth.experiments.figures.Verdict;
import dev.berth.experiments.page.RunJson;
import dev.berth.experiments.page.RunWarning;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.studies.qos.PublishedRun;
import dev.berth.report.render.JsonText;
import java.util.List;

/** The outcome of a comparison as one JSON object; the same bytes for the same input and seed. */
public final class ComparisonJson {

  private ComparisonJson() {}

  /**
   * Returns the object.
   *
   * @param comparison what was run
   * @param outcomes one for each compared policy, in the same order
   * @param verdict the verdict on them
   * @param published published results for the same workload
   * @param next parts of the command that explains the request that was served worst; empty without
   *     one
   */
  public static ObjectNode of(
      Comparison comparison,
      List<CellResult> outcomes,
      Verdict verdict,
      PublishedFigures published,
      List<String> next) {
    ObjectNode root = JsonText.object();
    SettingsJson.put(root, comparison.settings());
    ObjectNode words = root.putObject("verdict");
    verdict.putInto(words);
    if (!next.isEmpty()) {
      words.put("next", String.join(" ", next));
    }
    ArrayNode runs = root.putArray("runs");
    outcomes.forEach(outcome -> putRun(runs.addObject(), outcome));
    if (!published.isEmpty()) {
      ArrayNode theirs = root.putArray("published");
      published.runs().forEach(run -> put(theirs.addObject().put("policy", run.policy()), run));
      published
          .replications()
          .forEach(run -> put(theirs.addObject().put("replication", run.name()), run));
    }
    RunWarning.of(outcomes).forEach(each -> root.withArray("warnings").add(each.line()));
    comparison.notes(outcomes).forEach(each -> root.withArray("notes").add(each));
    return root;
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

  private static void put(ObjectNode node, PublishedRun run) {
    node.put("source", run.source().word());
    JsonText.put(node, "preemptions", run.preemptions());
    JsonText.put(node, "placements", run.placements());
    RunJson.putClasses(node, run.classes());
  }
}

package dev.berth.experiments.output;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.experiments.Case;
import dev.berth.experiments.CellResult;
import dev.berth.experiments.ComparedPolicy;
import dev.berth.experiments.Experiment;
import dev.berth.experiments.RunOutcome;
import dev.berth.experiments.Sample;
import dev.berth.experiments.Summary;
import dev.berth.report.render.JsonText;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The summary of an experiment as one JSON object; the same bytes for the same experiment. */
public final class SummaryJson {

  private SummaryJson() {}

  public static ObjectNode of(Experiment experiment, Summary summary, List<CellResult> results) {
    ObjectNode root = JsonText.object();
    root.put("name", experiment.name());
    root.set("experiment", experiment.effective());
    experiment.notes().forEach(root.withArray("notes")::add);
    RunWarning.of(results).forEach(each -> root.withArray("warnings").add(each.line()));
    ArrayNode policies = root.putArray("policies");
    for (ComparedPolicy each : experiment.policies()) {
      policies
          .addObject()
          .put("label", each.label())
          .put("role", word(each.role()))
          .put("policy", each.choice().id())
          .set("config", each.choice().configJson());
    }
    ArrayNode groups = root.putArray("groups");
    summary.groups().forEach(each -> putGroup(groups.addObject(), experiment, each));
    ArrayNode runs = root.putArray("runs");
    results.forEach(each -> putRun(runs.addObject(), each));
    return root;
  }

  private static void putGroup(ObjectNode node, Experiment experiment, Summary.Group group) {
    node.put("infrastructure", group.infrastructure())
        .put("scale", group.scale())
        .put("cases", group.cases());
    ObjectNode intervals = node.putObject("intervals");
    group.intervals().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(each -> intervals.put(word(each.getKey()), each.getValue()));
    new Verdict(experiment, group).putInto(node.putObject("verdict"));
    ArrayNode rows = node.putArray("rows");
    for (Summary.Row row : group.rows()) {
      ObjectNode each = rows.addObject().put("policy", row.policy().label());
      each.put("failed", row.failed());
      ArrayNode classes = each.putArray("classes");
      for (Summary.ClassFigures figures : row.classes()) {
        ObjectNode its = classes.addObject().put("name", figures.name()).put("slo", figures.slo());
        put(its, "fulfilment", figures.fulfilment());
        put(its, "mean", figures.mean());
        put(its, "min", figures.min());
        put(its, "deficit", figures.deficit());
        put(its, "shortfall", figures.shortfall());
        put(its, "neverRan", figures.neverRan());
      }
      put(each, "requests", row.requests());
      put(each, "completed", row.completed());
      put(each, "penaltyCoreHours", row.penalty());
      experiment
          .reference()
          .flatMap(reference -> Summary.excess(group.row(reference), row))
          .ifPresent(excess -> each.put("referencePenaltyExcess", excess));
      put(each, "preemptions", row.preemptions());
      put(each, "waiting", row.waiting());
      put(each, "pending", row.pending());
      put(each, "restartOverheadHours", row.restartOverhead());
      put(each, "lostWorkHours", row.lostWork());
      ObjectNode used = each.putObject("used");
      row.used().forEach((dimension, sample) -> put(used, dimension, sample));
      ObjectNode active = each.putObject("active");
      row.active()
          .forEach(
              (level, figures) -> {
                ArrayNode list = active.putArray(word(level));
                figures.forEach(its -> putActive(list.addObject(), its));
              });
    }
  }

  private static void putActive(ObjectNode node, Summary.ActiveFigures figures) {
    node.put("name", figures.name());
    put(node, "min", figures.min());
    put(node, "minBySeed", figures.minBySeed());
    put(node, "gini", figures.gini());
    put(node, "fulfilment", figures.fulfilment());
  }

  private static void putRun(ObjectNode node, CellResult result) {
    Case setting = result.cell().setting();
    node.put("workload", setting.workload())
        .put("infrastructure", setting.infrastructure())
        .put("scale", setting.scale())
        .put("hosts", setting.settings().scenario().infrastructure().hosts().size())
        .put("seed", setting.seed())
        .put("policy", result.cell().policy().label());
    if (result.outcome() instanceof RunOutcome.Failed failed) {
      node.put("failure", failed.why());
    }
    result.metrics().ifPresent(metrics -> RunJson.putMetrics(node, metrics));
  }

  private static void put(ObjectNode node, String key, Sample sample) {
    if (sample.size() > 0) {
      ObjectNode figures = node.putObject(key).put("mean", sample.mean());
      sample.halfWidth().ifPresent(margin -> figures.put("halfWidth", margin));
      figures.put("count", sample.size());
    }
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

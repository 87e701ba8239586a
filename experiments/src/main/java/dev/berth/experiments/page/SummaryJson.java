package dev.berth.experiments.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.config.Durations;
import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.figures.Sample;
import dev.berth.experiments.figures.Summary;
import dev.berth.experiments.figures.Totals;
import dev.berth.experiments.figures.Verdict;
import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.Experiment;
import dev.berth.report.render.JsonText;
import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.result.ClassResult;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The summary of an experiment as one JSON object; the same bytes for the same experiment. */
public final class SummaryJson {

  private static final int MOST_RUNS = 1_000;

  private SummaryJson() {}

  /** Returns whether a page and its data list each run. Tables of Parquet do for any number. */
  static boolean listsRuns(List<CellResult> results) {
    return results.size() <= MOST_RUNS;
  }

  public static ObjectNode of(Experiment experiment, Summary summary, List<CellResult> results) {
    ObjectNode root = JsonText.object();
    root.put("name", experiment.name());
    root.set("experiment", experiment.effective());
    experiment.notes().forEach(root.withArray("notes")::add);
    RunWarning.of(results).forEach(each -> root.withArray("warnings").add(each.line()));
    ArrayNode policies = root.putArray("policies");
    for (ComparedPolicy each : experiment.configured()) {
      policies
          .addObject()
          .put("label", each.label())
          .put("role", word(each.role()))
          .put("policy", each.choice().id())
          .set("config", each.choice().configJson());
    }
    ArrayNode groups = root.putArray("groups");
    summary.groups().forEach(each -> putGroup(groups.addObject(), experiment, each));
    if (listsRuns(results)) {
      ArrayNode runs = root.putArray("runs");
      results.forEach(each -> putRun(runs.addObject(), each));
    }
    return root;
  }

  private static void putGroup(ObjectNode node, Experiment experiment, Summary.Group group) {
    node.put("infrastructure", group.infrastructure())
        .put("scale", group.scale())
        .put("watchdog", Durations.format(group.first().settings().watchdog()))
        .put("margin", Durations.format(group.first().settings().margin()))
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
      for (ClassFigures figures : row.classes()) {
        ObjectNode its = classes.addObject().put("name", figures.name()).put("slo", figures.slo());
        put(its, ClassFigures.FULFILMENT, figures);
        put(its, ClassFigures.MET, figures);
        put(its, ClassFigures.MEAN, figures);
        put(its, ClassFigures.MIN, figures);
        put(its, "deficit", figures.get(ClassFigures.MEAN_DEFICIT));
        put(its, ClassFigures.SHORTFALL, figures);
        put(its, ClassFigures.NEVER_RAN, figures);
      }
      for (Figure<RunMetrics> figure : Totals.ALL) {
        put(each, figure.key(), row.get(figure));
        if (figure.equals(Totals.PENALTY)) {
          experiment
              .reference()
              .flatMap(reference -> Summary.excess(group.row(reference), row))
              .ifPresent(excess -> each.put("referencePenaltyExcess", excess));
        }
      }
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

  private static void putActive(ObjectNode node, ClassFigures figures) {
    node.put("name", figures.name());
    put(node, ClassFigures.MIN, figures);
    put(node, ClassFigures.MIN_BY_SEED, figures);
    put(node, ClassFigures.GINI, figures);
    put(node, ClassFigures.FULFILMENT, figures);
  }

  private static void put(ObjectNode node, Figure<ClassResult> figure, ClassFigures figures) {
    put(node, figure.key(), figures.get(figure));
  }

  private static void putRun(ObjectNode node, CellResult result) {
    Case setting = result.cell().setting();
    node.put("workload", setting.workload())
        .put("infrastructure", setting.infrastructure())
        .put("scale", setting.scale())
        .put("watchdog", Durations.format(setting.settings().watchdog()))
        .put("margin", Durations.format(setting.settings().margin()))
        .put("hosts", setting.settings().scenario().infrastructure().hosts().size())
        .put("seed", setting.seed())
        .put("policy", result.cell().policy().label());
    result.failure().ifPresent(why -> node.put("failure", why));
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

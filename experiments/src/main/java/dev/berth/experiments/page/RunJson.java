package dev.berth.experiments.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.figures.Sample;
import dev.berth.report.render.JsonText;
import dev.berth.simulator.metrics.DimensionUsage;
import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.FaultCounts;
import dev.berth.simulator.result.RunResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The metrics of one run as JSON; an undefined value is absent. */
public final class RunJson {

  private static final double NANOS_PER_SECOND = 1e9;

  /** The figures that the JSON of a class has, in order. */
  private static final List<Figure<ClassResult>> FIGURES =
      List.of(
          ClassFigures.SLO,
          ClassFigures.COUNT,
          ClassFigures.MIN,
          ClassFigures.MEAN,
          ClassFigures.MAX,
          ClassFigures.FULFILMENT,
          ClassFigures.MET,
          ClassFigures.MEAN_DEFICIT,
          ClassFigures.MAX_DEFICIT,
          ClassFigures.NEVER_RAN,
          ClassFigures.PREEMPTIONS);

  private RunJson() {}

  /** Puts the metrics of a run. */
  public static void putMetrics(ObjectNode node, RunMetrics metrics) {
    RunResult result = metrics.result();
    node.put("passes", result.passes());
    node.put("preemptions", result.preemptions());
    node.put("placements", result.placements());
    node.put("arrivals", result.arrivals());
    node.put("completed", result.completed());
    node.put("refused", result.refused());
    node.put("cancelled", result.cancelled());
    node.put("simulatedSeconds", result.simulated().toNanos() / NANOS_PER_SECOND);
    node.set("adjustments", TreeBinder.toJson(result.adjustments()));
    putClasses(node, result.classes().stream().map(ClassFigures::of).toList());
    node.put("penaltyCoreHours", result.penalty());
    node.put("lostWorkHours", result.lostWork() / 3600);
    node.put("keptServiceHours", result.keptService() / 3600);
    node.put("meanPending", metrics.meanPending());
    node.put("maxPending", metrics.maxPending());
    result.faults().ifPresent(each -> node.set("faults", faults(each)));
    ObjectNode use = node.putObject("use");
    for (DimensionUsage each : metrics.dimensions()) {
      ObjectNode shares = use.putObject(each.dimension());
      JsonText.put(shares, "granted", each.granted());
      JsonText.put(shares, "peak", each.peak());
      JsonText.put(shares, "demanded", each.demanded());
    }
    ArrayNode times = node.putArray("times");
    for (ClassResult each : result.classes()) {
      ObjectNode its = times.addObject().put("name", each.name());
      JsonText.put(its, "waitingMean", each.waiting().mean());
      JsonText.put(its, "waitingMedian", each.waiting().median());
      JsonText.put(its, "waitingP95", each.waiting().p95());
      JsonText.put(its, "waitingMax", each.waiting().max());
      its.put("restartOverhead", each.restartOverhead())
          .put("lostWork", each.lostWork())
          .put("lostService", each.lostService())
          .put("served", each.served())
          .put("penaltyCoreHours", each.penalty());
    }
  }

  private static ObjectNode faults(FaultCounts faults) {
    ObjectNode node = TreeBinder.toJson(faults);
    node.remove("misjudged");
    return node.put("misjudgedSeconds", faults.misjudged().toNanos() / NANOS_PER_SECOND);
  }

  /** Puts the figures of each class. */
  public static void putClasses(ObjectNode node, List<ClassFigures> classes) {
    ArrayNode list = node.putArray("classes");
    for (ClassFigures figures : classes) {
      ObjectNode each = list.addObject();
      each.put("name", figures.name());
      for (Figure<ClassResult> figure : FIGURES) {
        if (figure.digits() == 0) {
          figures.only(figure).ifPresent(its -> each.put(figure.key(), (long) its));
        } else {
          JsonText.put(each, figure.key(), figures.only(figure));
        }
      }
    }
  }

  /** Reads what {@link #putClasses} put. */
  public static List<ClassFigures> classes(JsonNode run) {
    List<ClassFigures> classes = new ArrayList<>();
    for (JsonNode node : run.path("classes")) {
      Map<Figure<ClassResult>, Sample> values = new HashMap<>();
      for (Figure<ClassResult> each : FIGURES) {
        if (node.has(each.key())) {
          values.put(each, Sample.of(List.of(node.get(each.key()).doubleValue())));
        }
      }
      classes.add(new ClassFigures(node.get("name").textValue(), values));
    }
    return classes;
  }
}

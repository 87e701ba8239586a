package dev.berth.experiments.output;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.experiments.ClassFigures;
import dev.berth.report.render.JsonText;
import dev.berth.simulator.ClassResult;
import dev.berth.simulator.FaultCounts;
import dev.berth.simulator.RunResult;
import dev.berth.simulator.metrics.DimensionUsage;
import dev.berth.simulator.metrics.RunMetrics;
import java.util.List;

/** The metrics of one run as JSON; an undefined value is absent. */
public final class RunJson {

  private static final double NANOS_PER_SECOND = 1e9;

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
    node.putObject("adjustments")
        .put("resizes", result.adjustments().resizes())
        .put("pauses", result.adjustments().pauses())
        .put("suspensions", result.adjustments().suspensions())
        .put("resumes", result.adjustments().resumes())
        .put("migrations", result.adjustments().migrations());
    putClasses(node, result.classes().stream().map(ClassFigures::of).toList());
    node.put("penaltyCoreHours", result.penalty());
    node.put("lostWorkHours", result.lostWork() / 3600);
    node.put("keptServiceHours", result.keptService() / 3600);
    node.put("meanPending", metrics.meanPending());
    node.put("maxPending", metrics.maxPending());
    result.faults().ifPresent(each -> putFaults(node.putObject("faults"), each));
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

  private static void putFaults(ObjectNode node, FaultCounts faults) {
    node.put("reports", faults.reports())
        .put("lost", faults.lost())
        .put("doubled", faults.doubled())
        .put("delayed", faults.delayed())
        .put("stale", faults.stale())
        .put("refused", faults.refused())
        .put("impossible", faults.impossible())
        .put("undone", faults.undone())
        .put("failedStarts", faults.failedStarts())
        .put("drifts", faults.drifts())
        .put("reconciliations", faults.reconciliations())
        .put("differences", faults.differences())
        .put("restarts", faults.restarts())
        .put("misjudgedSeconds", faults.misjudged().toNanos() / NANOS_PER_SECOND);
  }

  /** Puts the figures of each class. */
  public static void putClasses(ObjectNode node, List<ClassFigures> classes) {
    ArrayNode list = node.putArray("classes");
    for (ClassFigures figures : classes) {
      ObjectNode each = list.addObject();
      each.put("name", figures.name());
      each.put("slo", figures.slo());
      each.put("count", figures.count());
      JsonText.put(each, "min", figures.min());
      JsonText.put(each, "mean", figures.mean());
      JsonText.put(each, "max", figures.max());
      JsonText.put(each, "fulfilment", figures.fulfilment());
      JsonText.put(each, "meanDeficit", figures.meanDeficit());
      JsonText.put(each, "maxDeficit", figures.maxDeficit());
      JsonText.put(each, "neverRan", figures.neverRan());
      JsonText.put(each, "preemptions", figures.preemptions());
    }
  }
}

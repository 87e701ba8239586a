package dev.berth.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.config.Durations;
import dev.berth.experiments.Contender;
import dev.berth.experiments.RunSettings;
import dev.berth.simulator.ClassResult;
import dev.berth.simulator.RunResult;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.metrics.DimensionUsage;
import dev.berth.simulator.metrics.RunMetrics;
import java.time.Duration;
import java.util.List;

/** The outcome of a comparison as one JSON object; the same bytes for the same input and seed. */
final class ComparisonJson {

  private static final double NANOS_PER_SECOND = 1e9;

  private ComparisonJson() {}

  /**
   * Returns the object.
   *
   * @param comparison what was run
   * @param outcomes one for each of its policies, in the same order
   * @param published what others published for the same workload and policies
   */
  static ObjectNode of(
      Comparison comparison, List<Entrant> outcomes, List<PublishedRun> published) {
    ObjectNode root = Json.object();
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

  /** Puts all that a run depends on but the policy. */
  static void putSettings(ObjectNode node, RunSettings settings) {
    Scenario scenario = settings.scenario();
    node.put("workload", scenario.workload().name());
    node.put("seed", settings.seed());
    node.putObject("infrastructure")
        .put("name", scenario.infrastructure().name())
        .put("hosts", scenario.infrastructure().hosts().size());
    node.put("until", Durations.format(scenario.until()));
    node.put("period", Durations.format(settings.period()));
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

  private static void putRun(ObjectNode node, Entrant entrant) {
    node.put("policy", entrant.policy());
    if (entrant.role() != Contender.Role.POLICY) {
      node.put("bound", entrant.label());
    }
    node.set("config", entrant.config());
    entrant.failure().ifPresent(why -> node.put("failure", why));
    entrant.metrics().ifPresent(metrics -> putMetrics(node, metrics));
  }

  /** Puts what was measured of a run. */
  static void putMetrics(ObjectNode node, RunMetrics metrics) {
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
    node.put("meanPending", metrics.meanPending());
    node.put("maxPending", metrics.maxPending());
    ObjectNode use = node.putObject("use");
    for (DimensionUsage each : metrics.dimensions()) {
      ObjectNode shares = use.putObject(each.dimension());
      Json.put(shares, "granted", each.granted());
      Json.put(shares, "peak", each.peak());
      Json.put(shares, "demanded", each.demanded());
    }
    ArrayNode times = node.putArray("times");
    for (ClassResult each : result.classes()) {
      ObjectNode its = times.addObject().put("name", each.name());
      Json.put(its, "waitingMean", each.waiting().mean());
      Json.put(its, "waitingMedian", each.waiting().median());
      Json.put(its, "waitingP95", each.waiting().p95());
      Json.put(its, "waitingMax", each.waiting().max());
      its.put("restartOverhead", each.restartOverhead())
          .put("served", each.served())
          .put("penaltyCoreHours", each.penalty());
    }
  }

  private static void putPublished(ObjectNode node, PublishedRun run) {
    node.put("policy", run.policy());
    node.put("source", run.source().word());
    if (run.rounded()) {
      node.put("rounded", true);
    }
    Json.put(node, "preemptions", run.preemptions());
    Json.put(node, "placements", run.placements());
    putClasses(node, run.classes());
  }

  /** Puts what each class got. */
  static void putClasses(ObjectNode node, List<ClassFigures> classes) {
    ArrayNode list = node.putArray("classes");
    for (ClassFigures figures : classes) {
      ObjectNode each = list.addObject();
      each.put("name", figures.name());
      each.put("slo", figures.slo());
      each.put("count", figures.count());
      Json.put(each, "min", figures.min());
      Json.put(each, "mean", figures.mean());
      Json.put(each, "max", figures.max());
      Json.put(each, "fulfilment", figures.fulfilment());
      Json.put(each, "meanDeficit", figures.meanDeficit());
      Json.put(each, "maxDeficit", figures.maxDeficit());
      Json.put(each, "neverRan", figures.neverRan());
      Json.put(each, "preemptions", figures.preemptions());
    }
  }
}

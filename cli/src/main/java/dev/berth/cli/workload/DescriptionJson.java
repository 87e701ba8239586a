package dev.berth.cli.workload;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Dimension;
import dev.berth.core.config.Durations;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.report.render.JsonText;
import dev.berth.traces.prepare.DemandSample;
import dev.berth.traces.prepare.WorkloadDescription;
import java.time.Duration;
import java.util.List;

/** The description of a workload for programs: times in seconds, amounts in wholes. */
public final class DescriptionJson {

  private static final double NANOS = 1e9;

  private DescriptionJson() {}

  public static ObjectNode of(
      WorkloadDescription description, Duration interval, List<DemandSample> series) {
    ObjectNode root = JsonText.object().put("workload", description.workload());
    root.put("firstAdmission", description.firstAdmission() / NANOS);
    root.put("lastAdmission", description.lastAdmission() / NANOS);
    root.put("lastEnd", description.lastEnd() / NANOS);
    root.put("endWithLog", description.endWithLog());
    root.set("all", figures(description.all()));
    ArrayNode classes = root.putArray("classes");
    description
        .byClass()
        .forEach(
            (name, figures) ->
                classes.add(JsonText.object().put("name", name).setAll(figures(figures))));
    root.put("interval", Durations.format(interval));
    ArrayNode samples = root.putArray("demand");
    for (DemandSample sample : series) {
      ObjectNode node = samples.addObject().put("at", sample.at() / NANOS);
      sample
          .byClass()
          .forEach(
              (name, demand) -> {
                ObjectNode amounts = node.putObject(name);
                for (Dimension each : description.all().demand().keySet()) {
                  amounts.put(each.name(), whole(demand.amount(each), each));
                }
              });
    }
    return root;
  }

  private static ObjectNode figures(WorkloadDescription.Figures figures) {
    ObjectNode node = JsonText.object().put("requests", figures.requests());
    node.put("jobs", figures.jobs());
    node.put("users", figures.users());
    node.put("withoutUser", figures.withoutUser());
    node.put("antiAffine", figures.antiAffine());
    node.put("constrained", figures.constrained());
    node.set("serviceTime", TreeBinder.toJson(figures.serviceTime()));
    ObjectNode dimensions = node.putObject("demand");
    figures
        .demand()
        .forEach(
            (dimension, demand) -> {
              ObjectNode of = dimensions.putObject(dimension.name());
              of.set("perRequest", TreeBinder.toJson(demand.perRequest()));
              of.put("peak", whole(demand.peak(), dimension));
              if (demand.peak() > 0) {
                of.put("peakAt", demand.peakAt() / NANOS);
              }
              of.put("mean", demand.mean());
            });
    return node;
  }

  private static double whole(long units, Dimension dimension) {
    return (double) units / dimension.unitsPerWhole();
  }
}

package dev.berth.kubernetes.reproduction;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;

/** Figures as a JSON document. Times are measured ones: multiply them by the speed. */
final class FiguresJson {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private FiguresJson() {}

  static void write(Reproduction.Result result, Path file) throws IOException {
    Files.writeString(file, MAPPER.writeValueAsString(tree(result)) + "\n");
  }

  private static ObjectNode tree(Reproduction.Result result) {
    RunSettings settings = result.settings();
    PodAccounting.Figures figures = result.figures();
    ObjectNode root = MAPPER.createObjectNode();
    root.put("validation", settings.validation().id())
        .put("speed", settings.speed())
        .put("seed", settings.seed())
        .put("minutes", settings.minutes())
        .put("watchdog", settings.watchdog().toString())
        .put("configuration", settings.configuration());
    ArrayNode classes = root.putArray("classes");
    for (Validation.Published theirs : settings.validation().published()) {
      PodFigures ours = PodFigures.of(theirs.serviceClass(), figures);
      ObjectNode each = classes.addObject().put("name", theirs.serviceClass());
      each.put("slo", Validation.slo(theirs.serviceClass())).put("requests", ours.requests());
      ObjectNode published = each.putObject("published");
      published.put("min", theirs.min()).put("mean", theirs.mean()).put("max", theirs.max());
      published.put("sloMet", theirs.sloMet());
      published.put("preempted", theirs.preempted());
      ObjectNode measured = each.putObject("ours");
      put(measured, "min", ours.min());
      put(measured, "mean", ours.mean());
      put(measured, "max", ours.max());
      put(measured, "sloMet", ours.sloMet());
      measured.put("preempted", ours.preempted());
    }
    root.put("publishedPreemptions", settings.validation().publishedPreemptions())
        .put("preemptedRunning", figures.preemptedRunning())
        .put("preemptedStarting", figures.preemptedStarting())
        .put("deletedWaiting", figures.deletedWaiting())
        .put("created", result.created())
        .put("bound", figures.bound())
        .put("boundTwice", figures.boundTwice())
        .put("failed", figures.failed())
        .put("rejectedByKubelet", result.rejected())
        .put("mostOnNode", figures.mostOnNode())
        .put("passes", result.passes())
        .put("apiRequests", result.apiRequests());
    put(root, "emptySeconds", figures.emptySeconds());
    ArrayNode requests = root.putArray("requests");
    for (PodAccounting.RequestFigures each : figures.requests()) {
      ObjectNode request =
          requests
              .addObject()
              .put("name", each.name())
              .put("class", each.serviceClass())
              .put("lifeSeconds", each.lifeSeconds())
              .put("serviceSeconds", each.serviceSeconds());
      put(request, "availability", each.availability());
      request
          .put("pods", each.pods())
          .put("preemptedRunning", each.preemptedRunning())
          .put("preemptedStarting", each.preemptedStarting())
          .put("deletedWaiting", each.deletedWaiting())
          .put("failed", each.failed());
    }
    return root;
  }

  private static void put(ObjectNode node, String name, OptionalDouble value) {
    if (value.isPresent()) {
      node.put(name, value.getAsDouble());
    } else {
      node.putNull(name);
    }
  }
}

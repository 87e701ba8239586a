package dev.berth.experiments.studies.qos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.experiments.page.RunJson;
import dev.berth.experiments.study.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * The results that the authors of QoS-driven scheduling published for their validation workloads
 * (section 4.4, Figs. 4 and 5), from the resource {@code published.json}, which says how each
 * figure was computed from their logs.
 */
public final class PublishedResults {

  private PublishedResults() {}

  /** Returns all published runs. */
  public static List<PublishedRun> all() {
    List<PublishedRun> runs = new ArrayList<>();
    Resource.json(PublishedResults.class, "published.json")
        .get("runs")
        .forEach(run -> runs.add(run(run)));
    return runs;
  }

  /** Returns the published runs of some policies on a workload. */
  public static List<PublishedRun> on(String workload, Collection<String> policies) {
    return all().stream()
        .filter(run -> run.name().equals(workload) && policies.contains(run.policy()))
        .toList();
  }

  private static PublishedRun run(JsonNode node) {
    return new PublishedRun(
        node.get("workload").textValue(),
        node.get("policy").textValue(),
        PublishedRun.Source.valueOf(node.get("source").textValue().toUpperCase(Locale.ROOT)),
        count(node, "preemptions"),
        count(node, "placements"),
        RunJson.classes(node));
  }

  private static OptionalLong count(JsonNode node, String field) {
    return node.has(field) ? OptionalLong.of(node.get(field).longValue()) : OptionalLong.empty();
  }
}

package dev.berth.experiments.studies.memory;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.experiments.study.Resource;
import dev.berth.experiments.study.Study;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The studies of queue disciplines (thesis, chapter 4): logs, disciplines and claims, from the
 * resource {@code queue-studies.json}.
 */
public final class QueueStudies {

  private static final JsonNode ALL = Resource.json(QueueStudies.class, "queue-studies.json");

  private QueueStudies() {}

  /** Returns the studies: experiment A on three logs, and experiment B. */
  public static List<QueueStudy> all() {
    Map<String, JsonNode> shared = new HashMap<>();
    ALL.get("claims").forEach(each -> shared.put(each.get("id").textValue(), each));
    List<QueueStudy> all = new ArrayList<>();
    ALL.get("studies").forEach(each -> all.add(study(each, shared)));
    return all;
  }

  private static QueueStudy study(JsonNode study, Map<String, JsonNode> shared) {
    List<FigureClaim> claims = new ArrayList<>();
    for (JsonNode each : study.get("claims")) {
      claims.add(
          FigureClaim.of(
              each.isTextual() ? Objects.requireNonNull(shared.get(each.textValue())) : each));
    }
    return new QueueStudy(
        study.get("name").textValue(),
        study.get("title").textValue(),
        new Study.Input(study.get("log").textValue(), study.get("origin").textValue()),
        study.get("jobs").intValue(),
        study.get("cores").intValue(),
        study.get("policies").textValue().equals("molding") ? molding() : disciplines(),
        claims,
        FigureClaim.texts(study.get("remarks")));
  }

  private static List<PolicySpec> molding() {
    List<PolicySpec> policies = new ArrayList<>();
    for (String queue : List.of("fifo", "edf", "sjf")) {
      policies.add(policy(queue, queue, "none", false));
      policies.add(policy(queue + " + molding", queue, "none", true));
      policies.add(policy(queue + " + aggressive", queue, "aggressive", false));
      policies.add(policy(queue + " + both", queue, "aggressive", true));
    }
    return policies;
  }

  private static List<PolicySpec> disciplines() {
    List<PolicySpec> policies = new ArrayList<>();
    for (String queue : List.of("fifo", "edf", "sgf", "sjf")) {
      for (String backfill : List.of("none", "aggressive", "easy", "conservative")) {
        String label = queue + (backfill.equals("none") ? "" : " + " + backfill);
        policies.add(policy(label, queue, backfill, false));
      }
    }
    policies.add(policy("fcf", "fcf", "none", false));
    return policies;
  }

  private static PolicySpec policy(String label, String queue, String backfill, boolean molds) {
    return PolicySpec.of(
        label,
        "first-fit",
        "{\"queue\":\"%s\",\"backfill\":\"%s\",\"molding\":{\"maxSlowdown\":%s},\"elasticity\":{\"control\":false,\"migration\":false}}"
            .formatted(queue, backfill, molds ? 2 : 1));
  }
}

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

  /** Returns experiment A on CEA Curie. */
  public static QueueStudy cea() {
    return study("queues-cea", disciplines());
  }

  /** Returns experiment A on HPC2N. */
  public static QueueStudy hpc2n() {
    return study("queues-hpc2n", disciplines());
  }

  /** Returns experiment A on Zewura. */
  public static QueueStudy zewura() {
    return study("queues-zewura", disciplines());
  }

  /** Returns experiment B. */
  public static QueueStudy molding() {
    List<PolicySpec> policies = new ArrayList<>();
    for (String queue : List.of("fifo", "edf", "sjf")) {
      policies.add(policy(queue, queue, "none", false));
      policies.add(policy(queue + " + molding", queue, "none", true));
      policies.add(policy(queue + " + aggressive", queue, "aggressive", false));
      policies.add(policy(queue + " + both", queue, "aggressive", true));
    }
    return study("molding-zewura", policies);
  }

  private static QueueStudy study(String name, List<PolicySpec> policies) {
    Map<String, JsonNode> shared = new HashMap<>();
    ALL.get("claims").forEach(each -> shared.put(each.get("id").textValue(), each));
    for (JsonNode each : ALL.get("studies")) {
      if (each.get("name").textValue().equals(name)) {
        List<QueueClaim> claims = new ArrayList<>();
        each.get("claims")
            .forEach(
                claim ->
                    claims.add(
                        QueueClaim.of(
                            claim.isTextual()
                                ? Objects.requireNonNull(shared.get(claim.textValue()))
                                : claim)));
        return new QueueStudy(
            name,
            each.get("title").textValue(),
            new Study.Input(each.get("log").textValue(), each.get("origin").textValue()),
            each.get("jobs").intValue(),
            each.get("cores").intValue(),
            policies,
            claims,
            QueueClaim.texts(each.get("remarks")));
      }
    }
    throw new IllegalStateException("There is no study %s.".formatted(name));
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

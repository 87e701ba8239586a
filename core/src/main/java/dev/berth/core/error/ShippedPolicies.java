package dev.berth.core.error;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ids of the policies of Berth, by artifact. Core depends on none of them; the table serves
 * messages only.
 */
final class ShippedPolicies {

  /** The artifact with the default policy. */
  static final String FIRST = "berth-policies-qos";

  private static final Map<String, List<String>> BY_ARTIFACT = new LinkedHashMap<>();

  static {
    BY_ARTIFACT.put(FIRST, List.of("priority", "qos-attained", "qos-driven", "qos-hysteresis"));
    BY_ARTIFACT.put(
        "berth-policies-memory",
        List.of("best-fit", "dedicated", "first-fit", "memic", "round-robin", "worst-fit"));
    BY_ARTIFACT.put("berth-policies-elastic", List.of("elastic-cluster", "elastic-site"));
    BY_ARTIFACT.put(
        "berth-policies-metascheduling",
        List.of(
            "cpu-load",
            "lottery",
            "lottery-with-load",
            "power-of-two-choices",
            "random",
            "wall-time-estimated"));
    BY_ARTIFACT.put(
        "berth-policies-baselines", List.of("bin-packing", "never-preempt", "queue-depth"));
  }

  private ShippedPolicies() {}

  /** Returns the artifact that has a policy, or empty if Berth has no policy of that id. */
  static Optional<String> artifactOf(String id) {
    return BY_ARTIFACT.entrySet().stream()
        .filter(each -> each.getValue().contains(id))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Returns the ids of all policies of Berth, by artifact. */
  static Map<String, List<String>> byArtifact() {
    return BY_ARTIFACT;
  }
}

package dev.berth.kubernetes.reproduction;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What the API server shows of a pod at one moment. Stamps are seconds since 1970, as the server
 * writes them.
 *
 * @param uid the UID of the pod
 * @param request the name of its owner, which stands for the request
 * @param createdStamp when the pod was created
 * @param node the node to which the pod is bound
 * @param readyStamp since when the pod is ready; empty if it is not
 * @param deletedStamp when the deletion of the pod was requested; empty if it was not
 * @param hasFailed whether the pod has failed or completed
 */
record PodSighting(
    String uid,
    String request,
    OptionalLong createdStamp,
    Optional<String> node,
    OptionalLong readyStamp,
    OptionalLong deletedStamp,
    boolean hasFailed) {

  /** Returns what a pod shows. */
  static PodSighting of(Pod pod) {
    @Nullable String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    return new PodSighting(
        pod.getMetadata().getUid(),
        pod.getMetadata().getOwnerReferences().stream()
            .findFirst()
            .map(OwnerReference::getName)
            .orElse(pod.getMetadata().getName()),
        seconds(pod.getMetadata().getCreationTimestamp()),
        Optional.ofNullable(pod.getSpec().getNodeName()).filter(node -> !node.isEmpty()),
        readyStamp(pod),
        deletedStamp(pod),
        "Failed".equals(phase) || "Succeeded".equals(phase));
  }

  private static OptionalLong readyStamp(Pod pod) {
    if (pod.getStatus() == null) {
      return OptionalLong.empty();
    }
    for (PodCondition each : pod.getStatus().getConditions()) {
      if ("Ready".equals(each.getType()) && "True".equals(each.getStatus())) {
        return seconds(each.getLastTransitionTime());
      }
    }
    return OptionalLong.empty();
  }

  /** The server writes when the grace period ends. */
  private static OptionalLong deletedStamp(Pod pod) {
    OptionalLong end = seconds(pod.getMetadata().getDeletionTimestamp());
    @Nullable Long grace = pod.getMetadata().getDeletionGracePeriodSeconds();
    return end.isPresent() && grace != null ? OptionalLong.of(end.getAsLong() - grace) : end;
  }

  private static OptionalLong seconds(@Nullable String stamp) {
    if (stamp == null) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Instant.parse(stamp).getEpochSecond());
    } catch (DateTimeParseException malformed) {
      return OptionalLong.empty();
    }
  }
}

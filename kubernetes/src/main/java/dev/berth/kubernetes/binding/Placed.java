package dev.berth.kubernetes.binding;

import dev.berth.api.History;
import dev.berth.json.UnreadableException;
import dev.berth.json.ValueFormat;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a pod says about its instance, in an annotation: which one it is, and what that had received
 * before this pod ran.
 *
 * @param instance id of the instance
 * @param history its history up to the binding of the pod, or up to when it waits
 */
public record Placed(String instance, History history) {

  /** The annotation. */
  public static final String ANNOTATION = "berth.dev/history";

  private static final Logger LOG = LoggerFactory.getLogger(Placed.class);
  private static final ValueFormat<Placed> FORMAT = ValueFormat.of(Placed.class);

  /** Returns the annotation's value. */
  public String toJson() {
    return FORMAT.toJson(this);
  }

  /** Reads the annotation of a pod; empty if it has none, or one that cannot be read. */
  public static Optional<Placed> of(Pod pod) {
    Map<String, String> annotations = pod.getMetadata().getAnnotations();
    String json = annotations == null ? null : annotations.get(ANNOTATION);
    if (json == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(FORMAT.fromJson(json));
    } catch (UnreadableException damaged) { // a user may have written it
      LOG.warn(
          "Pod {}: annotation {} is ignored: {}",
          PodRef.of(pod).key(),
          ANNOTATION,
          damaged.getMessage());
      return Optional.empty();
    }
  }
}

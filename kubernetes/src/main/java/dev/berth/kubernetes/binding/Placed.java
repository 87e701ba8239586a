package dev.berth.kubernetes.binding;

import dev.berth.api.History;
import dev.berth.json.UnreadableException;
import dev.berth.json.ValueFormat;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.Optional;

/**
 * What a pod says about its instance, in an annotation: which one it is, and what that had received
 * before this pod ran. A user may have written it; see {@link Histories}.
 *
 * @param instance id of the instance
 * @param history its history up to the binding of the pod, or up to when it waits
 * @param seal shows that the scheduler wrote it on this pod; empty in what is sealed
 */
public record Placed(String instance, History history, Optional<String> seal) {

  /** The annotation. */
  public static final String ANNOTATION = "berth.dev/history";

  private static final ValueFormat<Placed> FORMAT = ValueFormat.of(Placed.class);

  /** Returns the annotation's value. */
  public String toJson() {
    return FORMAT.toJson(this);
  }

  /** Returns what is sealed. */
  String sealed() {
    return new Placed(instance, history, Optional.empty()).toJson();
  }

  /**
   * Reads the annotation of a pod; empty if it has none.
   *
   * @throws UnreadableException if it cannot be read
   */
  public static Optional<Placed> of(Pod pod) {
    Map<String, String> annotations = pod.getMetadata().getAnnotations();
    return Optional.ofNullable(annotations).map(all -> all.get(ANNOTATION)).map(FORMAT::fromJson);
  }
}

package dev.berth.kubernetes.meaning;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.Optional;

/**
 * The controller that a pod belongs to, and the place of the pod in it.
 *
 * @param uid UID of the controller, not blank. It differs from that of an earlier controller of the
 *     same name
 * @param kind kind of the controller: {@code "ReplicaSet"}
 * @param name name of the controller
 * @param position ordinal in a StatefulSet, or index in an indexed Job; empty if the pods of the
 *     controller are alike
 */
public record Owner(String uid, String kind, String name, Optional<String> position) {

  private static final String COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";

  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if {@code uid} is blank
   */
  public Owner {
    if (uid.isBlank()) {
      throw new IllegalArgumentException("owner uid was blank.");
    }
  }

  /** Returns the controller of a pod; empty if it has none. Other owners do not count. */
  public static Optional<Owner> of(Pod pod) {
    ObjectMeta meta = pod.getMetadata();
    if (meta == null) {
      return Optional.empty();
    }
    for (OwnerReference each : Nulls.list(meta.getOwnerReferences())) {
      if (Nulls.isTrue(each.getController()) && !Nulls.text(each.getUid()).isBlank()) {
        String kind = Nulls.text(each.getKind());
        String name = Nulls.text(each.getName());
        return Optional.of(new Owner(each.getUid(), kind, name, position(kind, name, meta)));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> position(String kind, String owner, ObjectMeta meta) {
    if (kind.equals("StatefulSet")) {
      String prefix = owner + "-";
      String name = Nulls.text(meta.getName());
      return name.startsWith(prefix) && name.length() > prefix.length()
          ? Optional.of(name.substring(prefix.length()))
          : Optional.empty();
    }
    if (kind.equals("Job")) {
      Map<String, String> annotations = Nulls.map(meta.getAnnotations());
      return Optional.ofNullable(
          annotations.getOrDefault(
              COMPLETION_INDEX, Nulls.map(meta.getLabels()).get(COMPLETION_INDEX)));
    }
    return Optional.empty();
  }

  /**
   * Returns the name of the job of a pod: {@code "default/ReplicaSet/web/UID"}, after its
   * controller, so that the job is all pods of the controller. The pods of a namespace that have no
   * controller are one job, {@code "default/Pod"}.
   */
  public static String jobOf(Pod pod) {
    String namespace =
        pod.getMetadata() == null ? "" : Nulls.text(pod.getMetadata().getNamespace());
    return of(pod)
        .map(owner -> String.join("/", namespace, owner.kind, owner.name, owner.uid))
        .orElse(namespace + "/Pod");
  }
}

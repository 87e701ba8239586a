package dev.berth.kubernetes.meaning;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/**
 * The PodGroup that a pod names.
 *
 * @param api the API that the PodGroup is of
 * @param namespace its namespace, that of the pod
 * @param name its name
 */
public record PodGroupRef(Api api, String namespace, String name) {

  /** The label that names the PodGroup of a pod, as for the coscheduling plugin. */
  public static final String LABEL = "scheduling.x-k8s.io/pod-group";

  /** The APIs that have PodGroups. */
  public enum Api {
    /** That of the coscheduling plugin, {@code scheduling.x-k8s.io}. A label names the group. */
    COSCHEDULING("scheduling.x-k8s.io"),
    /** That of Kubernetes itself, {@code scheduling.k8s.io}, from 1.35 on. */
    WORKLOAD("scheduling.k8s.io");

    private final String group;

    Api(String group) {
      this.group = group;
    }

    /** Returns the name of the API group. */
    public String group() {
      return group;
    }
  }

  /**
   * Returns the PodGroup of a pod, by {@code spec.schedulingGroup} or else by the label {@value
   * #LABEL}; empty if it names none.
   */
  public static Optional<PodGroupRef> of(Pod pod) {
    if (pod.getMetadata() == null) {
      return Optional.empty();
    }
    String namespace = Nulls.text(pod.getMetadata().getNamespace());
    if (pod.getSpec() != null && pod.getSpec().getSchedulingGroup() != null) {
      String name = Nulls.text(pod.getSpec().getSchedulingGroup().getPodGroupName());
      return Optional.of(new PodGroupRef(Api.WORKLOAD, namespace, name));
    }
    String name = Nulls.text(Nulls.map(pod.getMetadata().getLabels()).get(LABEL));
    return name.isEmpty()
        ? Optional.empty()
        : Optional.of(new PodGroupRef(Api.COSCHEDULING, namespace, name));
  }

  /** Returns its name for people, with its namespace. */
  public String key() {
    return namespace + "/" + name;
  }
}

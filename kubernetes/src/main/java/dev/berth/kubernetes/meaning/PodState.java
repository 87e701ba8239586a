package dev.berth.kubernetes.meaning;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.Optional;

/** The state of a pod as its scheduler sees it. */
public enum PodState {
  /** It names our scheduler, has no node and no scheduling gate. */
  WAITING,
  /** As {@link #WAITING}, but a scheduling gate keeps it back. It is not to be scheduled yet. */
  GATED,
  /** It names our scheduler and is on a node. */
  BOUND,
  /**
   * It names our scheduler and is being deleted. If it has a node, it counts there until it is
   * gone.
   */
  ENDING,
  /** It has succeeded or failed, and holds nothing. Its scheduler does not matter. */
  FINISHED,
  /** It names another scheduler and is on a node, where it counts until it is gone. */
  FOREIGN_BOUND,
  /** It names another scheduler and has no node. */
  FOREIGN_WAITING;

  /** The scheduler of pods that name none. */
  private static final String DEFAULT_SCHEDULER = "default-scheduler";

  /**
   * Returns the state of a pod.
   *
   * @param schedulerName the name of our scheduler
   */
  public static PodState of(Pod pod, String schedulerName) {
    if (isFinished(pod)) {
      return FINISHED;
    }
    boolean bound = nodeOf(pod).isPresent();
    if (!schedulerName.equals(schedulerOf(pod))) {
      return bound ? FOREIGN_BOUND : FOREIGN_WAITING;
    }
    if (pod.getMetadata() != null && pod.getMetadata().getDeletionTimestamp() != null) {
      return ENDING;
    }
    if (bound) {
      return BOUND;
    }
    return Nulls.list(pod.getSpec().getSchedulingGates()).isEmpty() ? WAITING : GATED;
  }

  /** Returns the node that a pod is bound to; empty if it is not bound. */
  public static Optional<String> nodeOf(Pod pod) {
    PodSpec spec = pod.getSpec();
    return spec == null || Nulls.text(spec.getNodeName()).isBlank()
        ? Optional.empty()
        : Optional.of(spec.getNodeName());
  }

  /**
   * Returns whether a pod holds resources of its node: it is bound and has not finished. A pod that
   * is being deleted holds them until it is gone.
   */
  public static boolean holdsResources(Pod pod) {
    return nodeOf(pod).isPresent() && !isFinished(pod);
  }

  /**
   * Returns whether a pod belongs to its node, as pods of a DaemonSet and static pods do. No
   * scheduler could have put it elsewhere.
   */
  public static boolean belongsToNode(Pod pod) {
    return pod.getMetadata() != null
        && (Nulls.map(pod.getMetadata().getAnnotations()).containsKey("kubernetes.io/config.mirror")
            || Owner.of(pod).filter(owner -> owner.kind().equals("DaemonSet")).isPresent());
  }

  private static String schedulerOf(Pod pod) {
    String named = pod.getSpec() == null ? "" : Nulls.text(pod.getSpec().getSchedulerName());
    return named.isEmpty() ? DEFAULT_SCHEDULER : named;
  }

  private static boolean isFinished(Pod pod) {
    PodStatus status = pod.getStatus();
    String phase = status == null ? "" : Nulls.text(status.getPhase());
    return phase.equals("Succeeded") || phase.equals("Failed");
  }
}

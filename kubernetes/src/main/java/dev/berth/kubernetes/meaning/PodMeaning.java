package dev.berth.kubernetes.meaning;

import dev.berth.api.Request;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;

/** What a pod asks for: a request, or reasons why it is refused. */
public sealed interface PodMeaning {

  /**
   * A request.
   *
   * @param request the request. Its job is {@link Owner#jobOf}, its user the namespace, and its
   *     labels are those of {@link PeerLabels}
   * @param group the pod group; empty if it is in none. How many members must start together is
   *     said by the PodGroup
   * @param leftOut wishes of the pod that are left out, since the scheduler cannot express them;
   *     none of them limits the nodes that are allowed
   */
  record Understood(Request request, Optional<PodGroupRef> group, List<Refusal> leftOut)
      implements PodMeaning {
    /** Copies the list. */
    public Understood {
      leftOut = List.copyOf(leftOut);
    }
  }

  /**
   * Reasons why the pod is not scheduled.
   *
   * @param reasons the first of them, at least one
   */
  record Refused(List<Refusal> reasons) implements PodMeaning {
    /** Copies the list. */
    public Refused {
      reasons = List.copyOf(reasons);
    }
  }

  /**
   * Returns what a pod asks for. It does not matter whether the pod waits or is bound; see {@link
   * PodState}. Nothing in a pod makes it throw.
   *
   * @param instance id of the request, not blank
   * @param rules how pods are translated
   * @param claims the volumes that claims are bound to
   * @throws IllegalArgumentException if {@code instance} is blank
   */
  static PodMeaning of(String instance, Pod pod, PodRules rules, Claims claims) {
    if (instance.isBlank()) {
      throw new IllegalArgumentException("instance id was blank.");
    }
    return new PodReader(instance, pod, rules, claims).read();
  }
}

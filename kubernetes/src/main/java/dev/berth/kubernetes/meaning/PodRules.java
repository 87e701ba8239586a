package dev.berth.kubernetes.meaning;

import java.util.Set;

/**
 * The parts of a configuration that say how pods are translated. Immutable.
 *
 * @param serviceClasses how the service class of a pod is chosen
 * @param peerLabels how selectors of pods become peers
 * @param ignoredFields names of fields of {@code spec} that this version does not know, and that do
 *     not matter for the choice of a node. A pod with another unknown field is refused
 */
public record PodRules(
    ServiceClassRules serviceClasses, PeerLabels peerLabels, Set<String> ignoredFields) {

  /** Copies the set. */
  public PodRules {
    ignoredFields = Set.copyOf(ignoredFields);
  }

  /** Creates rules with the default peer labels, which ignore no unknown field. */
  public PodRules(ServiceClassRules serviceClasses) {
    this(serviceClasses, PeerLabels.DEFAULT, Set.of());
  }
}

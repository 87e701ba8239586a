package dev.berth.kubernetes.meaning;

import dev.berth.core.error.NearestName;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * How the service class of a pod is chosen: by the label {@value #LABEL}, else by the priority
 * class, else the default. Immutable.
 *
 * @param names names of all service classes
 * @param byPriorityClass the service class of each priority class that stands for one
 * @param defaultClass the service class of all other pods; empty if they are refused
 */
public record ServiceClassRules(
    Set<String> names, Map<String, String> byPriorityClass, Optional<String> defaultClass) {

  /** The label of a pod that names its service class. */
  public static final String LABEL = "berth.dev/service-class";

  /**
   * Copies the collections.
   *
   * @throws IllegalArgumentException if a priority class or the default has a class that is not in
   *     {@code names}
   */
  public ServiceClassRules {
    names = Set.copyOf(names);
    byPriorityClass = Map.copyOf(byPriorityClass);
    for (String each : byPriorityClass.values()) {
      requireKnown(each, names);
    }
    if (defaultClass.isPresent()) {
      requireKnown(defaultClass.get(), names);
    }
  }

  private static void requireKnown(String name, Set<String> names) {
    if (!names.contains(name)) {
      throw new IllegalArgumentException(
          "service class %s does not exist. %s"
              .formatted(name, NearestName.hintAndList(name, new TreeSet<>(names))));
    }
  }

  /**
   * Returns the service class of a pod.
   *
   * @return empty if none can be chosen; such a pod is refused
   */
  Optional<String> classOf(Pod pod, Findings findings) {
    Map<String, String> labels =
        pod.getMetadata() == null ? Map.of() : Nulls.map(pod.getMetadata().getLabels());
    String named = labels.get(LABEL);
    if (named != null) {
      if (names.contains(named)) {
        return Optional.of(named);
      }
      findings.refuse(
          "metadata.labels[%s]".formatted(LABEL),
          named,
          "must be a service class",
          NearestName.hintAndList(named, new TreeSet<>(names)));
      return Optional.empty();
    }
    String priorityClass =
        pod.getSpec() == null ? "" : Nulls.text(pod.getSpec().getPriorityClassName());
    String its = byPriorityClass.get(priorityClass);
    if (its != null) {
      return Optional.of(its);
    }
    if (defaultClass.isEmpty()) {
      findings.refuse(
          "spec.priorityClassName",
          priorityClass.isEmpty() ? "not set" : priorityClass,
          "must stand for a service class, since there is no default",
          "Set the label %s. Known: %s.".formatted(LABEL, String.join(", ", new TreeSet<>(names))));
    }
    return defaultClass;
  }
}

package dev.berth.api.fleet;

import static dev.berth.api.Arguments.refuseIf;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a fleet has at one time: its hosts that are up, and the instances on them. Immutable.
 *
 * @param hosts all hosts that are up, and those that {@linkplain dev.berth.api.Taint#UNREACHABLE
 *     cannot be reached}, with that taint; each id once
 * @param instances all instances on them, as far as they can be reached; an id may occur again in
 *     another attempt, as on a host that was out of reach
 * @param underWay ids of instances that an action under way may be about to change. What is
 *     believed of them stays
 */
public record Observation(
    List<ObservedHost> hosts, List<ObservedInstance> instances, Set<String> underWay) {

  /**
   * Copies the collections.
   *
   * @throws IllegalArgumentException if a host occurs twice, or an instance does without different
   *     attempts, or an instance is on a host that is not listed
   */
  public Observation {
    hosts = List.copyOf(hosts);
    instances = List.copyOf(instances);
    underWay = Set.copyOf(underWay);
    Set<String> hostIds = new HashSet<>();
    for (ObservedHost each : hosts) {
      if (!hostIds.add(each.spec().id())) {
        throw new IllegalArgumentException(
            "host %s was observed twice, must be observed once.".formatted(each.spec().id()));
      }
    }
    Map<String, Set<OptionalInt>> attempts = new HashMap<>(); // by instance
    for (ObservedInstance each : instances) {
      Set<OptionalInt> others = attempts.computeIfAbsent(each.id(), id -> new HashSet<>());
      refuseIf(
          !others.add(each.attempt())
              || (others.size() > 1 && others.contains(OptionalInt.empty())),
          "instance %s was observed twice, must be observed once, or in different attempts.",
          each.id());
      if (!hostIds.contains(each.host())) {
        throw new IllegalArgumentException(
            "instance %s was observed on host %s, which was not observed itself."
                .formatted(each.id(), each.host()));
      }
    }
  }

  /** An observation while no action is under way. */
  public Observation(List<ObservedHost> hosts, List<ObservedInstance> instances) {
    this(hosts, instances, Set.of());
  }
}

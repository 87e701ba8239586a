package dev.berth.kubernetes.meaning;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What pods that are not our instances hold on a node. Immutable.
 *
 * @param resources what they hold together
 * @param attributes names of the attributes that say which ports of the node they take
 */
public record ForeignLoad(Resources resources, Set<String> attributes) {

  /** No pods. */
  public static final ForeignLoad NONE = new ForeignLoad(Resources.none(), Set.of());

  /** Copies the set. */
  public ForeignLoad {
    attributes = Set.copyOf(attributes);
  }

  /**
   * Returns what pods hold on their node. Pods that are being deleted count until they are gone.
   * Pods that are not bound or have finished hold nothing. Quantities that cannot be counted are
   * left out.
   *
   * @param pods pods of one node
   */
  public static ForeignLoad of(Collection<Pod> pods) {
    Map<Dimension, Long> sums = new TreeMap<>();
    Set<String> attributes = new TreeSet<>();
    for (Pod each : pods) {
      if (PodState.holdsResources(each)) {
        Resources held = PodDemand.of(each).resources();
        held.dimensions()
            .forEach(dimension -> sums.merge(dimension, held.amount(dimension), ForeignLoad::sum));
        List<HostPort> ports = PodDemand.hostPorts(each);
        ports.forEach(port -> attributes.addAll(port.marks()));
      }
    }
    Resources.Builder resources = Resources.builder();
    sums.forEach(resources::put);
    return new ForeignLoad(resources.build(), attributes);
  }

  private static long sum(long a, long b) {
    long sum = a + b; // both are below 2^62, or one is the greatest number
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}

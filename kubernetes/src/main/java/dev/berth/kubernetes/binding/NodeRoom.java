package dev.berth.kubernetes.binding;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.kubernetes.meaning.ForeignLoad;
import dev.berth.kubernetes.meaning.NodeMeaning;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The last check before a pod is bound: does its node have room by what the API server says? The
 * scheduler may have decided before it was informed of a change. So no delay in what it knows can
 * make a node hold too much.
 *
 * <p>A pod counts on its node from its reservation until the API server shows it there, or shows
 * that it is gone. Safe for use by several threads. A reservation costs time linear in the pods of
 * its node.
 */
final class NodeRoom {

  /** How long a binding without an answer may still take effect. */
  private static final long UNANSWERED = 30_000_000_000L;

  private final Cluster cluster;
  private final Map<String, Map<PodRef, Reservation>> reserved = new HashMap<>(); // by node

  /** What the API server says; see {@link ClusterMirror}. */
  interface Cluster {
    Optional<Node> node(String name);

    Collection<Pod> podsOn(String node);

    Optional<Pod> pod(PodRef ref);
  }

  private record Reservation(Resources demand, long until) {}

  NodeRoom(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Reserves room for a pod that is about to be bound. Repeating it changes nothing but the time.
   *
   * @param demand all that the pod will hold of the node
   * @return why there is no room; empty if it was reserved
   */
  synchronized Optional<String> reserve(PodRef pod, Resources demand, String name, long now) {
    Optional<Node> node = cluster.node(name);
    if (node.isEmpty()) {
      return Optional.of("node %s is gone.".formatted(name));
    }
    Map<PodRef, Reservation> others = reserved.computeIfAbsent(name, any -> new HashMap<>());
    others.remove(pod);
    List<Pod> there =
        cluster.podsOn(name).stream().filter(each -> !PodRef.of(each).equals(pod)).toList();
    Set<PodRef> shown = there.stream().map(PodRef::of).collect(Collectors.toSet());
    others
        .entrySet()
        .removeIf(
            each ->
                each.getValue().until() < now
                    || shown.contains(each.getKey())
                    || isElsewhere(each.getKey(), name));
    if (!(NodeMeaning.of(node.get(), ForeignLoad.of(there))
        instanceof NodeMeaning.Understood understood)) {
      return Optional.of("node %s is not understood any more.".formatted(name));
    }
    for (Dimension each : demand.dimensions()) {
      long taken = others.values().stream().mapToLong(it -> it.demand().amount(each)).sum();
      long free = understood.host().capacity().amount(each) - taken;
      if (demand.amount(each) > free) {
        return Optional.of(
            "node %s has %s of %s left, and the pod needs %s."
                .formatted(name, Math.max(0, free), each.name(), demand.amount(each)));
      }
    }
    others.put(pod, new Reservation(demand, now + UNANSWERED));
    return Optional.empty();
  }

  /**
   * Returns whether a pod is gone or on another node. The list of a node may be older than that.
   */
  private boolean isElsewhere(PodRef pod, String node) {
    return cluster
        .pod(pod)
        .map(
            each ->
                each.getSpec().getNodeName() != null && !node.equals(each.getSpec().getNodeName()))
        .orElse(true);
  }

  /** Gives the room of a pod back: its binding was refused. */
  synchronized void release(PodRef pod, String node) {
    Map<PodRef, Reservation> there = reserved.get(node);
    if (there != null && there.remove(pod) != null && there.isEmpty()) {
      reserved.remove(node);
    }
  }
}

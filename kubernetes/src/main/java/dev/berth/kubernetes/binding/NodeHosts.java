package dev.berth.kubernetes.binding;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.core.event.Event;
import dev.berth.kubernetes.binding.InstanceBook.Where;
import dev.berth.kubernetes.config.ForeignPods;
import dev.berth.kubernetes.meaning.ForeignLoad;
import dev.berth.kubernetes.meaning.NodeMeaning;
import dev.berth.kubernetes.meaning.PodState;
import dev.berth.kubernetes.meaning.Quantities;
import dev.berth.kubernetes.meaning.Refusal;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the hosts of the scheduler as the nodes of the cluster are. What pods hold that the
 * scheduler does not count itself is taken off their node.
 *
 * <p>Used by tasks of the binding alone.
 */
final class NodeHosts extends Part {

  private static final Logger LOG = LoggerFactory.getLogger(NodeHosts.class);

  private final Consumer<String> removed;
  private final Map<String, HostSpec> hosts = new HashMap<>();
  private final Set<Dimension> resources = new HashSet<>(Quantities.OF_EACH_NODE);
  private boolean hasNewResources;
  private final Set<String> cordoned = new HashSet<>();

  /**
   * @param removed what to do once a host was removed
   */
  NodeHosts(Part shared, Consumer<String> removed) {
    super(shared);
    this.removed = removed;
  }

  boolean has(String name) {
    return hosts.containsKey(name);
  }

  /**
   * Returns why a demand cannot be met: it names a resource that no node had so far. The scheduler
   * must not hear of it, since it keeps each resource for good, and users invent names.
   */
  Optional<Refusal> lack(Resources demand) {
    return demand.dimensions().stream()
        .filter(each -> !resources.contains(each))
        .findFirst()
        .map(
            each ->
                new Refusal(
                    "spec.containers.resources",
                    each.name(),
                    "must be a resource that some node has",
                    "The pod is looked at again once one has it."));
  }

  /** Returns whether a node has a resource that none had before the last call. */
  boolean hasNewResources() {
    boolean has = hasNewResources;
    hasNewResources = false;
    return has;
  }

  private @Nullable HostSpec put(String name, HostSpec spec) {
    hasNewResources |= resources.addAll(spec.capacity().dimensions());
    return hosts.put(name, spec);
  }

  /** Informs the scheduler of a node, as it is now. A node that cannot be read is not used. */
  void look(String name) {
    Optional<NodeMeaning.Understood> meant = meaningOf(name);
    if (meant.isEmpty()) {
      if (hosts.remove(name) != null) {
        cordoned.remove(name);
        submit(new Event.HostRemoved(name), name);
        removed.accept(name);
      }
      return;
    }
    HostSpec spec = meant.get().host();
    HostSpec before = put(name, spec);
    if (before == null) {
      submit(new Event.HostAdded(spec), name);
      mirror.podsOn(name).forEach(each -> mirror.look(PodRef.of(each)));
    } else if (!before.equals(spec)) {
      submit(new Event.HostChanged(spec), name);
    }
    warnOfForeignPods(name);
    boolean closed = meant.get().cordoned() || !meant.get().ready() || isCrowded(name);
    if (closed && cordoned.add(name)) {
      submit(new Event.HostCordoned(name), name);
    } else if (!closed && cordoned.remove(name)) {
      submit(new Event.HostUncordoned(name), name);
    }
  }

  /** Informs the scheduler of all nodes, as they are now. */
  void lookAtAll() {
    mirror.nodes().forEach(each -> look(each.getMetadata().getName()));
  }

  /**
   * Returns the hosts for a comparison. The scheduler knows hosts from inputs alone, so that both
   * paths cannot disagree. Only at the start, when there can be no input, a comparison has the
   * hosts first.
   */
  Collection<HostSpec> observe() {
    Set<String> names = new TreeSet<>(hosts.keySet());
    mirror.nodes().forEach(each -> names.add(each.getMetadata().getName()));
    for (String name : names) {
      if (loop.isOpen()) {
        look(name);
      } else {
        meaningOf(name).ifPresent(meant -> put(name, meant.host()));
      }
    }
    return List.copyOf(hosts.values());
  }

  private void submit(Event<?> input, String node) {
    loop.apply(
        input,
        failure -> {
          if (failure != null && !LoopPort.isStopped(failure)) {
            LOG.debug("{} was refused", input, failure);
            hosts.remove(node); // look at it anew
            cordoned.remove(node);
            loop.compareSoon();
          }
        });
  }

  private Optional<NodeMeaning.Understood> meaningOf(String name) {
    Optional<Node> node =
        mirror.node(name).filter(each -> NodeMeaning.isSelected(each, configuration.nodes()));
    if (node.isEmpty()) {
      return Optional.empty();
    }
    try {
      return meaningOf(node.get(), name);
    } catch (RuntimeException odd) {
      LOG.warn("Node {} is not used, since it cannot be read", name, odd);
      return Optional.empty();
    }
  }

  private Optional<NodeMeaning.Understood> meaningOf(Node node, String name) {
    List<Pod> foreign =
        mirror.podsOn(name).stream()
            .filter(each -> !book.isCounted(each.getMetadata().getUid()))
            .filter(each -> !isBeingBound(each))
            .toList();
    NodeMeaning meaning = NodeMeaning.of(node, ForeignLoad.of(foreign));
    if (meaning instanceof NodeMeaning.Refused no) {
      LOG.warn("Node {} is not used: {}", name, Refusal.describe(no.reasons()));
      return Optional.empty();
    }
    return Optional.of((NodeMeaning.Understood) meaning);
  }

  /** The answer to its binding is still to come, so the scheduler counts it already. */
  private boolean isBeingBound(Pod pod) {
    return book.ofPod(pod.getMetadata().getUid())
        .filter(view -> PodRef.of(pod).equals(view.pod()) && view.where() == Where.PENDING)
        .isPresent();
  }

  // ---- Pods of others

  private boolean isCrowded(String name) {
    return configuration.foreignPods() == ForeignPods.CLOSE && !foreignPodsOn(name).isEmpty();
  }

  /** Returns the pods on a node that another scheduler has placed there. */
  private List<Pod> foreignPodsOn(String name) {
    return mirror.podsOn(name).stream()
        .filter(
            each ->
                PodState.of(each, configuration.schedulerName()) == PodState.FOREIGN_BOUND
                    && !PodState.belongsToNode(each))
        .toList();
  }

  private void warnOfForeignPods(String name) {
    if (configuration.foreignPods() != ForeignPods.COUNT) {
      for (Pod each : foreignPodsOn(name)) {
        String text =
            "Pod %s is on node %s, which scheduler %s manages."
                .formatted(PodRef.of(each).key(), name, configuration.schedulerName());
        notes.warn(each, "ForeignPod", text, time.now());
      }
    }
  }
}

package dev.berth.kubernetes.meaning;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What a node means: a host, or reasons why it is none. */
public sealed interface NodeMeaning {

  /** The attribute that holds the name of the node. No label can have this name. */
  String NAME_ATTRIBUTE = "field:metadata.name";

  /**
   * A host.
   *
   * <p>Its capacity is what the node has allocatable, less what foreign pods hold, and never below
   * zero. Its attributes are the labels of the node, {@link #NAME_ATTRIBUTE}, and the ports that
   * foreign pods take. Its taints are those of the node, {@code node.kubernetes.io/unschedulable}
   * and {@code not-ready} too. {@code NoSchedule} becomes {@link Taint.Effect#NO_NEW}, {@code
   * PreferNoSchedule} becomes {@link Taint.Effect#PREFER_NOT}, and {@code NoExecute} becomes {@link
   * Taint.Effect#LEAVE}. The grace is 300 s for {@code not-ready} and {@code unreachable}, as in
   * the tolerations that API servers add to each pod, and none for others.
   *
   * @param host the host; its id is the name of the node
   * @param cordoned whether the node is marked as unschedulable. A cordoned host of the scheduler
   *     takes no new instance, not even one that tolerates the taint of the mark
   * @param ready whether the node reports that it is ready; not if it does not say so
   */
  record Understood(HostSpec host, boolean cordoned, boolean ready) implements NodeMeaning {}

  /**
   * Reasons why the node cannot be a host.
   *
   * @param reasons the first of them, at least one
   */
  record Refused(List<Refusal> reasons) implements NodeMeaning {
    /** Copies the list. */
    public Refused {
      reasons = List.copyOf(reasons);
    }
  }

  /**
   * Returns what a node means.
   *
   * @param foreign what pods on the node hold that are not our instances
   */
  static NodeMeaning of(Node node, ForeignLoad foreign) {
    Findings findings = new Findings();
    String name = node.getMetadata() == null ? "" : Nulls.text(node.getMetadata().getName());
    if (name.isBlank()) {
      findings.refuse("metadata.name", name, "must not be blank");
    }
    Resources capacity = capacity(node.getStatus(), foreign.resources(), findings);
    List<Taint> taints = taints(node.getSpec(), findings);
    if (!findings.refused().isEmpty()) {
      return new Refused(findings.refused());
    }
    Map<String, String> attributes = new TreeMap<>(Nulls.map(node.getMetadata().getLabels()));
    attributes.put(NAME_ATTRIBUTE, name);
    foreign.attributes().forEach(each -> attributes.put(each, HostPort.USED));
    boolean cordoned = node.getSpec() != null && Nulls.isTrue(node.getSpec().getUnschedulable());
    return new Understood(
        new HostSpec(name, capacity, attributes, false, taints), cordoned, isReady(node));
  }

  /**
   * Returns whether a node has the labels that a selector asks for. A selector that says nothing
   * selects all nodes.
   */
  static boolean isSelected(Node node, LabelSelector nodes) {
    return Selectors.matches(
        nodes, node.getMetadata() == null ? Map.of() : Nulls.map(node.getMetadata().getLabels()));
  }

  private static boolean isReady(Node node) {
    return node.getStatus() != null
        && Nulls.list(node.getStatus().getConditions()).stream()
            .anyMatch(
                each ->
                    Nulls.text(each.getType()).equals("Ready")
                        && Nulls.text(each.getStatus()).equals("True"));
  }

  private static Resources capacity(NodeStatus status, Resources foreign, Findings findings) {
    Resources.Builder capacity = Resources.builder();
    Map<String, Quantity> allocatable =
        status == null ? Map.of() : Nulls.map(status.getAllocatable());
    allocatable.forEach(
        (name, quantity) -> {
          Optional<Dimension> dimension = Quantities.dimension(name);
          if (dimension.isPresent()) {
            long units =
                units(
                    "status.allocatable[%s]".formatted(name), dimension.get(), quantity, findings);
            capacity.put(dimension.get(), Math.max(0, units - foreign.amount(dimension.get())));
          }
        });
    return capacity.build();
  }

  private static long units(
      String path, Dimension dimension, Quantity quantity, Findings findings) {
    String text = Quantities.textOf(quantity);
    BigDecimal value;
    try {
      value = Quantities.parse(text);
    } catch (IllegalArgumentException malformed) {
      findings.refuse(path, text, Quantities.RULE);
      return 0;
    }
    try {
      return Quantities.capacity(dimension, value);
    } catch (IllegalArgumentException outOfRange) {
      findings.refuse(path, text, Quantities.SIZE);
      return 0;
    }
  }

  private static List<Taint> taints(NodeSpec spec, Findings findings) {
    List<Taint> taints = new ArrayList<>();
    List<io.fabric8.kubernetes.api.model.Taint> given =
        spec == null ? List.of() : Nulls.list(spec.getTaints());
    if (given.size() > HostSpec.MOST_TAINTS) {
      findings.refuse(
          "spec.taints",
          given.size() + " taints",
          "must have at most %s".formatted(HostSpec.MOST_TAINTS));
      return taints;
    }
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < given.size(); i++) {
      String path = "spec.taints[%s]".formatted(i);
      String key = Nulls.text(given.get(i).getKey());
      String value = Nulls.text(given.get(i).getValue());
      String effect = Nulls.text(given.get(i).getEffect());
      Optional<Taint.Effect> known = Tolerations.effect(effect);
      if (key.isBlank()) {
        findings.refuse(path + ".key", key, "must not be blank");
      } else if (known.isEmpty()) {
        findings.refuse(path + ".effect", effect, Tolerations.EFFECT_RULE);
      } else if (!seen.add(effect + " " + key)) {
        findings.refuse(path, key + ":" + effect, "must not be given twice");
      } else {
        taints.add(new Taint(key, value, known.get(), Tolerations.grace(key, known.get())));
      }
    }
    return taints;
  }
}

package dev.berth.kubernetes.meaning;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Exact amounts of resources by name, in cores, bytes and pieces. Resources without a dimension and
 * quantities that cannot be read are reported and left out. Not thread-safe.
 */
final class Amounts {

  private final Map<String, BigDecimal> byName = new TreeMap<>();

  /**
   * Reads the resources of an object.
   *
   * @param path place of the map, for messages
   */
  static Amounts read(String path, Map<String, Quantity> quantities, Findings findings) {
    Amounts amounts = new Amounts();
    Nulls.map(quantities).forEach((name, quantity) -> amounts.read(path, name, quantity, findings));
    return amounts;
  }

  private void read(String path, String name, Quantity quantity, Findings findings) {
    String place = path + "[" + name + "]";
    String text = Quantities.textOf(quantity);
    Optional<Dimension> dimension = Quantities.dimension(name);
    BigDecimal value;
    try {
      value = Quantities.parse(text);
    } catch (IllegalArgumentException malformed) {
      findings.refuse(place, text, Quantities.RULE);
      return;
    }
    if (value.signum() == 0) {
      return;
    }
    if (dimension.isEmpty() || dimension.get().equals(Quantities.PODS)) {
      findings.refuse(
          place,
          text,
          "must be a resource that a container can ask for",
          "Known: cpu, memory, ephemeral-storage, hugepages-SIZE, and names with a domain.");
      return;
    }
    try {
      Quantities.demand(dimension.get(), value);
    } catch (IllegalArgumentException outOfRange) {
      findings.refuse(place, text, Quantities.SIZE);
      return;
    }
    byName.put(name, value);
  }

  /** Adds other amounts. */
  void add(Amounts other) {
    other.byName.forEach((name, value) -> byName.merge(name, value, BigDecimal::add));
  }

  /** Takes the greater amount of each resource. */
  void max(Amounts other) {
    other.byName.forEach((name, value) -> byName.merge(name, value, BigDecimal::max));
  }

  /** Takes over amounts of resources that are missing here. */
  void fillFrom(Amounts other) {
    other.byName.forEach(byName::putIfAbsent);
  }

  /** Replaces the amounts of resources that the other one has. */
  void replaceBy(Amounts other) {
    byName.putAll(other.byName);
  }

  /** Returns whether there is no amount. */
  boolean isEmpty() {
    return byName.isEmpty();
  }

  /** Returns the demand of one pod with these amounts, which holds a place for a pod too. */
  Resources demandOfPod(String path, Findings findings) {
    Resources.Builder resources = Resources.builder().put(Quantities.PODS, 1);
    byName.forEach(
        (name, value) -> {
          Dimension dimension = Quantities.dimension(name).orElseThrow();
          try {
            resources.put(dimension, Quantities.demand(dimension, value));
          } catch (IllegalArgumentException outOfRange) {
            findings.refuse(path, name + " " + value.toPlainString(), Quantities.SIZE);
          }
        });
    return resources.build();
  }
}

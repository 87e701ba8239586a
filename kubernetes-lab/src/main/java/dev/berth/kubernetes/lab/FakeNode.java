package dev.berth.kubernetes.lab;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A node that exists in the API server alone.
 *
 * @param name unique among the nodes
 * @param capacity amounts by resource name; pods can have all of it
 * @param labels the node also gets the label {@code kubernetes.io/hostname}, unless it is here
 * @param taints those that stay once the node is ready
 */
public record FakeNode(
    String name, Map<String, Quantity> capacity, Map<String, String> labels, List<Taint> taints) {

  /** Copies the collections. */
  public FakeNode {
    capacity = Map.copyOf(capacity);
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
  }

  /**
   * Returns a node without labels and taints.
   *
   * @param cpu an amount of Kubernetes, such as {@code 4} or {@code 500m}
   * @param memory an amount of Kubernetes, such as {@code 16Gi}
   * @param pods how many pods it can run at a time
   */
  public static FakeNode of(String name, String cpu, String memory, int pods) {
    Map<String, Quantity> capacity =
        Map.of(
            "cpu", Quantity.parse(cpu),
            "memory", Quantity.parse(memory),
            "pods", Quantity.parse(Integer.toString(pods)));
    return new FakeNode(name, capacity, Map.of(), List.of());
  }

  /**
   * Returns equal nodes as {@link #of} makes them, named {@code prefix-0}, {@code prefix-1} and so
   * on.
   */
  public static List<FakeNode> several(
      int count, String prefix, String cpu, String memory, int pods) {
    return IntStream.range(0, count)
        .mapToObj(i -> of(prefix + "-" + i, cpu, memory, pods))
        .toList();
  }

  /** Returns a copy with other labels. */
  public FakeNode withLabels(Map<String, String> others) {
    return new FakeNode(name, capacity, others, taints);
  }

  /** Returns a copy with other taints. */
  public FakeNode withTaints(List<Taint> others) {
    return new FakeNode(name, capacity, labels, others);
  }
}

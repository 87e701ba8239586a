package dev.berth.kubernetes.meaning;

import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodAffinityTermBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PreferredSchedulingTerm;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Pods of which one part is as large as wanted, up to what an API server accepts: 1.5 MiB. All of
 * it follows from a seed.
 */
final class LargePods {

  private static final List<String> QUANTITIES =
      List.of(
          "1e3",
          "128974848000m",
          "0.1",
          "-1",
          "9223372036854775808",
          "9223372036854775807",
          "4611686018427387903",
          "1e99",
          "1e-99",
          "0.000000001",
          "12345678901234567890123456789Ei",
          "1n",
          "",
          "1Ki1",
          "8E");

  private final Random random;

  LargePods(long seed) {
    this.random = new Random(seed);
  }

  /** What is large in a pod. */
  enum Part {
    QUANTITIES,
    LABELS,
    CONTAINERS,
    PORTS,
    RESOURCES,
    NODE_SELECTOR,
    NODE_TERMS,
    NODE_VALUES,
    NODE_EXCLUSIONS,
    NODE_WISHES,
    TOLERATIONS,
    SPREADS,
    PEER_TERMS,
    PEER_VALUES,
    PEER_EXCLUSIONS,
    PEER_WISHES,
    NAMESPACES
  }

  private static <T> List<T> list(int size, IntFunction<T> element) {
    return IntStream.range(0, size).mapToObj(element).toList();
  }

  private static <T> Map<String, T> map(int size, IntFunction<T> value) {
    return IntStream.range(0, size)
        .boxed()
        .collect(Collectors.toMap(i -> "d.io/k" + i, value::apply, (a, b) -> a, TreeMap::new));
  }

  private Quantity quantity() {
    Quantity odd = new Quantity();
    odd.setAmount(QUANTITIES.get(random.nextInt(QUANTITIES.size())));
    odd.setFormat("");
    return odd;
  }

  private String word() {
    return "w" + random.nextInt(100);
  }

  private static Container container(String name, Map<String, Quantity> requests) {
    return new ContainerBuilder()
        .withName(name)
        .withNewResources()
        .withRequests(requests)
        .endResources()
        .build();
  }

  private static NodeSelectorRequirement onNode(String key, String operator, List<String> values) {
    return new NodeSelectorRequirement(key, operator, values);
  }

  private static LabelSelectorRequirement onPods(String key, String operator, List<String> values) {
    return new LabelSelectorRequirement(key, operator, values);
  }

  private static PodAffinityTerm peers(String topology, LabelSelectorRequirement... selector) {
    return new PodAffinityTermBuilder()
        .withTopologyKey(topology)
        .withNewLabelSelector()
        .withMatchExpressions(selector)
        .endLabelSelector()
        .build();
  }

  /** Returns a pod of which a part has a size. */
  Pod pod(Part part, int size) {
    PodBuilder pod =
        new PodBuilder()
            .withNewMetadata()
            .withName("pod")
            .withNamespace("default")
            .withUid("uid")
            .addToLabels("app", word())
            .endMetadata()
            .withNewSpec()
            .withSchedulerName("berth")
            .withContainers(container("c", Map.of("cpu", Quantity.parse("1"))))
            .endSpec();
    AffinityBuilder affinity = new AffinityBuilder();
    switch (part) {
      case QUANTITIES ->
          pod.editSpec()
              .withContainers(
                  list(
                      Math.min(size, 1_000),
                      i ->
                          container(
                              "c" + i,
                              Map.of(
                                  "cpu",
                                  quantity(),
                                  "memory",
                                  quantity(),
                                  word() + ".io/" + i,
                                  quantity()))))
              .endSpec();
      case LABELS -> pod.editMetadata().withLabels(map(size, i -> word())).endMetadata();
      case CONTAINERS ->
          pod.editSpec()
              .withContainers(
                  list(size, i -> container("c" + i, Map.of("cpu", Quantity.parse("1m")))))
              .endSpec();
      case PORTS ->
          pod.editSpec()
              .editFirstContainer()
              .withPorts(
                  list(
                      size,
                      i ->
                          new io.fabric8.kubernetes.api.model.ContainerPortBuilder()
                              .withContainerPort(1)
                              .withHostPort(1 + i % 65_535)
                              .withHostIP("10.0.0." + i)
                              .build()))
              .endContainer()
              .endSpec();
      case RESOURCES ->
          pod.editSpec()
              .withContainers(
                  container(
                      "c",
                      IntStream.range(0, size)
                          .boxed()
                          .collect(
                              Collectors.toMap(
                                  i -> "r.io/" + i + "-" + random.nextInt(),
                                  i -> Quantity.parse("1")))))
              .endSpec();
      case NODE_SELECTOR -> pod.editSpec().withNodeSelector(map(size, i -> word())).endSpec();
      case NODE_TERMS ->
          affinity
              .withNewNodeAffinity()
              .withNewRequiredDuringSchedulingIgnoredDuringExecution()
              .withNodeSelectorTerms(
                  list(
                      size,
                      i ->
                          new NodeSelectorTerm(
                              List.of(onNode("zone", "In", List.of("z" + i))), List.of())))
              .endRequiredDuringSchedulingIgnoredDuringExecution()
              .endNodeAffinity();
      case NODE_VALUES, NODE_EXCLUSIONS ->
          affinity
              .withNewNodeAffinity()
              .withNewRequiredDuringSchedulingIgnoredDuringExecution()
              .withNodeSelectorTerms(
                  new NodeSelectorTerm(
                      List.of(
                          onNode(
                              "zone",
                              part == Part.NODE_VALUES ? "In" : "NotIn",
                              list(size, i -> "z" + i))),
                      List.of()))
              .endRequiredDuringSchedulingIgnoredDuringExecution()
              .endNodeAffinity();
      case NODE_WISHES ->
          affinity
              .withNewNodeAffinity()
              .withPreferredDuringSchedulingIgnoredDuringExecution(
                  list(
                      size,
                      i ->
                          new PreferredSchedulingTerm(
                              new NodeSelectorTerm(
                                  List.of(onNode(word(), "In", List.of("z" + i))), List.of()),
                              i % 120)))
              .endNodeAffinity();
      case TOLERATIONS ->
          pod.editSpec()
              .withTolerations(
                  list(size, i -> new Toleration("NoExecute", "k" + i, "Exists", 300L, null)))
              .endSpec();
      case SPREADS ->
          pod.editSpec().withTopologySpreadConstraints(list(size, this::spread)).endSpec();
      case PEER_TERMS ->
          affinity
              .withNewPodAntiAffinity()
              .withRequiredDuringSchedulingIgnoredDuringExecution(
                  list(size, i -> peers("t" + i, onPods("app", "In", List.of(word())))))
              .endPodAntiAffinity();
      case PEER_VALUES, PEER_EXCLUSIONS ->
          affinity
              .withNewPodAntiAffinity()
              .withRequiredDuringSchedulingIgnoredDuringExecution(
                  peers(
                      "zone",
                      onPods("app", "In", list(size, i -> "a" + i)),
                      onPods(
                          "app",
                          part == Part.PEER_VALUES ? "Exists" : "NotIn",
                          part == Part.PEER_VALUES ? List.of() : list(size - 1, i -> "a" + i)),
                      onPods("tier", "In", list(16, i -> "t" + i))))
              .endPodAntiAffinity();
      case PEER_WISHES ->
          affinity
              .withNewPodAffinity()
              .withPreferredDuringSchedulingIgnoredDuringExecution(
                  list(
                      size,
                      i ->
                          new WeightedPodAffinityTerm(
                              peers(
                                  "t" + i,
                                  onPods("app", i % 2 == 0 ? "In" : "Exists", List.of(word()))),
                              1 + i % 100)))
              .endPodAffinity();
      case NAMESPACES ->
          affinity
              .withNewPodAntiAffinity()
              .withRequiredDuringSchedulingIgnoredDuringExecution(
                  new PodAffinityTermBuilder(peers("zone", onPods("app", "In", List.of("a"))))
                      .withNamespaces(list(size, i -> "n" + i))
                      .build())
              .endPodAntiAffinity();
    }
    return pod.editSpec().withAffinity(affinity.build()).endSpec().build();
  }

  private TopologySpreadConstraint spread(int i) {
    return new TopologySpreadConstraintBuilder()
        .withMaxSkew(i % 3)
        .withTopologyKey("t" + i)
        .withWhenUnsatisfiable(i % 2 == 0 ? "DoNotSchedule" : "ScheduleAnyway")
        .withNewLabelSelector()
        .withMatchLabels(Map.of("app", word()))
        .endLabelSelector()
        .build();
  }
}

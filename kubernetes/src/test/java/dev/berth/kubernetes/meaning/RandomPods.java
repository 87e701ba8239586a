package dev.berth.kubernetes.meaning;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.EphemeralVolumeSource;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimVolumeSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinity;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodAntiAffinity;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodOS;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.PodSchedulingGroup;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PreferredSchedulingTerm;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Pods and nodes at random, valid or not: any field may be missing, empty, or hold nonsense. All of
 * it follows from a seed.
 */
final class RandomPods {

  private static final List<String> WORDS =
      List.of(
          "",
          " ",
          "a",
          "b",
          "app",
          "tier",
          "web",
          "x/y",
          "cpu",
          "memory",
          "nvidia.com/gpu",
          "5",
          "-5",
          "99999999999999999999",
          "kubernetes.io/hostname",
          "metadata.name",
          "gold",
          "critical",
          "berth.dev/service-class",
          "default",
          "pods",
          "hugepages-2Mi",
          "\u0000",
          "ü");

  private final Random random;
  private final int nonsense;

  /**
   * Starts from a seed.
   *
   * @param nonsense out of a hundred values, how many are arbitrary words or missing
   */
  RandomPods(long seed, int nonsense) {
    this.random = new Random(seed);
    this.nonsense = nonsense;
  }

  private boolean odd() {
    return random.nextInt(100) < nonsense;
  }

  private <T> T maybe(Supplier<T> value) {
    return random.nextBoolean() ? value.get() : null;
  }

  private <T> T usually(Supplier<T> value) {
    return odd() ? null : value.get();
  }

  @SafeVarargs
  private <T> T one(T... values) {
    return values[random.nextInt(values.length)];
  }

  private String word() {
    return WORDS.get(random.nextInt(WORDS.size()));
  }

  private String text(String... sensible) {
    return odd() ? (random.nextBoolean() ? word() : null) : one(sensible);
  }

  private <T> List<T> list(int most, Supplier<T> element) {
    if (random.nextInt(12) == 0) {
      return null;
    }
    int size = random.nextInt(most + 1);
    List<T> list = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      list.add(odd() && random.nextInt(4) == 0 ? null : element.get());
    }
    return list;
  }

  private <T> Map<String, T> map(int most, Supplier<String> key, Supplier<T> value) {
    Map<String, T> map = new HashMap<>();
    int size = random.nextInt(most + 1);
    for (int i = 0; i < size; i++) {
      map.put(key.get(), value.get());
    }
    return map;
  }

  private Quantity quantity() {
    Quantity quantity = new Quantity();
    quantity.setAmount(text("1", "0", "250", "0.5", "4000000000", "1e3"));
    quantity.setFormat(text("", "m", "Mi", "k"));
    return quantity;
  }

  private Map<String, Quantity> quantities() {
    return maybe(
        () ->
            map(
                3,
                () -> text("cpu", "memory", "nvidia.com/gpu", "ephemeral-storage"),
                this::quantity));
  }

  private ResourceRequirements resources() {
    ResourceRequirements resources = new ResourceRequirements();
    resources.setRequests(quantities());
    resources.setLimits(quantities());
    return resources;
  }

  private Container container() {
    Container container = new Container();
    container.setName(text("a", "b"));
    container.setRestartPolicy(text("Always", ""));
    container.setResources(maybe(this::resources));
    container.setPorts(
        list(
            2,
            () -> {
              ContainerPort port = new ContainerPort();
              port.setHostPort(one(null, 0, 80, 81, -1));
              port.setHostIP(text("", "10.0.0.1", "0.0.0.0"));
              port.setProtocol(text("", "TCP", "UDP"));
              return port;
            }));
    return container;
  }

  Map<String, String> labels() {
    return map(3, () -> text("app", "tier", "x"), () -> text("web", "front", "back"));
  }

  LabelSelector selector() {
    LabelSelector selector = new LabelSelector();
    selector.setMatchLabels(maybe(this::labels));
    selector.setMatchExpressions(
        list(
            2,
            () -> {
              LabelSelectorRequirement each = new LabelSelectorRequirement();
              each.setKey(text("app", "tier", "x"));
              each.setOperator(text("In", "In", "In", "NotIn", "Exists", "DoesNotExist"));
              each.setValues(list(3, () -> text("web", "front", "back")));
              return each;
            }));
    return selector;
  }

  private NodeSelectorRequirement requirement() {
    NodeSelectorRequirement each = new NodeSelectorRequirement();
    each.setKey(text("zone", "disk", "cores"));
    each.setOperator(text("In", "In", "In", "NotIn", "Exists", "Gt", "Lt", "DoesNotExist"));
    each.setValues(
        each.getOperator() != null && each.getOperator().endsWith("t") && !odd()
            ? List.of(one("1", "5", "-3"))
            : list(2, () -> text("a", "b", "5")));
    return each;
  }

  private NodeSelectorTerm term() {
    NodeSelectorTerm term = new NodeSelectorTerm();
    term.setMatchExpressions(list(2, this::requirement));
    term.setMatchFields(
        list(
            1,
            () -> {
              NodeSelectorRequirement each = new NodeSelectorRequirement();
              each.setKey(text("metadata.name"));
              each.setOperator(text("In", "NotIn"));
              each.setValues(list(2, () -> text("n1", "n2")));
              return each;
            }));
    return term;
  }

  NodeSelector nodeSelector() {
    NodeSelector selector = new NodeSelector();
    selector.setNodeSelectorTerms(list(2, this::term));
    return selector;
  }

  private PodAffinityTerm podTerm() {
    PodAffinityTerm term = new PodAffinityTerm();
    term.setTopologyKey(text("kubernetes.io/hostname", "zone"));
    term.setLabelSelector(usually(this::selector));
    term.setNamespaces(list(2, () -> text("default", "other")));
    term.setNamespaceSelector(odd() ? selector() : null);
    term.setMatchLabelKeys(list(1, () -> text("app", "tier")));
    term.setMismatchLabelKeys(odd() ? list(1, () -> text("app", "tier")) : null);
    return term;
  }

  private WeightedPodAffinityTerm weighted() {
    WeightedPodAffinityTerm term = new WeightedPodAffinityTerm();
    term.setWeight(odd() ? one(0, -1, 101, null) : one(1, 50, 100));
    term.setPodAffinityTerm(usually(this::podTerm));
    return term;
  }

  private Affinity affinity() {
    Affinity affinity = new Affinity();
    affinity.setNodeAffinity(
        maybe(
            () -> {
              NodeAffinity node = new NodeAffinity();
              node.setRequiredDuringSchedulingIgnoredDuringExecution(maybe(this::nodeSelector));
              node.setPreferredDuringSchedulingIgnoredDuringExecution(
                  list(
                      2,
                      () -> {
                        PreferredSchedulingTerm term = new PreferredSchedulingTerm();
                        term.setWeight(one(1, 100, 0, null));
                        term.setPreference(usually(this::term));
                        return term;
                      }));
              return node;
            }));
    affinity.setPodAffinity(
        maybe(
            () -> {
              PodAffinity pod = new PodAffinity();
              pod.setRequiredDuringSchedulingIgnoredDuringExecution(list(1, this::podTerm));
              pod.setPreferredDuringSchedulingIgnoredDuringExecution(list(2, this::weighted));
              return pod;
            }));
    affinity.setPodAntiAffinity(
        maybe(
            () -> {
              PodAntiAffinity pod = new PodAntiAffinity();
              pod.setRequiredDuringSchedulingIgnoredDuringExecution(list(2, this::podTerm));
              pod.setPreferredDuringSchedulingIgnoredDuringExecution(list(2, this::weighted));
              return pod;
            }));
    return affinity;
  }

  private TopologySpreadConstraint spread() {
    TopologySpreadConstraint spread = new TopologySpreadConstraint();
    spread.setTopologyKey(text("kubernetes.io/hostname", "zone"));
    spread.setMaxSkew(odd() ? one(null, 0, -1) : one(1, 2));
    spread.setMinDomains(odd() ? one(0, 3) : one(null, 1));
    spread.setWhenUnsatisfiable(text("DoNotSchedule", "ScheduleAnyway"));
    spread.setNodeAffinityPolicy(text("Honor", "Ignore"));
    spread.setNodeTaintsPolicy(text("Ignore"));
    spread.setLabelSelector(usually(this::selector));
    spread.setMatchLabelKeys(list(1, () -> text("app", "tier")));
    return spread;
  }

  private Toleration toleration() {
    Toleration toleration = new Toleration();
    toleration.setKey(text("a", "b"));
    toleration.setOperator(text("Exists", "Equal"));
    toleration.setValue(text("", "v"));
    toleration.setEffect(text("", "NoSchedule", "PreferNoSchedule", "NoExecute"));
    toleration.setTolerationSeconds(one(null, 0L, -1L, 300L, Long.MAX_VALUE, Long.MIN_VALUE));
    return toleration;
  }

  private Volume volume() {
    Volume volume = new Volume();
    volume.setName(text("v"));
    if (odd()) {
      volume.setEphemeral(new EphemeralVolumeSource());
    }
    if (odd()) {
      PersistentVolumeClaimVolumeSource claim = new PersistentVolumeClaimVolumeSource();
      claim.setClaimName(text("data"));
      volume.setPersistentVolumeClaim(claim);
    }
    return volume;
  }

  private ObjectMeta meta() {
    ObjectMeta meta = new ObjectMeta();
    meta.setName(text("web-1", "web-2"));
    meta.setNamespace(text("default", "other"));
    meta.setUid(text("u1", "u2"));
    meta.setLabels(usually(this::labels));
    meta.setAnnotations(maybe(this::labels));
    meta.setDeletionTimestamp(odd() ? word() : null);
    meta.setOwnerReferences(
        list(
            2,
            () -> {
              OwnerReference owner = new OwnerReference();
              owner.setKind(text("ReplicaSet", "StatefulSet", "Job"));
              owner.setName(text("web"));
              owner.setUid(text("o1"));
              owner.setController(one(null, true, false));
              return owner;
            }));
    return meta;
  }

  private PodStatus status() {
    PodStatus status = new PodStatus();
    status.setPhase(text("Pending", "Running", "Succeeded", "Failed"));
    status.setResize(text("", "Infeasible"));
    status.setAllocatedResources(quantities());
    status.setResources(maybe(this::resources));
    status.setConditions(
        list(
            1,
            () -> {
              PodCondition condition = new PodCondition();
              condition.setType(text("PodResizePending", "Ready"));
              condition.setStatus(text("True", "False"));
              condition.setReason(text("Infeasible", "Deferred"));
              return condition;
            }));
    status.setContainerStatuses(
        list(
            2,
            () -> {
              ContainerStatus container = new ContainerStatus();
              container.setName(text("a", "b"));
              container.setAllocatedResources(quantities());
              container.setResources(maybe(this::resources));
              return container;
            }));
    return status;
  }

  private PodSpec spec() {
    PodSpec spec = new PodSpec();
    spec.setContainers(list(2, this::container));
    spec.setInitContainers(list(2, this::container));
    spec.setSchedulerName(text("berth", "default-scheduler"));
    spec.setNodeName(maybe(() -> text("n1")));
    spec.setPriorityClassName(text("critical", ""));
    spec.setPreemptionPolicy(text("Never", "PreemptLowerPriority"));
    spec.setNodeSelector(maybe(() -> map(1, () -> text("disk"), () -> text("a"))));
    spec.setAffinity(maybe(this::affinity));
    spec.setTopologySpreadConstraints(list(2, this::spread));
    spec.setTolerations(list(2, this::toleration));
    spec.setVolumes(list(2, this::volume));
    spec.setOverhead(quantities());
    spec.setResources(maybe(this::resources));
    if (odd()) {
      spec.setOs(new PodOS(text("linux", "windows")));
      spec.setResourceClaims(list(1, PodResourceClaim::new));
      spec.setSchedulingGates(list(1, PodSchedulingGate::new));
      spec.setSchedulingGroup(new PodSchedulingGroup(text("g")));
      spec.setAdditionalProperty("future", word());
    }
    return spec;
  }

  Pod pod() {
    Pod pod = new Pod();
    pod.setMetadata(usually(this::meta));
    pod.setSpec(usually(this::spec));
    pod.setStatus(maybe(this::status));
    return pod;
  }

  Node node() {
    Node node = new Node();
    node.setMetadata(usually(this::meta));
    NodeSpec spec = new NodeSpec();
    spec.setUnschedulable(one(null, true, false));
    spec.setTaints(
        list(
            3,
            () -> {
              Taint taint = new Taint();
              taint.setKey(text("a", "b", "c"));
              taint.setValue(text("", "v"));
              taint.setEffect(text("NoSchedule", "PreferNoSchedule", "NoExecute"));
              return taint;
            }));
    node.setSpec(usually(() -> spec));
    NodeStatus status = new NodeStatus();
    status.setAllocatable(quantities());
    status.setConditions(
        list(
            1,
            () -> {
              NodeCondition condition = new NodeCondition();
              condition.setType(text("Ready"));
              condition.setStatus(text("True", "Unknown"));
              return condition;
            }));
    node.setStatus(usually(() -> status));
    return node;
  }
}

package dev.berth.kubernetes.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.PolicyRegistry;
import dev.berth.kubernetes.binding.PodScheduler;
import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.lab.Delay;
import dev.berth.kubernetes.lab.Eventually;
import dev.berth.kubernetes.lab.FakeKubelet;
import dev.berth.kubernetes.lab.FakeNode;
import dev.berth.kubernetes.lab.LiveControlPlane;
import dev.berth.kubernetes.lab.PodBehaviour;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Nodes of a test whose pods Berth schedules in the place of kube-scheduler. Each test begins with
 * no node and no pod, and with the priority classes of {@link #PRIORITIES}.
 */
final class CaseCluster implements BeforeEachCallback, AfterEachCallback {

  /** How long a test waits for what must happen. */
  static final Duration SOON = Duration.ofSeconds(60);

  /** Priority classes by name, as tests of Kubernetes have them. */
  private static final Map<String, Integer> PRIORITIES =
      Map.of("low", 1, "medium", 100, "high", 1_000, "p1", 1, "p2", 2, "p3", 3, "p4", 4);

  private static final String CONFIGURATION =
      """
      schedulerName: default-scheduler
      nodes: {}
      serviceClasses:
      - name: system
        importance: 1
        priorityClasses: [system-node-critical, system-cluster-critical]
      - {name: p4, slo: 0.9, importance: 2, priorityClasses: [p4]}
      - {name: high, slo: 0.9, importance: 3, priorityClasses: [high, p3, never]}
      - {name: medium, slo: 0.7, importance: 4, priorityClasses: [medium, p2]}
      - {name: low, slo: 0.5, importance: 5, priorityClasses: [low, p1]}
      - {name: usual, slo: 0.5, importance: 6}
      defaultClass: usual
      policy: {id: priority}
      """;

  private static final PodBehaviour PROMPT =
      PodBehaviour.drawn(
          Delay.constant(Duration.ofMillis(50)), Delay.constant(Duration.ofMillis(200)), 0);

  private final LiveControlPlane live;
  private String namespace = "";

  CaseCluster(LiveControlPlane live) {
    this.live = live;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    namespace = live.newNamespace();
    PRIORITIES.forEach((name, value) -> ensurePriorityClass(name, value, "PreemptLowerPriority"));
  }

  void ensurePriorityClass(String name, int value, String preemptionPolicy) {
    if (client().scheduling().v1().priorityClasses().withName(name).get() == null) {
      client()
          .resource(
              new PriorityClassBuilder()
                  .withNewMetadata()
                  .withName(name)
                  .endMetadata()
                  .withValue(value)
                  .withPreemptionPolicy(preemptionPolicy)
                  .build())
          .create();
    }
  }

  /** Removes pods and nodes, so that the next scheduler has none of them. */
  @Override
  public void afterEach(ExtensionContext context) {
    for (Pod each : client().pods().inAnyNamespace().list().getItems()) {
      release(each);
      client().resource(each).withGracePeriod(0).delete();
    }
    client().nodes().withGracePeriod(0).delete();
    Eventually.holds(
        "all pods are gone",
        SOON,
        () -> client().pods().inAnyNamespace().list().getItems().isEmpty());
  }

  /** Removes the finalizers of a pod. */
  void release(Pod pod) {
    if (!pod.getMetadata().getFinalizers().isEmpty()) {
      var unused =
          client()
              .resource(pod)
              .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
    }
  }

  KubernetesClient client() {
    return live.client();
  }

  String namespace() {
    return namespace;
  }

  // ---- Nodes and the scheduler

  /** Returns a node with four CPUs, which has these labels and more resources. */
  static FakeNode node(String name, Map<String, String> labels, Map<String, String> more) {
    FakeNode plain = FakeNode.of(name, "4", "8Gi", 110);
    Map<String, Quantity> amounts = new HashMap<>(plain.capacity());
    more.forEach((resource, amount) -> amounts.put(resource, Quantity.parse(amount)));
    return new FakeNode(name, amounts, labels, List.of());
  }

  static FakeNode node(String name) {
    return node(name, Map.of(), Map.of());
  }

  /** Starts nodes, then Berth as their scheduler. */
  void start(FakeNode... nodes) {
    FakeKubelet kubelet = live.closing(FakeKubelet.start(live.config(), PROMPT, 1));
    kubelet.addNodes(List.of(nodes));
    try {
      live.closing(
          PodScheduler.start(
              client(),
              Configuration.read(
                  Map.of(Configuration.KEY, CONFIGURATION),
                  (Optional<Path> plugins) -> PolicyRegistry.load()),
              "default",
              "cases",
              () -> true));
    } catch (IOException failed) {
      throw new IllegalStateException(failed);
    }
  }

  void changeNode(String name, UnaryOperator<Node> change) {
    client().nodes().withName(name).edit(change);
  }

  // ---- Volumes

  /** Creates a volume that some nodes can reach, and a claim that is bound to it. */
  void boundClaim(String name, Map<String, String> labels, String key, List<String> values) {
    var volume =
        new PersistentVolumeBuilder()
            .withNewMetadata()
            .withName(namespace + "-" + name)
            .withLabels(labels)
            .endMetadata()
            .withNewSpec()
            .withCapacity(Map.of("storage", Quantity.parse("1Gi")))
            .withAccessModes("ReadWriteOnce")
            .withNewLocal()
            .withPath("/tmp")
            .endLocal()
            .withNewNodeAffinity()
            .withNewRequired()
            .addNewNodeSelectorTerm()
            .addNewMatchExpression()
            .withKey(key)
            .withOperator("In")
            .withValues(values)
            .endMatchExpression()
            .endNodeSelectorTerm()
            .endRequired()
            .endNodeAffinity()
            .endSpec()
            .build();
    client().resource(volume).create();
    var claim =
        new PersistentVolumeClaimBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name)
            .endMetadata()
            .withNewSpec()
            .withStorageClassName("")
            .withVolumeName(volume.getMetadata().getName())
            .withAccessModes("ReadWriteOnce")
            .withNewResources()
            .addToRequests("storage", Quantity.parse("1Gi"))
            .endResources()
            .endSpec()
            .build();
    client().resource(claim).create();
  }

  /** Returns the part of a pod that uses a claim. */
  static String claiming(String claim) {
    return "volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}]".formatted(claim);
  }

  // ---- Pods

  /**
   * Returns a pod for the default scheduler, in the namespace of the test.
   *
   * @param labels as in {@code app: web}; may be empty
   * @param requests as in {@code cpu: 1}; also its limits; may be empty
   * @param parts more of its specification, as YAML
   */
  Pod pod(String name, String labels, String requests, String parts) {
    String yaml =
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: %s, labels: {%s}}
        spec:
          terminationGracePeriodSeconds: 1
          containers:
          - name: main
            image: none
            resources: {requests: {%s}, limits: {%s}}
        """
            .formatted(name, namespace, labels, requests, requests);
    return Serialization.unmarshal(yaml + parts.indent(2), Pod.class);
  }

  Pod create(Pod pod) {
    return client().resource(pod).create();
  }

  Pod create(String name, String requests, String parts) {
    return create(pod(name, "", requests, parts));
  }

  /** Creates a pod and returns it once it is ready. */
  Pod run(Pod pod) {
    create(pod);
    return ready(pod.getMetadata().getName());
  }

  Pod run(String name, String requests, String parts) {
    return run(pod(name, "", requests, parts));
  }

  /** Waits until a pod is ready, and returns it. */
  Pod ready(String name) {
    Eventually.holds(
        name + " is ready",
        SOON,
        () ->
            current(name)
                .filter(pod -> LiveControlPlane.condition(pod, "Ready").equals("True"))
                .isPresent());
    return current(name).orElseThrow();
  }

  Optional<Pod> current(String name) {
    return Optional.ofNullable(client().pods().inNamespace(namespace).withName(name).get());
  }

  List<Pod> pods() {
    return client().pods().inNamespace(namespace).list().getItems();
  }

  static String nodeOf(Pod pod) {
    return pod.getSpec().getNodeName() == null ? "" : pod.getSpec().getNodeName();
  }

  static boolean isLeaving(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() != null;
  }

  /**
   * Waits until a pod says why it has no node, by its condition and by an event.
   *
   * <p>An event names the reason of a refusal too. About other pods, it may be older than the
   * condition: there is one in ten minutes.
   */
  void waitsBecause(String name, String... parts) {
    String[] ofEvent = parts[0].startsWith("spec.") ? parts : new String[0];
    try {
      Eventually.holds(
          "%s waits because of %s".formatted(name, List.of(parts)),
          SOON,
          () ->
              has(said(name), parts) && events(name).stream().anyMatch(note -> has(note, ofEvent)));
    } catch (AssertionError late) {
      throw new AssertionError(
          "Pod %s says: %s. Its events: %s".formatted(name, said(name), events(name)), late);
    }
    assertThat(nodeOf(current(name).orElseThrow())).isEmpty();
  }

  private static boolean has(String text, String... parts) {
    return List.of(parts).stream().allMatch(text::contains);
  }

  /** Returns why a pod says that it has no node; empty if it does not say so. */
  String said(String name) {
    return current(name).stream()
        .flatMap(pod -> pod.getStatus().getConditions().stream())
        .filter(each -> each.getType().equals("PodScheduled"))
        .filter(each -> "Unschedulable".equals(each.getReason()))
        .map(PodCondition::getMessage)
        .findFirst()
        .orElse("");
  }

  private List<String> events(String name) {
    return client().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(each -> "FailedScheduling".equals(each.getReason()))
        .filter(each -> name.equals(each.getInvolvedObject().getName()))
        .map(Event::getMessage)
        .toList();
  }

  /** Tries a change, and returns the status of the answer of the API server. */
  static int status(Runnable change) {
    try {
      change.run();
      return HttpURLConnection.HTTP_OK;
    } catch (KubernetesClientException refused) {
      return refused.getCode();
    }
  }

  /** Deletes a pod at once, as if its node had confirmed that it has ended. */
  void delete(Pod pod) {
    client()
        .resource(pod)
        .withPropagationPolicy(DeletionPropagation.BACKGROUND)
        .withGracePeriod(0)
        .delete();
    Eventually.holds("it is gone", SOON, () -> current(pod.getMetadata().getName()).isEmpty());
  }
}

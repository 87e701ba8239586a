package dev.berth.kubernetes.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.lab.FakeOwner.Kind;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FakeControllerTest {

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final PodBehaviour PROMPT =
      PodBehaviour.drawn(
          Delay.uniform(Duration.ofMillis(100), Duration.ofMillis(500)),
          Delay.constant(Duration.ofSeconds(2)),
          0);

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();

  @Test
  void aDeletedPodIsReplacedAtOnceUnderAnotherName() {
    kubelet("replaced-node");
    FakeOwner owner = owner(Kind.REPLICA_SET, 3, Map.of());
    controller().keep(owner);
    List<Pod> first = awaitActive(owner, 3);
    assertThat(first)
        .allSatisfy(
            pod -> {
              assertThat(pod.getMetadata().getName()).startsWith("web-");
              assertThat(pod.getMetadata().getLabels()).containsEntry("app", "web");
              assertThat(pod.getMetadata().getOwnerReferences())
                  .singleElement()
                  .satisfies(
                      reference -> {
                        assertThat(reference.getUid()).isEqualTo(owner.uid());
                        assertThat(reference.getKind()).isEqualTo("ReplicaSet");
                        assertThat(reference.getController()).isTrue();
                      });
            });
    first.forEach(pod -> LIVE.bind(pod, "replaced-node"));

    LIVE.client().resource(first.get(0)).delete();

    // The replacement is there while the pod is still terminating.
    Eventually.holds("there are four pods", SOON, () -> pods(owner).size() == 4);
    List<Pod> second = awaitActive(owner, 3);
    assertThat(names(second)).doesNotContain(first.get(0).getMetadata().getName());
    Eventually.holds("the first is gone", SOON, () -> pods(owner).size() == 3);
  }

  @Test
  void failedPodsAreReplaced() {
    FakeKubelet kubelet = LIVE.closing(FakeKubelet.start(LIVE.config(), PROMPT, 1));
    kubelet.addNodes(List.of(FakeNode.of("tiny-node", "500m", "16Gi", 110)));
    FakeOwner owner = owner(Kind.REPLICA_SET, 1, Map.of());
    FakeController controller = controller();
    controller.keep(owner);
    Pod pod = awaitActive(owner, 1).get(0);
    LIVE.bind(pod, "tiny-node");
    Eventually.holds("there is another pod", SOON, () -> pods(owner).size() == 2);
    assertThat(LIVE.current(pod).getStatus().getReason()).isEqualTo("OutOfcpu");
    assertThat(controller.created()).isEqualTo(2);
  }

  @Test
  void theNumberOfPodsCanChange() {
    FakeOwner owner = owner(Kind.REPLICA_SET, 2, Map.of());
    FakeController controller = controller();
    controller.keep(owner);
    awaitActive(owner, 2);
    controller.keep(owner.withPods(5));
    awaitActive(owner, 5);
    controller.keep(owner.withPods(1));
    awaitActive(owner, 1);
    controller.release(owner);
    LIVE.client().resource(pods(owner).get(0)).delete();
    Eventually.pause(Duration.ofSeconds(1));
    assertThat(pods(owner)).isEmpty();
  }

  @Test
  void aPodOfAStatefulSetIsReplacedUnderItsNameWhenItIsGone() {
    kubelet("stateful-node");
    FakeOwner owner = owner(Kind.STATEFUL_SET, 2, Map.of());
    controller().keep(owner);
    List<Pod> first = awaitActive(owner, 2);
    assertThat(names(first)).containsExactlyInAnyOrder("web-0", "web-1");
    first.forEach(pod -> LIVE.bind(pod, "stateful-node"));
    Pod deleted = first.get(0);

    LIVE.client().resource(deleted).delete();

    Eventually.holds(
        "another pod has the name",
        SOON,
        () -> {
          Pod current = LIVE.current(deleted);
          return current != null
              && !current.getMetadata().getUid().equals(deleted.getMetadata().getUid());
        });
    assertThat(names(awaitActive(owner, 2))).containsExactlyInAnyOrder("web-0", "web-1");
  }

  @Test
  void completedPodsOfAJobAreNotReplaced() {
    kubelet("jobs-node");
    FakeOwner owner = owner(Kind.INDEXED_JOB, 2, Map.of(PodBehaviour.RUN_TIME, "0.5s"));
    FakeController controller = controller();
    controller.keep(owner);
    List<Pod> first = awaitActive(owner, 2);
    assertThat(first)
        .extracting(pod -> pod.getMetadata().getAnnotations().get(Kind.COMPLETION_INDEX))
        .containsExactlyInAnyOrder("0", "1");
    LIVE.bind(first.get(0), "jobs-node");
    LIVE.client().resource(first.get(1)).delete();
    Eventually.holds(
        "the first has completed",
        SOON,
        () -> LIVE.current(first.get(0)).getStatus().getPhase().equals("Succeeded"));
    Eventually.holds("the second is replaced", SOON, () -> controller.created() == 3);
    Pod replacement = awaitActive(owner, 1).get(0);
    assertThat(replacement.getMetadata().getAnnotations().get(Kind.COMPLETION_INDEX))
        .isEqualTo(first.get(1).getMetadata().getAnnotations().get(Kind.COMPLETION_INDEX));
  }

  @Test
  void aRestartOfTheApiServerIsSurvived() throws IOException {
    FakeOwner owner = owner(Kind.REPLICA_SET, 20, Map.of());
    FakeController controller = controller();
    controller.keep(owner);
    LIVE.controlPlane().restartApiServer();
    List<Pod> first = awaitActive(owner, 20);
    LIVE.client().resource(first.get(0)).delete();
    Eventually.holds(
        "it is replaced",
        SOON,
        () -> {
          Set<String> now = names(active(owner));
          return now.size() == 20 && !now.contains(first.get(0).getMetadata().getName());
        });
  }

  @Test
  void anotherControllerTakesOver() {
    FakeOwner owner = owner(Kind.REPLICA_SET, 3, Map.of());
    FakeController first = controller();
    first.keep(owner);
    List<Pod> before = awaitActive(owner, 3);
    first.close();
    FakeController second = controller();
    second.keep(owner);
    Eventually.pause(Duration.ofSeconds(1));
    assertThat(names(active(owner))).isEqualTo(names(before));
    assertThat(second.created()).isZero();
  }

  private static void kubelet(String node) {
    FakeKubelet kubelet = LIVE.closing(FakeKubelet.start(LIVE.config(), PROMPT, 1));
    kubelet.addNodes(List.of(FakeNode.of(node, "8", "16Gi", 110)));
  }

  private static FakeController controller() {
    return LIVE.closing(FakeController.start(LIVE.config(), 3));
  }

  private static FakeOwner owner(Kind kind, int pods, Map<String, String> annotations) {
    PodTemplateSpec template =
        new PodTemplateSpecBuilder()
            .withNewMetadata()
            .addToLabels("app", "web")
            .withAnnotations(annotations)
            .endMetadata()
            .withSpec(LiveControlPlane.pod("any", "any", "1", "1Gi").getSpec())
            .build();
    return new FakeOwner(kind, LIVE.newNamespace(), "web", pods, template);
  }

  private static List<Pod> pods(FakeOwner owner) {
    return LIVE.client().pods().inNamespace(owner.namespace()).list().getItems();
  }

  private static List<Pod> active(FakeOwner owner) {
    return pods(owner).stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .filter(pod -> !Set.of("Failed", "Succeeded").contains(pod.getStatus().getPhase()))
        .toList();
  }

  private static List<Pod> awaitActive(FakeOwner owner, int count) {
    Eventually.holds(count + " pods are active", SOON, () -> active(owner).size() == count);
    return active(owner);
  }

  private static Set<String> names(List<Pod> pods) {
    return pods.stream().map(pod -> pod.getMetadata().getName()).collect(Collectors.toSet());
  }
}

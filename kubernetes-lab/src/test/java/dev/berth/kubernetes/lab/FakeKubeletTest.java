package dev.berth.kubernetes.lab;

import static dev.berth.kubernetes.lab.LiveControlPlane.condition;
import static dev.berth.kubernetes.lab.LiveControlPlane.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FakeKubeletTest {

  private static final Duration SOON = Duration.ofSeconds(15);
  private static final Duration MOMENT = Duration.ofMillis(600);
  private static final PodBehaviour PROMPT =
      PodBehaviour.drawn(Delay.constant(MOMENT), Delay.constant(Duration.ofSeconds(1)), 0);

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();

  @Test
  void nodesAreReady() {
    Taint taint =
        new TaintBuilder().withKey("dedicated").withValue("x").withEffect("NoSchedule").build();
    FakeNode node =
        FakeNode.of("full-node", "4", "16Gi", 110)
            .withLabels(Map.of("zone", "a"))
            .withTaints(List.of(taint));
    FakeKubelet kubelet = kubelet(PROMPT, node);

    Node created = LIVE.client().nodes().withName("full-node").get();
    assertThat(created.getStatus().getCapacity()).containsEntry("cpu", node.capacity().get("cpu"));
    assertThat(created.getStatus().getAllocatable()).containsKeys("cpu", "memory", "pods");
    assertThat(created.getStatus().getConditions())
        .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
    assertThat(created.getSpec().getTaints())
        .extracting(Taint::getKey)
        .containsExactly("dedicated");
    assertThat(created.getMetadata().getLabels())
        .containsEntry("zone", "a")
        .containsEntry("kubernetes.io/hostname", "full-node");

    kubelet.setReady("full-node", false);
    Node unready = LIVE.client().nodes().withName("full-node").get();
    assertThat(unready.getStatus().getConditions())
        .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("False"));
    assertThat(unready.getSpec().getTaints())
        .extracting(Taint::getKey)
        .contains("node.kubernetes.io/not-ready");
  }

  @Test
  void aNodeIsAddedOnce() {
    FakeNode node = FakeNode.of("single", "4", "16Gi", 110);
    FakeKubelet kubelet = kubelet(PROMPT, node);
    assertThatThrownBy(() -> kubelet.addNodes(List.of(node)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("single");
    assertThatThrownBy(() -> kubelet.setReady("other", true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("other");
  }

  @Test
  void aBoundPodRunsAndIsThenReady() {
    kubelet(PROMPT, FakeNode.of("ready-node", "4", "16Gi", 110));
    Pod pod = bound(pod(LIVE.newNamespace(), "web", "1", "1Gi"), "ready-node");

    await(pod, "runs", p -> p.getStatus().getPhase().equals("Running"));
    assertThat(condition(LIVE.current(pod), "Ready")).isEqualTo("False");
    await(pod, "is ready", p -> condition(p, "Ready").equals("True"));
    assertThat(LIVE.current(pod).getStatus().getContainerStatuses())
        .allMatch(container -> container.getReady() && container.getState().getRunning() != null);
  }

  @Test
  void aPodCompletesAfterItsRunTime() {
    FakeKubelet kubelet = kubelet(PROMPT, FakeNode.of("job-node", "1", "16Gi", 110));
    String namespace = LIVE.newNamespace();
    Pod pod =
        bound(
            new PodBuilder(pod(namespace, "job", "1", "1Gi"))
                .editMetadata()
                .addToAnnotations(PodBehaviour.RUN_TIME, "1s")
                .endMetadata()
                .build(),
            "job-node");
    await(pod, "has completed", p -> p.getStatus().getPhase().equals("Succeeded"));

    // What it had is free again.
    Pod next = bound(pod(namespace, "next", "1", "1Gi"), "job-node");
    await(next, "is ready", p -> condition(p, "Ready").equals("True"));
    assertThat(kubelet.counts()).isEqualTo(new FakeKubelet.Counts(2, 0, 2, 0, 1, 0));
  }

  @Test
  void aDeletedPodIsNotReadyAtOnceAndGoneAfterItsStop() {
    FakeKubelet kubelet = kubelet(stopping("3s"), FakeNode.of("stop-node", "4", "16Gi", 110));
    Pod pod = bound(pod(LIVE.newNamespace(), "web", "1", "1Gi"), "stop-node");
    await(pod, "is ready", p -> condition(p, "Ready").equals("True"));

    Instant deleted = Instant.now();
    LIVE.client().resource(pod).withGracePeriod(20).delete();

    await(pod, "is not ready", p -> condition(p, "Ready").equals("False"));
    assertThat(LIVE.current(pod).getMetadata().getDeletionTimestamp()).isNotNull();
    Eventually.holds("the pod is gone", SOON, () -> LIVE.current(pod) == null);
    assertThat(Duration.between(deleted, Instant.now()))
        .isBetween(Duration.ofMillis(2900), Duration.ofSeconds(10));
    Eventually.holds("it is counted", SOON, () -> kubelet.counts().stopped() == 1);
  }

  @Test
  void noPodOutlivesItsGracePeriod() {
    kubelet(stopping("600s"), FakeNode.of("grace-node", "4", "16Gi", 110));
    String namespace = LIVE.newNamespace();
    Pod pod = bound(pod(namespace, "web", "1", "1Gi"), "grace-node");
    Pod shortened = bound(pod(namespace, "shortened", "1", "1Gi"), "grace-node");
    await(pod, "is ready", p -> condition(p, "Ready").equals("True"));
    await(shortened, "is ready", p -> condition(p, "Ready").equals("True"));

    LIVE.client().resource(pod).withGracePeriod(2).delete();
    LIVE.client().resource(shortened).withGracePeriod(300).delete();
    LIVE.client().resource(shortened).withGracePeriod(1).delete();

    Eventually.holds("both are gone", SOON, () -> LIVE.current(pod) == null);
    Eventually.holds("both are gone", SOON, () -> LIVE.current(shortened) == null);
  }

  @Test
  void aPodThatDoesNotFitFails() {
    FakeKubelet kubelet = kubelet(stopping("4s"), FakeNode.of("small-node", "2", "4Gi", 3));
    String namespace = LIVE.newNamespace();
    Pod first = bound(pod(namespace, "first", "1500m", "1Gi"), "small-node");
    await(first, "is ready", p -> condition(p, "Ready").equals("True"));

    Pod cpu = bound(pod(namespace, "cpu", "1", "1Gi"), "small-node");
    await(cpu, "is failed", p -> "OutOfcpu".equals(p.getStatus().getReason()));
    assertThat(LIVE.current(cpu).getStatus().getPhase()).isEqualTo("Failed");
    assertThat(LIVE.current(cpu).getStatus().getMessage())
        .isEqualTo(
            "Pod Node didn't have enough resource: cpu, requested: 1000, used: 1500, capacity: 2000");
    Pod memory = bound(pod(namespace, "memory", "100m", "3500Mi"), "small-node");
    await(memory, "is failed", p -> "OutOfmemory".equals(p.getStatus().getReason()));

    // A terminating pod still counts.
    LIVE.client().resource(first).delete();
    Pod early = bound(pod(namespace, "early", "1", "1Gi"), "small-node");
    await(early, "is failed", p -> "OutOfcpu".equals(p.getStatus().getReason()));
    Eventually.holds("the first is gone", SOON, () -> LIVE.current(first) == null);
    Pod late = bound(pod(namespace, "late", "1", "1Gi"), "small-node");
    await(late, "is ready", p -> condition(p, "Ready").equals("True"));
    assertThat(kubelet.counts().rejected()).isEqualTo(3);
  }

  @Test
  void podsFailAsDrawn() {
    PodBehaviour failing =
        PodBehaviour.drawn(Delay.constant(MOMENT), Delay.constant(Duration.ZERO), 1);
    kubelet(failing, FakeNode.of("failing-node", "4", "16Gi", 110));
    Pod pod = bound(pod(LIVE.newNamespace(), "web", "1", "1Gi"), "failing-node");
    await(pod, "has failed", p -> p.getStatus().getPhase().equals("Failed"));
    assertThat(LIVE.current(pod).getStatus().getReason()).isEqualTo("Error");
  }

  @Test
  void aRestartOfTheApiServerIsSurvived() throws IOException {
    kubelet(PROMPT, FakeNode.of("restart-node", "8", "16Gi", 110));
    String namespace = LIVE.newNamespace();
    Pod before = bound(pod(namespace, "before", "1", "1Gi"), "restart-node");
    LIVE.controlPlane().restartApiServer();

    Pod after = bound(pod(namespace, "after", "1", "1Gi"), "restart-node");
    await(before, "is ready", p -> condition(p, "Ready").equals("True"));
    await(after, "is ready", p -> condition(p, "Ready").equals("True"));
    LIVE.client().resource(before).delete();
    Eventually.holds("the pod is gone", SOON, () -> LIVE.current(before) == null);
  }

  @Test
  void anotherKubeletTakesOverNodesAndPods() {
    FakeNode node = FakeNode.of("kept-node", "4", "16Gi", 110);
    FakeKubelet first = kubelet(PROMPT, node);
    String namespace = LIVE.newNamespace();
    Pod running = bound(pod(namespace, "running", "3", "1Gi"), "kept-node");
    await(running, "is ready", p -> condition(p, "Ready").equals("True"));
    first.close();
    Pod waiting = bound(pod(namespace, "waiting", "1", "1Gi"), "kept-node");
    Pod surplus = bound(pod(namespace, "surplus", "3", "1Gi"), "kept-node");

    kubelet(PROMPT, node);

    await(waiting, "is ready", p -> condition(p, "Ready").equals("True"));
    await(surplus, "is failed", p -> "OutOfcpu".equals(p.getStatus().getReason()));
    LIVE.client().resource(running).delete();
    Eventually.holds("the pod is gone", SOON, () -> LIVE.current(running) == null);
  }

  @Test
  void podsOfASilentNodeStayTerminating() {
    FakeKubelet kubelet = kubelet(PROMPT, FakeNode.of("silent-node", "4", "16Gi", 110));
    Pod pod = bound(pod(LIVE.newNamespace(), "web", "1", "1Gi"), "silent-node");
    await(pod, "is ready", p -> condition(p, "Ready").equals("True"));

    kubelet.setSilent("silent-node", true);
    LIVE.client().resource(pod).withGracePeriod(1).delete();
    Eventually.pause(Duration.ofSeconds(3));
    assertThat(condition(LIVE.current(pod), "Ready")).isEqualTo("True");

    kubelet.setSilent("silent-node", false);
    Eventually.holds("the pod is gone", SOON, () -> LIVE.current(pod) == null);
  }

  @Test
  void aRemovedNodeTakesItsPodsAlong() {
    FakeKubelet kubelet = kubelet(PROMPT, FakeNode.of("removed-node", "4", "16Gi", 110));
    Pod pod = bound(pod(LIVE.newNamespace(), "web", "1", "1Gi"), "removed-node");
    await(pod, "is ready", p -> condition(p, "Ready").equals("True"));

    kubelet.removeNode("removed-node");
    kubelet.removeNode("removed-node");

    assertThat(LIVE.client().nodes().withName("removed-node").get()).isNull();
    Eventually.holds("the pod is gone", SOON, () -> LIVE.current(pod) == null);
  }

  private static PodBehaviour stopping(String stop) {
    Duration duration = Duration.parse("PT" + stop);
    return (pod, random) -> new PodFate(Duration.ZERO, false, Optional.empty(), duration);
  }

  private static FakeKubelet kubelet(PodBehaviour behaviour, FakeNode node) {
    FakeKubelet kubelet = LIVE.closing(FakeKubelet.start(LIVE.config(), behaviour, 7));
    kubelet.addNodes(List.of(node));
    return kubelet;
  }

  private static Pod bound(Pod pod, String node) {
    Pod created = LIVE.client().resource(pod).create();
    LIVE.bind(created, node);
    return created;
  }

  private static void await(Pod pod, String what, Predicate<Pod> condition) {
    Eventually.holds(
        "pod " + pod.getMetadata().getName() + " " + what,
        SOON,
        () -> {
          Pod current = LIVE.current(pod);
          return current != null && condition.test(current);
        });
  }
}

package dev.berth.kubernetes.cases;

import static dev.berth.kubernetes.cases.CaseCluster.SOON;
import static dev.berth.kubernetes.cases.CaseCluster.isLeaving;
import static dev.berth.kubernetes.cases.CaseCluster.node;
import static dev.berth.kubernetes.cases.CaseCluster.nodeOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.lab.Eventually;
import dev.berth.kubernetes.lab.FakeController;
import dev.berth.kubernetes.lab.FakeNode;
import dev.berth.kubernetes.lab.FakeOwner;
import dev.berth.kubernetes.lab.LiveControlPlane;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Which pods leave for others: what the file {@code preemption.go} of {@code test/e2e/scheduling}
 * asks of a scheduler. The policy is {@code priority}; service classes stand for priority classes.
 */
class PreemptionTest {

  private static final String FOO = "scheduling.k8s.io/foo";

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();
  @RegisterExtension final CaseCluster cluster = new CaseCluster(LIVE);

  @Test
  @DisplayName("preemption: the pod of the lowest priority leaves for one of a higher priority")
  void basicPreemption() {
    List<Pod> pods = fourFifthsOfTwoNodes();
    Pod preemptor = cluster.run("preemptor", FOO + ": 2", "priorityClassName: high");

    onlyTheFirstHasLeft(pods, preemptor);
  }

  @Test
  @DisplayName("preemption: the pod of the lowest priority leaves for a critical pod")
  void preemptionByACriticalPod() {
    List<Pod> pods = fourFifthsOfTwoNodes();
    Pod critical =
        new PodBuilder(
                cluster.pod(
                    "critical", "", FOO + ": 2", "priorityClassName: system-cluster-critical"))
            .editMetadata()
            .withNamespace("kube-system")
            .endMetadata()
            .build();
    cluster.create(critical);
    Eventually.holds(
        "the critical pod runs",
        SOON,
        () -> LiveControlPlane.condition(LIVE.current(critical), "Ready").equals("True"));

    onlyTheFirstHasLeft(pods, LIVE.current(critical));
  }

  /** Fills two nodes by 4 of 5 with pods. The first is of low priority, the others of medium. */
  private List<Pod> fourFifthsOfTwoNodes() {
    FakeNode[] nodes = {
      node("first", Map.of(), Map.of(FOO, "5")), node("second", Map.of(), Map.of(FOO, "5"))
    };
    cluster.start(nodes);
    List<Pod> pods = new ArrayList<>();
    for (FakeNode each : nodes) {
      for (int i = 0; i < 2; i++) {
        String parts =
            """
            priorityClassName: %s
            affinity:
              nodeAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  nodeSelectorTerms:
                  - matchFields: [{key: metadata.name, operator: In, values: [%s]}]
            """
                .formatted(pods.isEmpty() ? "low" : "medium", each.name());
        pods.add(cluster.create(each.name() + "-" + i, FOO + ": 2", parts));
      }
    }
    pods.replaceAll(each -> cluster.ready(each.getMetadata().getName()));
    return pods;
  }

  private void onlyTheFirstHasLeft(List<Pod> pods, Pod beneficiary) {
    assertThat(nodeOf(beneficiary)).isEqualTo("first");
    Pod first = pods.get(0);
    assertThat(cluster.current(first.getMetadata().getName()).filter(each -> !isLeaving(each)))
        .isEmpty();
    for (Pod each : pods.subList(1, pods.size())) {
      assertThat(cluster.current(each.getMetadata().getName()))
          .hasValueSatisfying(
              now -> {
                assertThat(now.getMetadata().getUid()).isEqualTo(each.getMetadata().getUid());
                assertThat(isLeaving(now)).isFalse();
              });
    }
  }

  @Test
  @DisplayName("preemption: a pod that leaves is marked, and its successor waits until it is gone")
  void aVictimIsMarked() {
    cluster.start(node("only", Map.of(), Map.of(FOO, "1")));
    Pod victim =
        cluster.run(
            new PodBuilder(cluster.pod("victim", "", FOO + ": 1", "priorityClassName: low"))
                .editMetadata()
                .addToFinalizers("example.com/test-finalizer")
                .endMetadata()
                .build());
    cluster.create("preemptor", FOO + ": 1", "priorityClassName: high");

    Eventually.holds(
        "the victim is marked and leaves",
        SOON,
        () ->
            cluster
                .current("victim")
                .filter(CaseCluster::isLeaving)
                .filter(pod -> LiveControlPlane.condition(pod, "DisruptionTarget").equals("True"))
                .isPresent());
    Eventually.holds(
        "the preemptor says which node it waits for",
        SOON,
        () ->
            cluster
                .current("preemptor")
                .filter(pod -> "only".equals(pod.getStatus().getNominatedNodeName()))
                .isPresent());
    assertThat(nodeOf(cluster.current("preemptor").orElseThrow())).isEmpty();

    cluster.release(victim);
    cluster.ready("preemptor");
  }

  @Test
  @DisplayName("preemption: no pod leaves for a topology spread constraint")
  void topologySpreadPreemption() {
    String key = "kubernetes.io/e2e-pts-preemption";
    String resource = "example.com/fake";
    cluster.start(
        node("a", Map.of(key, "a"), Map.of(resource, "10")),
        node("b", Map.of(key, "b"), Map.of(resource, "10")));
    Pod high =
        cluster.run(
            cluster.pod("high", "e2e: spread", resource + ": 9", "priorityClassName: high"));
    for (int i = 1; i <= 3; i++) {
      Pod low =
          cluster.run(
              cluster.pod("low-" + i, "e2e: spread", resource + ": 3", "priorityClassName: low"));
      assertThat(nodeOf(low)).isNotEqualTo(nodeOf(high));
    }
    // With one low pod gone there is room, but only with two gone is the spread even.
    cluster.create(
        cluster.pod(
            "medium",
            "e2e: spread",
            resource + ": 3",
            """
            priorityClassName: medium
            topologySpreadConstraints:
            - maxSkew: 1
              topologyKey: %s
              whenUnsatisfiable: DoNotSchedule
              labelSelector: {matchLabels: {e2e: spread}}
            """
                .formatted(key)));

    cluster.waitsBecause("medium", "spread");
    assertThat(cluster.pods()).hasSize(5).noneMatch(CaseCluster::isLeaving);
  }

  @Test
  @DisplayName("preemption path: of three replica sets, two lose one pod each, and the third none")
  void replicaSets() {
    Map<String, String> names = new ConcurrentHashMap<>(); // of pods that ever were, by UID
    var watch =
        cluster
            .client()
            .pods()
            .inNamespace(cluster.namespace())
            .watch(
                new Watcher<Pod>() {
                  @Override
                  public void eventReceived(Action action, Pod pod) {
                    names.put(pod.getMetadata().getUid(), pod.getMetadata().getName());
                  }

                  @Override
                  public void onClose(WatcherException cause) {}
                });
    LIVE.closing(watch);
    String resource = "example.com/fakecpu";
    cluster.start(node("path", Map.of(), Map.of(resource, "1000")));
    try (FakeController controller = FakeController.start(LIVE.config(), 1)) {
      controller.keep(replicaSet("rs-pod1", "p1", resource + ": 200"));
      controller.keep(replicaSet("rs-pod2", "p2", resource + ": 300"));
      controller.keep(replicaSet("rs-pod3", "p3", resource + ": 450"));
      Eventually.holds("all three run", SOON, () -> running().size() == 3);

      cluster.run("pod4", resource + ": 500", "priorityClassName: p4");

      Eventually.holds("pods 1 and 2 have successors", SOON, () -> waiting().size() == 2);
      waiting().forEach(each -> cluster.waitsBecause(each, "1 full"));
    }
    assertThat(running()).hasSize(2).anyMatch(each -> each.startsWith("rs-pod3"));
    assertThat(names.values().stream().map(each -> each.replaceAll("-[a-z0-9]*$", "")))
        .containsExactlyInAnyOrder("rs-pod1", "rs-pod1", "rs-pod2", "rs-pod2", "rs-pod3", "pod4");
  }

  private List<String> waiting() {
    return cluster.pods().stream()
        .filter(each -> nodeOf(each).isEmpty())
        .map(each -> each.getMetadata().getName())
        .toList();
  }

  private List<String> running() {
    return cluster.pods().stream()
        .filter(each -> !isLeaving(each))
        .filter(each -> LiveControlPlane.condition(each, "Ready").equals("True"))
        .map(each -> each.getMetadata().getName())
        .toList();
  }

  private FakeOwner replicaSet(String name, String priorityClass, String requests) {
    Pod like = cluster.pod("like", "", requests, "priorityClassName: " + priorityClass);
    return new FakeOwner(
        FakeOwner.Kind.REPLICA_SET,
        cluster.namespace(),
        name,
        1,
        new PodTemplateSpecBuilder()
            .withNewMetadata()
            .endMetadata()
            .withSpec(like.getSpec())
            .build());
  }

  @Test
  @DisplayName("priority classes: what the API server lets change does not matter to the scheduler")
  void priorityClasses() {
    PriorityClass low = priorityClass("p1");
    assertThat(CaseCluster.status(() -> change(low, low.getValue() * 10, "")))
        .isNotEqualTo(HttpURLConnection.HTTP_OK);
    assertThat(CaseCluster.status(() -> change(low, low.getValue(), "changed")))
        .isEqualTo(HttpURLConnection.HTTP_OK);
    assertThat(priorityClass("p1"))
        .satisfies(now -> assertThat(now.getDescription()).isEqualTo("changed"))
        .satisfies(now -> assertThat(now.getValue()).isEqualTo(low.getValue()));
    assertThat(
            CaseCluster.status(
                () -> cluster.create("unknown", "cpu: 1", "priorityClassName: no-such-class")))
        .isEqualTo(HttpURLConnection.HTTP_FORBIDDEN);

    cluster.start(FakeNode.of("only", "1", "8Gi", 110));
    cluster.run("p1", "cpu: 1", "priorityClassName: p1");
    cluster.create("none", "cpu: 1", "");
    cluster.waitsBecause("none", "1 full", "of no lower priority");
    cluster.run("p2", "cpu: 1", "priorityClassName: p2");
    assertThat(Set.of("p1", "none")).noneMatch(each -> running().contains(each));
  }

  private PriorityClass priorityClass(String name) {
    return cluster.client().scheduling().v1().priorityClasses().withName(name).get();
  }

  private void change(PriorityClass given, int value, String description) {
    var unused =
        cluster
            .client()
            .scheduling()
            .v1()
            .priorityClasses()
            .withName(given.getMetadata().getName())
            .edit(
                it ->
                    new PriorityClassBuilder(it)
                        .withValue(value)
                        .withDescription(description)
                        .build());
  }

  @Test
  @DisplayName("preemption: a pod that asks never to preempt preempts if its service class does")
  void preemptionPolicyNever() {
    cluster.ensurePriorityClass("never", 10_000, "Never");
    cluster.start(FakeNode.of("only", "1", "8Gi", 110));
    cluster.run("low", "cpu: 1", "priorityClassName: low");
    Pod never = cluster.run("never", "cpu: 1", "priorityClassName: never");

    assertThat(never.getSpec().getPreemptionPolicy()).isEqualTo("Never");
    assertThat(cluster.current("low")).isEmpty();
  }
}

package dev.berth.kubernetes.binding;

import static dev.berth.kubernetes.lab.FakeOwner.Kind.REPLICA_SET;
import static dev.berth.kubernetes.lab.LiveControlPlane.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.PolicyRegistry;
import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.lab.Delay;
import dev.berth.kubernetes.lab.Eventually;
import dev.berth.kubernetes.lab.FakeController;
import dev.berth.kubernetes.lab.FakeKubelet;
import dev.berth.kubernetes.lab.FakeNode;
import dev.berth.kubernetes.lab.LiveControlPlane;
import dev.berth.kubernetes.lab.PodBehaviour;
import dev.berth.kubernetes.meaning.PodTimes;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A scheduler of pods on a real API server, with a fake kubelet. */
class PodSchedulerTest {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final PodBehaviour PROMPT =
      PodBehaviour.drawn(
          Delay.uniform(Duration.ofMillis(100), Duration.ofMillis(500)),
          Delay.constant(Duration.ofSeconds(1)),
          0);

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();

  @Test
  void podsRunWhereTheyFitAndTheOthersSayWhyTheyWait() throws IOException {
    String namespace = LIVE.newNamespace();
    nodes("fit", 2, "2");
    start("fit");
    for (int i = 0; i < 5; i++) {
      create(pod(namespace, "p" + i, "1", "1Gi"), "bronze");
    }
    Eventually.holds("four are ready", SOON, () -> LIVE.ready(namespace) == 4);
    Eventually.holds(
        "one says why it waits",
        SOON,
        () ->
            LIVE.pods(namespace).stream()
                .filter(each -> each.getSpec().getNodeName() == null)
                .flatMap(each -> each.getStatus().getConditions().stream())
                .anyMatch(
                    each ->
                        "Unschedulable".equals(each.getReason())
                            && each.getMessage().contains("2 full (cpu short by 1")));
    Eventually.holds(
        "an event says it too",
        SOON,
        () ->
            LIVE.client().events().v1().events().inNamespace(namespace).list().getItems().stream()
                .anyMatch(each -> "FailedScheduling".equals(each.getReason())));
    assertThat(LIVE.pods(namespace).stream().filter(each -> each.getSpec().getNodeName() != null))
        .extracting(each -> each.getSpec().getNodeName())
        .containsExactlyInAnyOrder("fit-0", "fit-0", "fit-1", "fit-1");
  }

  @Test
  void podsAreAdoptedAndPlacedWhateverTheClockSays() throws IOException {
    String namespace = LIVE.newNamespace();
    removePodsOfOtherTests();
    nodes("clock", 1, "2");
    PodScheduler ahead = start("clock", Duration.ofHours(3));
    create(pod(namespace, "b0", "1", "1Gi"), "bronze");
    create(pod(namespace, "b1", "1", "1Gi"), "bronze");
    Eventually.holds("both run", SOON, () -> LIVE.ready(namespace) == 2);
    ahead.close();

    PodScheduler behind = start("clock", Duration.ofHours(-3));
    create(pod(namespace, "g0", "1", "1Gi"), "gold");
    Eventually.holds("gold takes the place of a bronze pod", SOON, () -> isReady(namespace, "g0"));
    behind.close();

    PodScheduler right = start("clock", Duration.ZERO);
    create(pod(namespace, "g1", "1", "1Gi"), "gold");
    Eventually.holds("and of the other one", SOON, () -> isReady(namespace, "g1"));
    assertThat(LIVE.ready(namespace)).isEqualTo(2);
    create(pod(namespace, "g2", "1", "1Gi"), "gold");
    Eventually.holds(
        "the next one says why it waits", SOON, () -> condition(namespace, "g2").isPresent());
    List<Boolean> admitted =
        right
            .loop()
            .ask(s -> s.instances().stream().map(each -> each.admittedAt() <= s.now()).toList())
            .join();
    assertThat(admitted).as("admitted before now").containsExactly(true, true, true);
  }

  private static boolean isReady(String namespace, String name) {
    return PodTimes.isReady(current(namespace, name));
  }

  @Test
  void whatIsNotUnderstoodIsRefusedWithAReason() throws IOException {
    String namespace = LIVE.newNamespace();
    nodes("refuse", 1, "2");
    start("refuse");
    Pod odd =
        new PodBuilder(pod(namespace, "odd", "1", "1Gi"))
            .editSpec()
            .addNewVolume()
            .withName("data")
            .withNewPersistentVolumeClaim("missing", false)
            .endVolume()
            .endSpec()
            .build();
    create(odd, "gold");
    create(pod(namespace, "unknown", "1", "1Gi"), "platinum");
    for (String each : List.of("odd", "unknown")) {
      Eventually.holds(
          each + " says why it is refused",
          SOON,
          () ->
              condition(namespace, each)
                  .filter(
                      message ->
                          message.contains(
                              each.equals("odd") ? "persistentVolumeClaim" : "platinum"))
                  .isPresent());
    }
  }

  @Test
  void podsOfAGroupStartTogetherOrNotAtAll() throws Exception {
    installPodGroups();
    removePodsOfOtherTests();
    String namespace = LIVE.newNamespace();
    nodes("gang", 1, "3");
    start("gang");
    create(inGroup(namespace, "m0", "missing"), "bronze");
    Eventually.holds(
        "it says that there is no such group",
        SOON,
        () -> condition(namespace, "m0").filter(each -> each.contains("no PodGroup")).isPresent());
    podGroup(namespace, "mpi", 3);
    create(inGroup(namespace, "g0", "mpi"), "bronze");
    create(inGroup(namespace, "g1", "mpi"), "bronze");
    Eventually.holds(
        "they say what they wait for",
        SOON,
        () ->
            condition(namespace, "g0")
                .filter(each -> each.contains("group %s/mpi has 2 of 3".formatted(namespace)))
                .isPresent());
    assertThat(LIVE.ready(namespace)).isZero();

    create(inGroup(namespace, "g2", "mpi"), "bronze");

    Eventually.holds("all three run", SOON, () -> LIVE.ready(namespace) == 3);
    podGroup(namespace, "other", 2);
    create(inGroup(namespace, "o0", "other"), "bronze");
    create(inGroup(namespace, "o1", "other"), "bronze");
    LIVE.client().pods().inNamespace(namespace).withName("g2").delete();
    Eventually.holds(
        "there is room for one of two",
        SOON,
        () -> condition(namespace, "o1").filter(each -> each.contains("group")).isPresent());
    assertThat(current(namespace, "o0").getSpec().getNodeName()).isNull();
    LIVE.client().pods().inNamespace(namespace).withName("g1").delete();
    Eventually.holds("both of the other group run", SOON, () -> LIVE.ready(namespace) == 3);
  }

  /** They would take the room. */
  private static void removePodsOfOtherTests() {
    LIVE.client()
        .pods()
        .inAnyNamespace()
        .list()
        .getItems()
        .forEach(each -> LIVE.client().resource(each).withGracePeriod(0).delete());
  }

  private static Pod inGroup(String namespace, String name, String group) {
    return new PodBuilder(pod(namespace, name, "1", "1Gi"))
        .editMetadata()
        .addToLabels("scheduling.x-k8s.io/pod-group", group)
        .endMetadata()
        .build();
  }

  private static void podGroup(String namespace, String name, int minimum) {
    LIVE.client()
        .resource(
            """
            apiVersion: scheduling.x-k8s.io/v1alpha1
            kind: PodGroup
            metadata: {name: %s, namespace: %s}
            spec: {minMember: %s}
            """
                .formatted(name, namespace, minimum))
        .create();
  }

  private static void installPodGroups() {
    LIVE.client()
        .resource(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: podgroups.scheduling.x-k8s.io
              annotations: {api-approved.kubernetes.io: "https://github.com/kubernetes-sigs"}
            spec:
              group: scheduling.x-k8s.io
              scope: Namespaced
              names: {kind: PodGroup, plural: podgroups, singular: podgroup}
              versions:
              - name: v1alpha1
                served: true
                storage: true
                schema:
                  openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """)
        .create();
    Eventually.holds(
        "the API knows groups",
        SOON,
        () -> LIVE.client().getApiResources("scheduling.x-k8s.io/v1alpha1") != null);
  }

  @Test
  void aVictimLeavesFirstAndTheNextPodOfItsOwnerContinuesItsHistory() throws IOException {
    String namespace = LIVE.newNamespace();
    nodes("preempt", 1, "2");
    PodScheduler scheduler = start("preempt");
    FakeController controller = LIVE.closing(FakeController.start(LIVE.config(), 1));
    controller.keep(LiveControlPlane.owner(REPLICA_SET, namespace, "web", "bronze", 2));
    Eventually.holds("both bronze pods run", SOON, () -> LIVE.ready(namespace) == 2);
    Eventually.pause(Duration.ofSeconds(3)); // they get service

    create(pod(namespace, "important", "1", "1Gi"), "gold");

    Eventually.holds("the gold pod runs", SOON, () -> isReady(namespace, "important"));
    Pod waiting =
        LIVE.pods(namespace).stream()
            .filter(each -> each.getSpec().getNodeName() == null)
            .findFirst()
            .orElseThrow();
    Eventually.holds(
        "the replacement has the history of the victim",
        SOON,
        () ->
            Placed.of(current(namespace, waiting.getMetadata().getName()))
                .filter(
                    placed ->
                        placed.history().preemptions() == 1
                            && placed.history().served().toMillis() >= 2_500)
                .isPresent());

    // The next scheduler knows it too.
    scheduler.close();
    PodScheduler next = start("preempt");
    LIVE.client().resource(current(namespace, "important")).delete();
    Eventually.holds("both bronze pods run again", SOON, () -> LIVE.ready(namespace) == 2);
    Placed placed = Placed.of(current(namespace, waiting.getMetadata().getName())).orElseThrow();
    assertThat(placed.history().preemptions()).isEqualTo(1);
    assertThat(placed.history().served()).isGreaterThan(Duration.ofMillis(2_500));
    assertThat(next.loop().ask(s -> s.instances().size()).join()).isEqualTo(2);
  }

  @Test
  void foreignPodsCountUntilTheyAreGone() throws IOException {
    String namespace = LIVE.newNamespace();
    nodes("foreign", 1, "2");
    Pod foreign =
        new PodBuilder(pod(namespace, "foreign", "2", "1Gi"))
            .editSpec()
            .withSchedulerName("other")
            .withTerminationGracePeriodSeconds(3L)
            .endSpec()
            .build();
    LIVE.client().resource(foreign).create();
    LIVE.bind(foreign, "foreign-0");
    start("foreign");
    create(pod(namespace, "ours", "1", "1Gi"), "gold");
    Eventually.holds("it waits", SOON, () -> condition(namespace, "ours").isPresent());
    assertThat(current(namespace, "ours").getSpec().getNodeName()).isNull();

    LIVE.client().resource(foreign).delete();

    Eventually.holds("it runs", SOON, () -> LIVE.ready(namespace) == 1);
    assertThat(current(namespace, "foreign")).isNull();
  }

  @Test
  void theApiServerMayRestart() throws IOException {
    String namespace = LIVE.newNamespace();
    nodes("restart", 2, "2");
    start("restart");
    create(pod(namespace, "before", "1", "1Gi"), "gold");
    Eventually.holds("it runs", SOON, () -> LIVE.ready(namespace) == 1);
    LIVE.controlPlane().restartApiServer();
    create(pod(namespace, "after", "1", "1Gi"), "gold");
    Eventually.holds("both run", SOON, () -> LIVE.ready(namespace) == 2);
  }

  // ---- What the tests share

  private static void nodes(String prefix, int count, String cpu) {
    FakeKubelet kubelet = LIVE.closing(FakeKubelet.start(LIVE.config(), PROMPT, 1));
    kubelet.addNodes(
        FakeNode.several(count, prefix, cpu, "16Gi", 110).stream()
            .map(each -> each.withLabels(Map.of("test", prefix)))
            .toList());
  }

  private static PodScheduler start(String label) throws IOException {
    return start(label, Duration.ZERO);
  }

  /**
   * @param offset by how much its clock is ahead
   */
  private static PodScheduler start(String label, Duration offset) throws IOException {
    String yaml =
        """
        nodes: {matchLabels: {test: %s}}
        serviceClasses:
        - {name: gold, slo: 0.99, importance: 1}
        - {name: bronze, slo: 0.5, importance: 3}
        policy: {id: priority}
        """
            .formatted(label);
    Configuration configuration =
        Configuration.read(
            Map.of(Configuration.KEY, yaml),
            (Optional<java.nio.file.Path> any) -> PolicyRegistry.load());
    return LIVE.closing(
        PodScheduler.start(
            LIVE.client(),
            configuration,
            "default",
            "test",
            () -> true,
            new PodScheduler.Probe(
                decision -> {},
                Clock.offset(Clock.systemUTC(), offset),
                UnaryOperator.identity(),
                false)));
  }

  private static void create(Pod pod, String serviceClass) {
    LIVE.client()
        .resource(
            new PodBuilder(pod)
                .editMetadata()
                .addToLabels("berth.dev/service-class", serviceClass)
                .endMetadata()
                .build())
        .create();
  }

  private static Pod current(String namespace, String name) {
    return LIVE.client().pods().inNamespace(namespace).withName(name).get();
  }

  private static Optional<String> condition(String namespace, String name) {
    return current(namespace, name).getStatus().getConditions().stream()
        .filter(each -> each.getType().equals("PodScheduled"))
        .filter(each -> each.getStatus().equals("False"))
        .map(each -> String.valueOf(each.getMessage()))
        .findFirst();
  }
}

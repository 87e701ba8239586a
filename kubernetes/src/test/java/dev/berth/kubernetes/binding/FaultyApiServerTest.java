package dev.berth.kubernetes.binding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.PolicyRegistry;
import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.lab.Delay;
import dev.berth.kubernetes.lab.Eventually;
import dev.berth.kubernetes.lab.FakeController;
import dev.berth.kubernetes.lab.FakeKubelet;
import dev.berth.kubernetes.lab.FakeNode;
import dev.berth.kubernetes.lab.FakeOwner;
import dev.berth.kubernetes.lab.FaultyApiServer;
import dev.berth.kubernetes.lab.LiveControlPlane;
import dev.berth.kubernetes.lab.PodBehaviour;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An API server that is overloaded, cuts watches, and loses answers. */
class FaultyApiServerTest {

  private static final Duration SOON = Duration.ofSeconds(90);

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void podsRunWhereTheyFitAllTheSame(long seed) throws Exception {
    String namespace = LIVE.newNamespace();
    String test = "faulty-" + seed;
    FakeKubelet kubelet =
        LIVE.closing(
            FakeKubelet.start(
                LIVE.config(),
                PodBehaviour.drawn(
                    Delay.uniform(Duration.ofMillis(50), Duration.ofMillis(300)),
                    Delay.constant(Duration.ofMillis(300)),
                    0),
                seed));
    kubelet.addNodes(
        FakeNode.several(3, test, "3", "16Gi", 110).stream()
            .map(each -> each.withLabels(Map.of("test", test)))
            .toList());
    FakeController controller = LIVE.closing(FakeController.start(LIVE.config(), seed));
    controller.keep(
        new FakeOwner(
            FakeOwner.Kind.REPLICA_SET,
            namespace,
            "plain",
            6,
            new PodTemplateSpecBuilder()
                .withNewMetadata()
                .addToLabels("berth.dev/service-class", "bronze")
                .endMetadata()
                .withSpec(LiveControlPlane.pod(namespace, "like", "1", "1Gi").getSpec())
                .build()));
    FaultyApiServer faulty = LIVE.closing(FaultyApiServer.start(LIVE.config(), seed));
    KubernetesClient client =
        LIVE.closing(
            new KubernetesClientBuilder().withConfig(faulty.config(LIVE.config())).build());
    PodScheduler scheduler =
        LIVE.closing(PodScheduler.start(client, configuration(test), "default", test, () -> true));
    for (int i = 0; i < 3; i++) {
      LIVE.client()
          .resource(
              new PodBuilder(LiveControlPlane.pod(namespace, "important-" + i, "1", "1Gi"))
                  .editMetadata()
                  .addToLabels("berth.dev/service-class", "gold")
                  .endMetadata()
                  .build())
          .create();
      Eventually.pause(Duration.ofSeconds(2));
      pods(namespace).stream()
          .filter(each -> each.getMetadata().getName().startsWith("plain"))
          .findAny()
          .ifPresent(each -> LIVE.client().resource(each).delete());
      Eventually.pause(Duration.ofSeconds(1));
    }

    faulty.behave();
    Eventually.holds("all nine run", SOON, () -> ready(namespace) == 9);
    assertThat(kubelet.counts().rejected()).isZero();
    assertThat(faulty.counts()).containsKeys("429", "watch cut");
    Eventually.holds(
        "the scheduler knows where they are",
        SOON,
        () ->
            scheduler
                    .loop()
                    .ask(core -> core.instances().stream().filter(each -> each.host().isPresent()))
                    .join()
                    .count()
                == 9);
  }

  private static List<Pod> pods(String namespace) {
    return LIVE.client().pods().inNamespace(namespace).list().getItems();
  }

  private static long ready(String namespace) {
    return pods(namespace).stream()
        .filter(each -> each.getMetadata().getDeletionTimestamp() == null)
        .filter(each -> LiveControlPlane.condition(each, "Ready").equals("True"))
        .count();
  }

  private static Configuration configuration(String test) {
    String yaml =
        """
        nodes: {matchLabels: {test: %s}}
        serviceClasses:
        - {name: gold, slo: 0.99, importance: 1, safetyMargin: 1s}
        - {name: bronze, slo: 0.5, importance: 3, safetyMargin: 1s}
        loop: {reconcileEvery: 5s}
        """
            .formatted(test);
    return Configuration.read(
        Map.of(Configuration.KEY, yaml), (Optional<Path> any) -> PolicyRegistry.load());
  }
}

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
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An API server that is overloaded, cuts watches, and loses answers. */
class FaultyApiServerTest {

  private static final Duration SOON = Duration.ofSeconds(90);

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();

  static LongStream seeds() {
    long from = Long.getLong("berth.faults.from", 1);
    return LongStream.range(from, from + Long.getLong("berth.faults.seeds", 3));
  }

  @ParameterizedTest
  @MethodSource("seeds")
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
    controller.keep(owner(namespace, "plain", "bronze", 6));
    FaultyApiServer faulty = LIVE.closing(FaultyApiServer.start(LIVE.config(), seed));
    KubernetesClient client =
        LIVE.closing(
            new KubernetesClientBuilder().withConfig(faulty.config(LIVE.config())).build());
    PodScheduler scheduler =
        LIVE.closing(PodScheduler.start(client, configuration(test), "default", test, () -> true));
    for (int i = 0; i < 3; i++) {
      controller.keep(owner(namespace, "important-" + i, "gold", 1));
      Eventually.pause(Duration.ofSeconds(2));
      LIVE.pods(namespace).stream()
          .filter(each -> each.getMetadata().getName().startsWith("plain"))
          .findAny()
          .ifPresent(each -> LIVE.client().resource(each).delete());
      Eventually.pause(Duration.ofSeconds(1));
    }

    faulty.behave();
    try {
      Eventually.holds("all nine run", SOON, () -> LIVE.ready(namespace) == 9);
    } catch (AssertionError failed) {
      throw new AssertionError(
          "%s; pods: %s; scheduler: %s"
              .formatted(
                  failed.getMessage(), LIVE.describePods(namespace), Instances.describe(scheduler)),
          failed);
    }
    assertThat(kubelet.counts().rejected()).isZero();
    assertThat(faulty.counts().values().stream().mapToInt(it -> it).sum())
        .as("faults: %s", faulty.counts())
        .isGreaterThanOrEqualTo(5);
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

  private static FakeOwner owner(String namespace, String name, String serviceClass, int pods) {
    return new FakeOwner(
        FakeOwner.Kind.REPLICA_SET,
        namespace,
        name,
        pods,
        new PodTemplateSpecBuilder()
            .withNewMetadata()
            .addToLabels("berth.dev/service-class", serviceClass)
            .endMetadata()
            .withSpec(LiveControlPlane.pod(namespace, "like", "1", "1Gi").getSpec())
            .build());
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

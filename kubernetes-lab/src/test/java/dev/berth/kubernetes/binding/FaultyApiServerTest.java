package dev.berth.kubernetes.binding;

import static dev.berth.kubernetes.lab.FakeOwner.Kind.REPLICA_SET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.lab.Delay;
import dev.berth.kubernetes.lab.Eventually;
import dev.berth.kubernetes.lab.FakeController;
import dev.berth.kubernetes.lab.FakeKubelet;
import dev.berth.kubernetes.lab.FakeNode;
import dev.berth.kubernetes.lab.FaultyApiServer;
import dev.berth.kubernetes.lab.LiveControlPlane;
import dev.berth.kubernetes.lab.PodBehaviour;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.Map;
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
    controller.keep(LiveControlPlane.owner(REPLICA_SET, namespace, "plain", "bronze", 6));
    FaultyApiServer faulty = LIVE.closing(FaultyApiServer.start(LIVE.config(), seed));
    KubernetesClient client =
        LIVE.closing(
            new KubernetesClientBuilder().withConfig(faulty.config(LIVE.config())).build());
    PodScheduler scheduler =
        LIVE.closing(
            PodScheduler.start(
                client, Schedulers.configuration(test), "default", test, () -> true));
    for (int i = 0; i < 3; i++) {
      controller.keep(LiveControlPlane.owner(REPLICA_SET, namespace, "important-" + i, "gold", 1));
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
                  failed.getMessage(),
                  LIVE.describePods(namespace),
                  Schedulers.describe(scheduler)),
          failed);
    }
    assertThat(kubelet.counts().rejected()).isZero();
    assertThat(faulty.counts()).containsKeys("410", "429", "late", "watch cut", "watch late");
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
}

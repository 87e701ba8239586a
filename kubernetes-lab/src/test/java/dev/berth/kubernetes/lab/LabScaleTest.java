package dev.berth.kubernetes.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.lab.FakeOwner.Kind;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The size that the lab is made for. Prints how long each step takes; {@code
 * -Dberth.lab.scale=true} runs it.
 */
@EnabledIfSystemProperty(named = "berth.lab.scale", matches = "true")
class LabScaleTest {

  private static final int NODES = 1_000;
  private static final int PODS = 10_000;
  private static final int DELETED = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();

  @Test
  void thousandNodesRunTenThousandPods() throws IOException {
    FakeKubelet kubelet =
        LIVE.closing(
            FakeKubelet.start(
                LIVE.config(),
                PodBehaviour.drawn(
                    Delay.uniform(Duration.ofSeconds(1), Duration.ofSeconds(2)),
                    Delay.constant(Duration.ZERO),
                    0),
                1));
    long start = System.nanoTime();
    kubelet.addNodes(FakeNode.several(NODES, "node", "10", "64Gi", 110));
    report("nodes are registered", start);

    String namespace = LIVE.newNamespace();
    FakeController controller = LIVE.closing(FakeController.start(LIVE.config(), 1));
    start = System.nanoTime();
    LIVE.controlPlane().startKubeScheduler(5_000, 5_000);
    FakeOwner owner =
        new FakeOwner(
            Kind.REPLICA_SET,
            namespace,
            "web",
            PODS,
            new PodTemplateSpecBuilder()
                .withSpec(
                    LiveControlPlane.pod(namespace, "any", "1", "1Gi")
                        .getSpec()
                        .edit()
                        .withSchedulerName("default-scheduler")
                        .build())
                .build());
    controller.keep(owner);
    Eventually.holds("all are created", PATIENCE, () -> controller.created() == PODS);
    report("pods are created", start);
    Eventually.holds("all are ready", PATIENCE, () -> kubelet.counts().ready() == PODS);
    report("pods are ready", start);
    System.out.println(LIVE.controlPlane().status());

    start = System.nanoTime();
    controller.keep(owner.withPods(PODS - DELETED));
    Eventually.holds("they are gone", PATIENCE, () -> kubelet.counts().stopped() == DELETED);
    report(DELETED + " pods are gone", start);
    Eventually.pause(Duration.ofSeconds(2));
    assertThat(controller.created()).isEqualTo(PODS);
    assertThat(kubelet.counts()).isEqualTo(new FakeKubelet.Counts(PODS, 0, PODS, 0, 0, DELETED));
  }

  private static void report(String what, long start) {
    Runtime runtime = Runtime.getRuntime();
    System.out.printf(
        Locale.ROOT,
        "%s after %.1f s, with %d MB of heap%n",
        what,
        (System.nanoTime() - start) / 1e9,
        (runtime.totalMemory() - runtime.freeMemory()) >> 20);
  }
}

package dev.berth.kubernetes.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The lab as Kubernetes' own scheduler sees it. */
class KubeSchedulerTest {

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();

  @Test
  void podsOfAControllerAreScheduledAndBecomeReady() throws IOException {
    FakeKubelet kubelet =
        LIVE.closing(
            FakeKubelet.start(
                LIVE.config(),
                PodBehaviour.drawn(
                    Delay.exponential(Duration.ofMillis(300)), Delay.constant(Duration.ZERO), 0),
                5));
    kubelet.addNodes(FakeNode.several(10, "node", "5", "16Gi", 110));
    LIVE.controlPlane().startKubeScheduler(200, 400);
    String namespace = LIVE.newNamespace();
    FakeController controller = LIVE.closing(FakeController.start(LIVE.config(), 5));

    controller.keep(
        new FakeOwner(
            FakeOwner.Kind.REPLICA_SET,
            namespace,
            "web",
            50,
            new PodTemplateSpecBuilder()
                .withSpec(
                    LiveControlPlane.pod(namespace, "any", "1", "1Gi")
                        .getSpec()
                        .edit()
                        .withSchedulerName("default-scheduler")
                        .build())
                .build()));

    Eventually.holds(
        "50 pods are ready", Duration.ofSeconds(60), () -> kubelet.counts().ready() == 50);
    List<Pod> pods = LIVE.client().pods().inNamespace(namespace).list().getItems();
    Map<String, Long> perNode =
        pods.stream()
            .collect(
                Collectors.groupingBy(pod -> pod.getSpec().getNodeName(), Collectors.counting()));
    assertThat(perNode).hasSize(10).allSatisfy((node, count) -> assertThat(count).isEqualTo(5));
    assertThat(kubelet.counts().rejected()).isZero();
    assertThat(controller.created()).isEqualTo(50);
    LIVE.controlPlane().stopKubeScheduler();
    assertThat(LIVE.controlPlane().status()).contains("scheduler: does not run");
  }
}

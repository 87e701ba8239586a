package dev.berth.kubernetes.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.lab.Delay;
import dev.berth.kubernetes.lab.Eventually;
import dev.berth.kubernetes.lab.FakeController;
import dev.berth.kubernetes.lab.FakeKubelet;
import dev.berth.kubernetes.lab.FakeNode;
import dev.berth.kubernetes.lab.FakeOwner;
import dev.berth.kubernetes.lab.LiveControlPlane;
import dev.berth.kubernetes.lab.PodBehaviour;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two processes of the command; the one that leads is killed while it binds pods. */
class LeaderKilledTest {

  private static final Duration SOON = Duration.ofMinutes(3);
  private static final int PODS = 600;

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();

  @Test
  void anotherGoesOnAndNothingIsLost() throws Exception {
    String namespace = LIVE.newNamespace();
    LIVE.client()
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("berth-config")
                .endMetadata()
                .addToData(
                    Configuration.KEY, "nodes: {}\nserviceClasses: [{name: bronze, slo: 0.5}]\n")
                .build())
        .create();
    FakeKubelet kubelet =
        LIVE.closing(
            FakeKubelet.start(
                LIVE.config(),
                PodBehaviour.drawn(
                    Delay.constant(Duration.ofMillis(100)), Delay.constant(Duration.ZERO), 0),
                1));
    kubelet.addNodes(FakeNode.several(PODS / 20, "node", "20", "256Gi", 110)); // just enough
    Process first = run("one");
    try {
      Eventually.holds("one leads", SOON, () -> holder().startsWith("one-"));
      Process second = run("two");
      try {
        FakeController controller = LIVE.closing(FakeController.start(LIVE.config(), 1));
        controller.keep(owner(namespace));
        Eventually.holds("some pods are bound", SOON, () -> bound(namespace) > PODS / 10);

        first.destroyForcibly(); // as kill -9
        first.waitFor();
        assertThat(bound(namespace)).as("bound by the first").isLessThan(PODS);

        Eventually.holds("all pods run", SOON, () -> kubelet.counts().ready() == PODS);
        assertThat(holder()).startsWith("two-");
        assertThat(kubelet.counts().rejected()).as("pods for which there was no room").isZero();
        assertThat(controller.created()).as("pods, so none was replaced").isEqualTo(PODS);
      } finally {
        second.destroyForcibly();
      }
    } finally {
      first.destroyForcibly();
    }
  }

  private static Process run(String identity) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            KubernetesMain.class.getName(),
            "run",
            "--kubeconfig",
            LIVE.controlPlane().kubeconfig().toString(),
            "--namespace",
            "default",
            "--identity",
            identity,
            "--port",
            "0")
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static String holder() {
    return Objects.requireNonNullElse(
            LIVE.client().leases().inNamespace("default").withName("berth").get(),
            new io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder()
                .withNewSpec()
                .withHolderIdentity("")
                .endSpec()
                .build())
        .getSpec()
        .getHolderIdentity();
  }

  private static long bound(String namespace) {
    return LIVE.client().pods().inNamespace(namespace).list().getItems().stream()
        .filter(each -> each.getSpec().getNodeName() != null)
        .count();
  }

  private static FakeOwner owner(String namespace) {
    return new FakeOwner(
        FakeOwner.Kind.REPLICA_SET,
        namespace,
        "web",
        PODS,
        new PodTemplateSpecBuilder()
            .withNewMetadata()
            .withLabels(Map.of("berth.dev/service-class", "bronze"))
            .endMetadata()
            .withSpec(LiveControlPlane.pod(namespace, "any", "1", "1Gi").getSpec())
            .build());
  }
}

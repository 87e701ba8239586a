package dev.berth.kubernetes.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class ControlPlaneTest {

  private static final String ACCOUNT = "system:serviceaccount:berth:berth";

  @RegisterExtension
  static final LiveControlPlane LIVE = LiveControlPlane.withUsers("alice", ACCOUNT);

  @Test
  void isKubernetes() {
    assertThat(LIVE.client().getKubernetesVersion().getGitVersion()).isEqualTo("v1.20.2");
  }

  @Test
  void aUserWithoutRightsIsRefused() {
    try (KubernetesClient alice = client("alice")) {
      assertThatThrownBy(() -> alice.pods().inNamespace("default").list())
          .isInstanceOfSatisfying(
              KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403))
          .hasMessageContaining("alice");
    }
  }

  @Test
  void aUserHasTheRightsOfItsRoles() {
    // Not a role of Kubernetes such as "view": a controller that is not here fills those.
    LIVE.client()
        .resource(
            new ClusterRoleBuilder()
                .withNewMetadata()
                .withName("account")
                .endMetadata()
                .addNewRule()
                .withApiGroups("")
                .withResources("pods")
                .withVerbs("list")
                .endRule()
                .build())
        .create();
    LIVE.client()
        .resource(
            new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName("account")
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "account")
                .addNewSubject(null, "ServiceAccount", "berth", "berth")
                .build())
        .create();
    try (KubernetesClient account = client(ACCOUNT)) {
      Eventually.holds(
          "the account sees pods",
          Duration.ofSeconds(5),
          () -> {
            try {
              return account.pods().inNamespace("default").list().getItems().isEmpty();
            } catch (KubernetesClientException e) {
              assertThat(e.getCode()).isEqualTo(403);
              return false;
            }
          });
      assertThatThrownBy(
              () ->
                  account.resource(LiveControlPlane.pod("default", "refused", "1", "1Gi")).create())
          .isInstanceOf(KubernetesClientException.class);
    }
  }

  @Test
  void aUserWhoWasNotNamedIsUnknown() {
    assertThatThrownBy(() -> LIVE.controlPlane().config("bob"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bob")
        .hasMessageContaining("alice");
  }

  @Test
  void priorityClassesGivePodsTheirPriority() {
    LIVE.client()
        .resource(
            new PriorityClassBuilder()
                .withNewMetadata()
                .withName("gold")
                .endMetadata()
                .withValue(1000)
                .build())
        .create();
    Pod pod =
        new PodBuilder(LiveControlPlane.pod(LIVE.newNamespace(), "gold", "1", "1Gi"))
            .editSpec()
            .withPriorityClassName("gold")
            .endSpec()
            .build();
    assertThat(LIVE.client().resource(pod).create().getSpec().getPriority()).isEqualTo(1000);
  }

  @Test
  void dataSurviveARestartOfTheApiServer() throws IOException {
    ConfigMap data =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(LIVE.newNamespace())
            .withName("kept")
            .endMetadata()
            .addToData("key", "value")
            .build();
    LIVE.client().resource(data).create();
    long before = process(LIVE.controlPlane().folder(), "apiserver");

    LIVE.controlPlane().restartApiServer();

    assertThat(process(LIVE.controlPlane().folder(), "apiserver")).isNotEqualTo(before);
    assertThat(LIVE.client().resource(data).get().getData()).containsEntry("key", "value");
  }

  @Test
  void anApiServerThatIsStoppedCanBeStartedAgain() throws IOException {
    LIVE.controlPlane().stopApiServer();
    assertThat(LIVE.controlPlane().status()).contains("apiserver: does not run");
    LIVE.controlPlane().startApiServer();
    LIVE.controlPlane().startApiServer();
    assertThat(LIVE.client().namespaces().withName("default").get()).isNotNull();
  }

  @Test
  void noProcessIsLeftAfterClosing() throws IOException {
    ControlPlane second = ControlPlane.start();
    second.startKubeScheduler(50, 100);
    List<Long> processes = new ArrayList<>();
    for (String part : List.of("etcd", "apiserver", "scheduler", "guard")) {
      processes.add(process(second.folder(), part));
    }
    assertThat(processes).allMatch(ControlPlaneTest::runs);
    System.out.println(second.status());
    Thread.currentThread().interrupt();

    second.close();
    second.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(processes).noneMatch(ControlPlaneTest::runs);
    assertThat(second.folder()).doesNotExist();
    assertThatThrownBy(second::startApiServer).isInstanceOf(IOException.class);
  }

  @Test
  void noProcessIsLeftAfterItsOwnerIsKilled(@TempDir Path folder) throws Exception {
    Process owner = new ProcessBuilder("sleep", "600").start();
    String script = Path.of(ControlPlane.class.getResource("control-plane").toURI()).toString();
    Process start =
        new ProcessBuilder(
                "bash", script, "start", folder.toString(), "--while", Long.toString(owner.pid()))
            .inheritIO()
            .start();
    assertThat(start.waitFor()).isZero();
    long etcd = process(folder, "etcd");
    long apiserver = process(folder, "apiserver");
    assertThat(runs(etcd)).isTrue();

    owner.destroyForcibly().waitFor();

    Eventually.holds(
        "both have ended", Duration.ofSeconds(20), () -> !runs(etcd) && !runs(apiserver));
  }

  private static KubernetesClient client(String user) {
    return new KubernetesClientBuilder().withConfig(LIVE.controlPlane().config(user)).build();
  }

  private static long process(Path folder, String part) throws IOException {
    return Long.parseLong(Files.readString(folder.resolve(part + ".pid")).strip());
  }

  /** A process that has ended but was not yet reaped by its parent does not run. */
  private static boolean runs(long process) {
    try {
      return !Files.readString(Path.of("/proc/" + process + "/cmdline")).isEmpty();
    } catch (IOException e) {
      return false;
    }
  }
}

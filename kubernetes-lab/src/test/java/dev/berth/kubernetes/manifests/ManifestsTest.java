package dev.berth.kubernetes.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.ServiceClass;
import dev.berth.core.PolicyRegistry;
import dev.berth.kubernetes.config.Configuration;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What belongs together in the manifests agrees. */
class ManifestsTest {

  @Test
  void theKustomizationListsAllFiles() throws IOException {
    try (Stream<Path> files = Files.list(Manifests.FOLDER)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .containsAll(Manifests.files())
          .hasSize(Manifests.files().size() + 1)
          .contains("kustomization.yaml");
    }
  }

  @Test
  void theConfigurationIsValid() {
    Configuration read =
        Configuration.read(
            Manifests.one(ConfigMap.class).getData(), plugins -> PolicyRegistry.load());

    assertThat(read.serviceClasses())
        .extracting(ServiceClass::name)
        .containsExactly("gold", "silver", "bronze");
    assertThat(read.loop().actionTimeout())
        .as("longer than the usual grace of pods")
        .isGreaterThan(Duration.ofSeconds(30));
    PodSpec own = Manifests.one(Deployment.class).getSpec().getTemplate().getSpec();
    assertThat(own.getSchedulerName()).isNotEqualTo(read.schedulerName());
  }

  @Test
  void thePodsMeetTheRestrictedStandard() {
    PodSpec pod = Manifests.one(Deployment.class).getSpec().getTemplate().getSpec();
    PodSecurityContext security = pod.getSecurityContext();
    assertThat(security.getRunAsNonRoot()).isTrue();
    assertThat(security.getRunAsUser()).isPositive();
    assertThat(security.getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
    assertThat(pod.getContainers())
        .allSatisfy(
            each -> {
              assertThat(each.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
              assertThat(each.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
              assertThat(each.getSecurityContext().getCapabilities().getDrop())
                  .containsExactly("ALL");
              assertThat(each.getSecurityContext().getCapabilities().getAdd()).isEmpty();
              assertThat(each.getResources().getRequests()).containsOnlyKeys("cpu", "memory");
            });
  }

  @Test
  void portsAndUsersAgree() throws IOException {
    PodSpec pod = Manifests.one(Deployment.class).getSpec().getTemplate().getSpec();
    Container container = pod.getContainers().get(0);
    int port = container.getPorts().get(0).getContainerPort();
    List<String> recipe = Files.readAllLines(Manifests.MODULE.resolve("image/Containerfile"));

    assertThat(container.getArgs()).contains("--port=" + port);
    assertThat(recipe).contains("EXPOSE " + port);
    assertThat(recipe)
        .contains(
            "USER %s:%s"
                .formatted(
                    pod.getSecurityContext().getRunAsUser(),
                    pod.getSecurityContext().getRunAsGroup()));
    assertThat(Manifests.one(NetworkPolicy.class).getSpec().getIngress())
        .flatExtracting(each -> each.getPorts())
        .extracting(each -> each.getPort().getIntVal())
        .containsExactly(port);
    // What the image copies is not ignored.
    List<String> ignored = Files.readAllLines(Manifests.MODULE.resolve(".dockerignore"));
    assertThat(recipe.stream().filter(each -> each.startsWith("COPY ")))
        .isNotEmpty()
        .allSatisfy(
            each ->
                assertThat(ignored).contains("!" + each.split(" ", -1)[1].replaceAll("/$", "")));
  }
}

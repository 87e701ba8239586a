package dev.berth.kubernetes.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.ServiceClass;
import dev.berth.core.PolicyRegistry;
import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.lab.LiveControlPlane;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The manifests against a real API server, and against each other. */
class ManifestsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Versions of older servers, which have the same fields as far as the manifests use them. */
  private static final Map<String, String> OLDER = Map.of("policy/v1", "policy/v1beta1");

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();

  // ---- What the API server says

  @Test
  void theApiServerAcceptsEachManifest() throws IOException {
    List<String> problems = new ArrayList<>();
    int accepted = 0;
    for (GenericKubernetesResource each : Manifests.all()) {
      ObjectNode manifest = JSON.valueToTree(each);
      if (resource(manifest).isEmpty()) {
        String version = each.getApiVersion();
        String older = OLDER.getOrDefault(version, "none");
        System.err.printf(
            "SKIPPED: this API server has no %s of %s; %s is validated in its place%n",
            each.getKind(), version, older);
        manifest.put("apiVersion", older);
      }
      problems.addAll(dryRun(manifest));
      accepted++;
      if (each.getKind().equals("Namespace")) { // the others need it
        LIVE.client().resource(Manifests.one(Namespace.class)).create();
      }
    }
    assertThat(problems).isEmpty();
    assertThat(accepted).isGreaterThanOrEqualTo(11);

    // The server does not look at the pods of a Deployment before they are created.
    ObjectNode pod = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata").put("name", "berth-0").put("namespace", Manifests.NAMESPACE);
    pod.set("spec", deployment().at("/spec/template/spec"));
    assertThat(dryRun(pod)).isEmpty();
  }

  @Test
  void aFieldThatTheServerDoesNotKnowIsFound() throws IOException {
    String namespace = LIVE.newNamespace();
    JsonNode odd =
        JSON.readTree(
            """
            {"apiVersion": "v1", "kind": "ServiceAccount", "automountToken": false,
             "metadata": {"name": "odd", "namespace": "%s"}}
            """
                .formatted(namespace));
    assertThat(dryRun(odd)).containsExactly("ServiceAccount odd: .automountToken: false became ");
  }

  private static JsonNode deployment() {
    return Manifests.all().stream()
        .filter(each -> each.getKind().equals("Deployment"))
        .map(each -> JSON.<JsonNode>valueToTree(each))
        .findFirst()
        .orElseThrow();
  }

  private static Optional<APIResource> resource(JsonNode manifest) {
    APIResourceList list = LIVE.client().getApiResources(manifest.path("apiVersion").asText());
    return list == null
        ? Optional.empty()
        : list.getResources().stream()
            .filter(each -> each.getKind().equals(manifest.path("kind").asText()))
            .filter(each -> !each.getName().contains("/"))
            .findFirst();
  }

  /** Returns why the server refuses an object, and what it drops or changes of it. */
  private static List<String> dryRun(JsonNode manifest) throws IOException {
    String version = manifest.path("apiVersion").asText();
    String name = manifest.path("kind").asText() + " " + manifest.at("/metadata/name").asText();
    Optional<APIResource> resource = resource(manifest);
    if (resource.isEmpty()) {
      return List.of(name + ": the server has no " + version);
    }
    String namespace =
        resource.get().getNamespaced()
            ? "/namespaces/" + manifest.at("/metadata/namespace").asText()
            : "";
    String path =
        "/%s/%s%s/%s?dryRun=All&fieldValidation=Strict"
            .formatted(
                version.contains("/") ? "apis" : "api",
                version,
                namespace,
                resource.get().getName());
    try {
      String answer = LIVE.client().raw(path, "POST", JSON.convertValue(manifest, Map.class));
      List<String> differences = new ArrayList<>();
      compare(name + ": ", manifest, JSON.readTree(answer), differences);
      return differences;
    } catch (KubernetesClientException refused) {
      return List.of(name + ": " + refused.getMessage());
    }
  }

  private static void compare(String path, JsonNode sent, JsonNode there, List<String> into) {
    if (sent.isObject()) {
      sent.properties()
          .forEach(
              each ->
                  compare(
                      path + "." + each.getKey(),
                      each.getValue(),
                      there.path(each.getKey()),
                      into));
    } else if (sent.isArray() && sent.size() <= there.size()) {
      for (int i = 0; i < sent.size(); i++) { // admission may add elements
        compare("%s[%s]".formatted(path, i), sent.get(i), there.get(i), into);
      }
    } else if (!sent.isNull() && !sent.asText().equals(there.asText())) {
      into.add("%s: %s became %s".formatted(path, sent.asText(), there.asText()));
    }
  }

  // ---- What belongs together

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
    List<String> recipe = Files.readAllLines(Path.of("image", "Containerfile"));

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
    List<String> ignored = Files.readAllLines(Path.of(".dockerignore"));
    assertThat(recipe.stream().filter(each -> each.startsWith("COPY ")))
        .isNotEmpty()
        .allSatisfy(
            each ->
                assertThat(ignored).contains("!" + each.split(" ", -1)[1].replaceAll("/$", "")));
  }
}

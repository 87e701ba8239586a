package dev.berth.kubernetes.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kubernetes.lab.LiveControlPlane;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A real API server takes the manifests as they are. */
class ManifestsOnServerTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Versions of older servers, which have the same fields as far as the manifests use them. */
  private static final Map<String, String> OLDER = Map.of("policy/v1", "policy/v1beta1");

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();

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
}

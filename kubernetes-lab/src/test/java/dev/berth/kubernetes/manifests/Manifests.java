package dev.berth.kubernetes.manifests;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The manifests of the scheduler, in the order of their kustomization. */
final class Manifests {

  /** The module of the scheduler. */
  static final Path MODULE = Path.of("..", "kubernetes");

  static final Path FOLDER = MODULE.resolve("manifests");
  static final String NAMESPACE = "berth-system";
  static final String SERVICE_ACCOUNT = "system:serviceaccount:berth-system:berth";

  private Manifests() {}

  /** Returns the names of the files that the kustomization lists. */
  static List<String> files() {
    return kustomization().getAdditionalProperties().get("resources") instanceof List<?> names
        ? names.stream().map(String::valueOf).toList()
        : List.of();
  }

  static GenericKubernetesResource kustomization() {
    return Serialization.unmarshal(text("kustomization.yaml"), GenericKubernetesResource.class);
  }

  /** Returns all objects. */
  static List<GenericKubernetesResource> all() {
    List<GenericKubernetesResource> all = new ArrayList<>();
    for (String file : files()) {
      for (String document : documents(file)) {
        all.add(Serialization.unmarshal(document, GenericKubernetesResource.class));
      }
    }
    return all;
  }

  /** Returns the object of a kind, of which there is one. */
  static <T extends HasMetadata> T one(Class<T> type) {
    List<T> found = new ArrayList<>();
    for (String file : files()) {
      for (String document : documents(file)) {
        if (Serialization.unmarshal(document, GenericKubernetesResource.class)
            .getKind()
            .equals(HasMetadata.getKind(type))) {
          found.add(Serialization.unmarshal(document, type));
        }
      }
    }
    if (found.size() != 1) {
      throw new IllegalStateException(
          "%s objects of kind %s, not one".formatted(found.size(), HasMetadata.getKind(type)));
    }
    return found.get(0);
  }

  private static List<String> documents(String file) {
    return List.of(text(file).split("(?m)^---$", -1));
  }

  private static String text(String file) {
    try {
      return Files.readString(FOLDER.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

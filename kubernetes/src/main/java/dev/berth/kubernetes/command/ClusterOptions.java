package dev.berth.kubernetes.command;

import dev.berth.core.PolicyRegistry;
import dev.berth.core.error.ConfigException;
import dev.berth.kubernetes.binding.Forecast;
import dev.berth.kubernetes.config.Configuration;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster, and where its configuration is. */
final class ClusterOptions {

  private static final int MOST_REQUESTS = 64; // at once
  private static final Duration LONGEST_FORECAST = Duration.ofMinutes(2);
  private static final String DEFAULT_NAMESPACE = "berth-system";

  /** The namespace of a pod's service account, as each pod with one sees it. */
  private static final Path OWN_NAMESPACE =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description =
          "Namespace of the ConfigMap and the Lease. Default: that of the service account of this "
              + "pod, else "
              + DEFAULT_NAMESPACE
              + ".")
  private @Nullable String namespace;

  @Option(
      names = "--config-map",
      paramLabel = "NAME",
      defaultValue = "berth-config",
      description = "ConfigMap with the configuration, under the key " + Configuration.KEY + ".")
  @SuppressWarnings("NullAway.Init") // it has a default
  private String configMap;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Reads the configuration from a file, not from a ConfigMap.")
  private @Nullable Path file;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "How to connect. Default: the service account of this pod, $KUBECONFIG or "
              + "~/.kube/config.")
  private @Nullable Path kubeconfig;

  /** Thrown if options name something that cannot be used. */
  static final class UnusableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnusableException(String message) {
      super(message);
    }
  }

  /** Returns a client; the caller closes it. */
  KubernetesClient connect() throws IOException {
    Config config;
    if (kubeconfig == null) {
      config = new ConfigBuilder().build();
    } else if (!Files.isReadable(kubeconfig)) {
      throw new UnusableException(
          "--kubeconfig was %s, must be a file that can be read.".formatted(kubeconfig));
    } else {
      try {
        config = Config.fromKubeconfig(kubeconfig.toFile());
      } catch (RuntimeException damaged) {
        throw new UnusableException(
            "--kubeconfig was %s, must be a configuration of kubectl: %s"
                .formatted(kubeconfig, damaged.getMessage()));
      }
    }
    config.setHttp2Disable(true); // a lost connection delays only its own request
    config.setMaxConcurrentRequests(MOST_REQUESTS);
    config.setMaxConcurrentRequestsPerHost(MOST_REQUESTS);
    config.setRequestRetryBackoffLimit(3); // a command says soon that there is no server
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /** Returns the namespace of the scheduler itself. */
  String namespace() {
    if (namespace != null) {
      return namespace;
    }
    try {
      return Files.readString(OWN_NAMESPACE).strip();
    } catch (IOException notInPod) {
      return DEFAULT_NAMESPACE;
    }
  }

  /** Returns the ConfigMap; empty if a file is read instead. */
  Optional<ConfigMap> map(KubernetesClient client) {
    if (file != null) {
      return Optional.empty();
    }
    ConfigMap found = client.configMaps().inNamespace(namespace()).withName(configMap).get();
    if (found == null) {
      throw new UnusableException(
          ("There is no ConfigMap %s in namespace %s. Maybe create it from the manifests, or name "
                  + "another with --config-map and --namespace.")
              .formatted(configMap, namespace()));
    }
    return Optional.of(found);
  }

  /**
   * Reads the configuration.
   *
   * @param map the ConfigMap; empty to read the file
   * @throws ConfigException if it is invalid; it lists all problems
   */
  Configuration read(Optional<ConfigMap> map) {
    Map<String, String> data;
    if (map.isPresent()) {
      data = map.get().getData() == null ? Map.of() : map.get().getData();
    } else {
      try {
        data = Map.of(Configuration.KEY, Files.readString(file));
      } catch (IOException | RuntimeException unreadable) {
        throw new UnusableException("--config was %s, must be a text file.".formatted(file));
      }
    }
    return Configuration.read(
        data, plugins -> plugins.map(ClusterOptions::policiesIn).orElseGet(PolicyRegistry::load));
  }

  /** Returns what a scheduler would do with the cluster now. */
  Forecast forecast(KubernetesClient client) throws IOException {
    return Forecast.of(client, read(map(client)), namespace(), LONGEST_FORECAST);
  }

  /** Returns our policies and those of the jars in a folder, which are loaded for good. */
  private static PolicyRegistry policiesIn(Path folder) {
    List<URL> jars = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.jar")) {
      for (Path each : files) {
        new JarFile(each.toFile()).close(); // a class loader would ignore a damaged one
        jars.add(each.toUri().toURL());
      }
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(
          "it must be a folder with jars, but: %s".formatted(unreadable.getMessage()), unreadable);
    }
    if (jars.isEmpty()) {
      throw new IllegalArgumentException("it must be a folder with jars, but has none");
    }
    jars.sort(Comparator.comparing(URL::toString));
    return PolicyRegistry.load(
        new URLClassLoader(jars.toArray(URL[]::new), ClusterOptions.class.getClassLoader()));
  }
}

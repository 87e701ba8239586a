package dev.berth.kubernetes.command;

import dev.berth.kubernetes.binding.Forecast.PodForecast;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says why a pod waits. */
@Command(
    name = "explain",
    header = "Says why a pod waits, where it would go, or why it is refused.",
    description = "Reads the cluster, and changes nothing there.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ExplainCommand implements Callable<Integer> {

  @Parameters(paramLabel = "POD", description = "The name of the pod, or NAMESPACE/NAME.")
  @SuppressWarnings("NullAway.Init") // it is required
  private String pod;

  @Option(
      names = {"-n", "--pod-namespace"},
      paramLabel = "NAME",
      defaultValue = "default",
      description = "The namespace of the pod. Default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init") // it has a default
  private String podNamespace;

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandLine.Model.CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    String key = pod.contains("/") ? pod : podNamespace + "/" + pod;
    try (KubernetesClient client = cluster.connect()) {
      Optional<PodForecast> found =
          cluster.forecast(client).pods().stream()
              .filter(each -> each.pod().equals(key))
              .findFirst();
      if (found.isEmpty()) {
        throw new ClusterOptions.UnusableException(missing(client, key));
      }
      spec.commandLine().getOut().println(CheckCommand.line(found.get()));
      return 0;
    }
  }

  private static String missing(KubernetesClient client, String key) {
    String[] parts = key.split("/", 2);
    Pod there = client.pods().inNamespace(parts[0]).withName(parts[1]).get();
    if (there == null) {
      return "There is no pod %s. Maybe name its namespace with -n.".formatted(key);
    }
    return "Pod %s is not for this scheduler now: its schedulerName is %s, its phase is %s."
        .formatted(key, there.getSpec().getSchedulerName(), there.getStatus().getPhase());
  }
}

package dev.berth.kubernetes.command;

import dev.berth.kubernetes.binding.Forecast;
import dev.berth.kubernetes.binding.Forecast.Outcome;
import dev.berth.kubernetes.binding.Forecast.PodForecast;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says what the scheduler would do. */
@Command(
    name = "check",
    header = "Says what the scheduler would do with the pods that are there now.",
    description = "Checks the configuration first. Reads the cluster, and changes nothing there.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class CheckCommand implements Callable<Integer> {

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(names = "--all", description = "Also lists the pods that stay where they are.")
  private boolean all;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandLine.Model.CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    try (KubernetesClient client = cluster.connect()) {
      print(cluster.forecast(client), spec.commandLine().getOut());
      return 0;
    }
  }

  private void print(Forecast forecast, PrintWriter out) {
    Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
    forecast.pods().forEach(each -> counts.merge(each.outcome(), 1L, Long::sum));
    out.println(
        forecast.pods().isEmpty()
            ? "No pod names this scheduler."
            : forecast.pods().size()
                + " pods: "
                + counts.entrySet().stream()
                    .map(each -> each.getValue() + " " + word(each.getKey()))
                    .collect(Collectors.joining(", ")));
    for (PodForecast each : forecast.pods()) {
      if (all || each.outcome() != Outcome.STAYS) {
        out.println(line(each));
      }
    }
    forecast.unusedNodes().forEach(out::println);
  }

  static String line(PodForecast pod) {
    return "%-9s %s%s: %s"
        .formatted(
            word(pod.outcome()),
            pod.pod(),
            pod.serviceClass().isEmpty() ? "" : " (" + pod.serviceClass() + ")",
            pod.detail());
  }

  private static String word(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }
}

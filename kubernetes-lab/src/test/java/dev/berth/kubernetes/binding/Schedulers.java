package dev.berth.kubernetes.binding;

import dev.berth.core.PolicyRegistry;
import dev.berth.kubernetes.config.Configuration;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What tests of several schedulers share. */
final class Schedulers {

  private Schedulers() {}

  /** Returns the configuration of a scheduler of nodes with a label, and of two classes. */
  static Configuration configuration(String label) {
    String yaml =
        """
        nodes: {matchLabels: {test: %s}}
        serviceClasses:
        - {name: gold, slo: 0.99, importance: 1, safetyMargin: 1s}
        - {name: bronze, slo: 0.5, importance: 3, safetyMargin: 1s}
        loop: {reconcileEvery: 5s}
        """
            .formatted(label);
    return Configuration.read(
        Map.of(Configuration.KEY, yaml), (Optional<Path> any) -> PolicyRegistry.load());
  }

  /** Returns each instance that a scheduler has, with its state and its host. */
  static List<String> describe(PodScheduler scheduler) {
    return scheduler
        .loop()
        .ask(
            core ->
                core.instances().stream()
                    .map(
                        each ->
                            "%s %s %s"
                                .formatted(
                                    each.id(),
                                    each.state(),
                                    each.host().map(host -> host.id()).orElse("-")))
                    .toList())
        .join();
  }
}

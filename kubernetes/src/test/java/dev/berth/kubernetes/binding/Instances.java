package dev.berth.kubernetes.binding;

import java.util.List;

/** What a scheduler of pods has, for messages of tests. */
final class Instances {

  private Instances() {}

  /** Returns each instance with its state and its host. */
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

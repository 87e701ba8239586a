package dev.berth.experiments.run;

import static dev.berth.api.Arguments.refuseIf;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.simulator.metrics.MetricsSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An experiment that is checked and ready to run: compared policies in cases.
 *
 * @param name its name in reports
 * @param description its subject, for reports; may be empty
 * @param cases in the order of the axes: workloads, infrastructures, scales, watchdogs, margins,
 *     seeds
 * @param policies the compared policies, in the order of tables, with the first watchdog
 * @param reference label of the policy that others are compared with and that defines contention;
 *     empty: none
 * @param metrics settings of the measurements
 * @param effective the effective specification with defaults, for reports
 * @param notes records that were left out of the input files
 */
public record Experiment(
    String name,
    String description,
    List<Case> cases,
    List<ComparedPolicy> policies,
    Optional<String> reference,
    MetricsSettings metrics,
    ObjectNode effective,
    List<String> notes) {

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if two policies have the same label, or none has that of the
   *     reference
   */
  public Experiment {
    cases = List.copyOf(cases);
    policies = List.copyOf(policies);
    notes = List.copyOf(notes);
    Set<String> labels = new HashSet<>();
    for (ComparedPolicy each : policies) {
      refuseIf(
          !labels.add(each.label()),
          "two policies have the label \"%s\", labels must be unique.",
          each.label());
    }
    if (reference.isPresent() && !labels.contains(reference.get())) {
      throw new IllegalArgumentException(
          "reference was \"%s\", must be the label of a policy of the experiment: %s."
              .formatted(reference.get(), String.join(", ", labels)));
    }
  }

  /**
   * Returns an order of names of service classes: by importance in the first workload that has the
   * class, then by name, as in the results of a run. Unknown names are last.
   */
  public Comparator<String> mostImportantFirst() {
    Map<String, Integer> importance = new HashMap<>();
    for (Case each : cases) {
      each.settings()
          .scenario()
          .workload()
          .serviceClasses()
          .forEach(known -> importance.putIfAbsent(known.name(), known.importance()));
    }
    return Comparator.<String>comparingInt(each -> importance.getOrDefault(each, Integer.MAX_VALUE))
        .thenComparing(Comparator.naturalOrder());
  }

  /** Returns the policies with each watchdog, as far as their configurations have it. */
  public List<ComparedPolicy> configured() {
    return cases.stream()
        .map(each -> each.settings().watchdog())
        .distinct()
        .flatMap(watchdog -> policies.stream().map(each -> each.withWatchdog(watchdog)))
        .distinct()
        .toList();
  }

  /** Returns the cells in order: by case, then by policy, which gets the watchdog of the case. */
  public List<Cell> cells() {
    Map<Duration, List<ComparedPolicy>> byWatchdog = new HashMap<>();
    List<Cell> cells = new ArrayList<>();
    for (Case each : cases) {
      List<ComparedPolicy> its =
          byWatchdog.computeIfAbsent(
              each.settings().watchdog(),
              watchdog -> policies.stream().map(policy -> policy.withWatchdog(watchdog)).toList());
      its.forEach(policy -> cells.add(new Cell(each, policy, metrics)));
    }
    return cells;
  }
}

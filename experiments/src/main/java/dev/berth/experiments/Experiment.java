package dev.berth.experiments;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.simulator.metrics.MetricsSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Contenders in cases: what is to be run, checked and ready.
 *
 * @param name what reports call it
 * @param description what it is about, for reports; may be empty
 * @param cases in the order of the axes: workloads, infrastructures, scales, seeds
 * @param contenders in the order of tables
 * @param reference label of the contender against which the others are held, and by which
 *     contention is judged; empty: none
 * @param metrics how runs are measured
 * @param effective what was asked for, defaults included; for reports
 * @param notes what was left out of the files it was made of
 */
public record Experiment(
    String name,
    String description,
    List<Case> cases,
    List<ComparedPolicy> contenders,
    Optional<String> reference,
    MetricsSettings metrics,
    ObjectNode effective,
    List<String> notes) {

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if two contenders have one label, or none is the reference
   */
  public Experiment {
    cases = List.copyOf(cases);
    contenders = List.copyOf(contenders);
    notes = List.copyOf(notes);
    Set<String> labels = new HashSet<>();
    for (ComparedPolicy each : contenders) {
      if (!labels.add(each.label())) {
        throw new IllegalArgumentException(
            "two policies have the label \"%s\", labels must be unique.".formatted(each.label()));
      }
    }
    if (reference.isPresent() && !labels.contains(reference.get())) {
      throw new IllegalArgumentException(
          "reference was \"%s\", must be the label of a policy of the experiment: %s."
              .formatted(reference.get(), String.join(", ", labels)));
    }
  }

  /** Returns the cells in order: case by case, contender by contender. */
  public List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (Case each : cases) {
      for (ComparedPolicy contender : contenders) {
        cells.add(new Cell(each, contender, metrics));
      }
    }
    return cells;
  }
}

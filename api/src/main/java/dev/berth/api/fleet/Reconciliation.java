package dev.berth.api.fleet;

import java.util.List;

/**
 * What a scheduler believed wrongly, in the order in which it was corrected. Immutable.
 *
 * @param differences the corrected differences; empty if there were none
 */
public record Reconciliation(List<Difference> differences) {

  /** Copies the list. */
  public Reconciliation {
    differences = List.copyOf(differences);
  }

  /** Returns whether all was as believed. */
  public boolean isEmpty() {
    return differences.isEmpty();
  }
}

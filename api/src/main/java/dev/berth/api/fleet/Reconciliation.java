package dev.berth.api.fleet;

import java.util.List;

/**
 * What a scheduler believed wrongly, in the order in which it was corrected. Immutable.
 *
 * @param differences the corrected differences; empty if there were none
 * @param strays the instances that the fleet is to stop: those that were cancelled, and attempts
 *     beside the present one of their instance. What they hold is foreign load until then
 */
public record Reconciliation(List<Difference> differences, List<ObservedInstance> strays) {

  /** Copies the lists. */
  public Reconciliation {
    differences = List.copyOf(differences);
    strays = List.copyOf(strays);
  }

  /** Returns whether all was as believed; there may be strays. */
  public boolean isEmpty() {
    return differences.isEmpty();
  }
}

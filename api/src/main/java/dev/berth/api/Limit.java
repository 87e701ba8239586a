package dev.berth.api;

/**
 * A counted limit of the cluster, and how much of it is used. Immutable.
 *
 * @param name its name
 * @param amount how much there is, not negative; 0 unless it was set
 * @param used how much the instances on hosts use; more than there is if the limit was lowered, or
 *     if a fleet reports instances that no plan placed
 */
public record Limit(String name, long amount, long used) {

  /** Returns how much is left; negative if more is used than there is. */
  public long free() {
    return amount - used;
  }
}

package dev.berth.api.pipeline;

import dev.berth.api.Experimental;

/**
 * An allocation score that depends only on capacity and use in each dimension: not on the time, the
 * host or the instance.
 *
 * <p>The engine then keeps hosts in an index and scores hosts with equal resources once. Plans are
 * the same as without the index.
 */
@Experimental
@FunctionalInterface
public interface ResourceScore extends AllocationScore {

  /**
   * Returns an upper bound of the scores of a set of hosts of one capacity. The tighter the bound,
   * the fewer hosts the engine scores. The default, positive infinity, is always right.
   *
   * @param least the capacity of those hosts, and in each dimension the least that is used on any;
   *     has no host and no instance; valid during the call
   * @param most the same, with the most that is used on any
   */
  default double upperBound(Fit least, Fit most) {
    return Double.POSITIVE_INFINITY;
  }
}

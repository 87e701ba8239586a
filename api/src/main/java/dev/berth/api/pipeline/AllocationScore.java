package dev.berth.api.pipeline;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;

/**
 * Says how good it is to place an instance on a host that has room for it: greater is better.
 *
 * <p>Called by the thread that drives the scheduler, many times in a pass; must be cheap, pure, and
 * allocate nothing. See {@link AllocationScores} for the usual ones.
 */
@FunctionalInterface
public interface AllocationScore {

  /**
   * Returns the score of one placement.
   *
   * @param fit the host as it would be after the placement; valid during the call
   * @return usually in [0, 1]; not NaN
   */
  double score(Fit fit);

  /**
   * Returns whether the score depends on capacity and use in each dimension alone: not on the time,
   * the host or the instance. Then the engine scores one host of many that are alike. Constant;
   * default no, which is always right.
   */
  default boolean dependsOnResourcesOnly() {
    return false;
  }

  /**
   * Returns what no score of certain hosts exceeds, so that the engine need not look at each of
   * them. Only asked if the score {@linkplain #dependsOnResourcesOnly goes by amounts}; the closer
   * to the best of them, the less is looked at. Default: infinite, which is always right.
   *
   * @param least the capacity of those hosts, and in each dimension the least used on any; without
   *     host and instance; valid during the call
   * @param most the same with the most used
   */
  default double upperBound(Fit least, Fit most) {
    return Double.POSITIVE_INFINITY;
  }

  /**
   * A host as it would be if the instance were placed there and the victims, if any, had left.
   *
   * <p>Dimensions are numbered from 0 in the order in which the scheduler came to know them, alike
   * for all hosts.
   */
  interface Fit {

    /** Returns the time of the pass. */
    long now();

    /** Returns the number of dimensions that the scheduler knows. */
    int dimensions();

    /** Returns the capacity of the host in a dimension; 0 where it has none. */
    long capacity(int dimension);

    /** Returns what would be held there in a dimension, from 0 to the capacity. */
    long used(int dimension);

    /** Returns the dimension with that number. */
    Dimension dimension(int number);

    /** Returns the host, as it is now. */
    Host host();

    /** Returns the instance to be placed. */
    Instance instance();
  }
}

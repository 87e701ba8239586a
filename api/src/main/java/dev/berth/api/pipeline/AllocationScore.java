package dev.berth.api.pipeline;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;

/**
 * Scores the placement of an instance on a host that has room for it; greater is better.
 *
 * <p>The scheduler's thread calls it many times in a pass. It must be cheap and pure, and must
 * allocate nothing. {@link AllocationScores} has the usual ones.
 *
 * <p>A score that depends on resources only should implement {@link ResourceScore}, so that the
 * engine finds the best host without scoring each.
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
   * A host as it would be if the instance were placed there and its victims had left.
   *
   * <p>Dimensions are numbered from 0 in the order in which the scheduler first met them. The
   * numbers are the same for all hosts.
   */
  interface Fit {

    /** Returns the time of the pass, in nanoseconds. */
    long now();

    /** Returns the number of dimensions that the scheduler knows. */
    int dimensions();

    /** Returns the capacity of the host in a dimension; 0 where it has none. */
    long capacity(int dimension);

    /** Returns the amount of a dimension that would be held there, from 0 to the capacity. */
    long used(int dimension);

    /** Returns the dimension with that number. */
    Dimension dimension(int number);

    /** Returns the host in its present state, before the placement. */
    Host host();

    /** Returns the instance to be placed. */
    Instance instance();
  }
}

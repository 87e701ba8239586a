package dev.berth.api.pipeline;

/**
 * Says what it costs to preempt a set of victims: a tuple, compared entry by entry, smaller is
 * better.
 *
 * <p>Called by the thread that drives the scheduler, many times in a pass; must be cheap, pure, and
 * allocate nothing.
 */
public interface PreemptionCost {

  /**
   * Returns the number of entries of the tuple, for a scheduler with that many service classes;
   * constant.
   */
  int width(int classes);

  /**
   * Adds a victim to the tuple, which starts as zeros. Victims are added in the order in which they
   * were taken.
   *
   * @param tuple {@link #width} entries; no entry may become NaN
   */
  void add(PreemptionPair contest, double[] tuple);

  /**
   * Turns the sums into the final tuple when all victims are added; default: they are it. No entry
   * may become NaN.
   */
  default void finish(double[] tuple) {}

  /**
   * Returns whether the tuple depends on the victims, their values and the time alone, not on who
   * they are to leave for. Then the engine need not count again for each of many requests that ask
   * for the same. Constant; default no, which is always right.
   */
  default boolean dependsOnVictimsOnly() {
    return false;
  }

  /** Returns the number of victims as cost. */
  static PreemptionCost fewestVictims() {
    return new PreemptionCost() {
      @Override
      public int width(int classes) {
        return 1;
      }

      @Override
      public void add(PreemptionPair contest, double[] tuple) {
        tuple[0]++;
      }

      @Override
      public boolean dependsOnVictimsOnly() {
        return true;
      }
    };
  }
}

package dev.berth.api.pipeline;

/**
 * Measures the cost of preempting a set of victims as a tuple. Tuples are compared entry by entry;
 * smaller is better. Before the tuples, the engine compares how many members leave with {@linkplain
 * dev.berth.api.batch.GroupSpec groups} that must leave as a whole.
 *
 * <p>The scheduler's thread calls it many times in a pass. It must be cheap and pure, and must
 * allocate nothing.
 *
 * <p>A cost that does not depend on the beneficiary should implement {@link VictimCost}, so that
 * the engine need not add it up again for each equivalent request.
 */
public interface PreemptionCost {

  /**
   * Returns the number of entries of the tuple for a scheduler with that many service classes;
   * constant.
   */
  int width(int classes);

  /**
   * Adds a victim to the tuple, which starts as zeros. The engine adds victims in the order in
   * which it took them.
   *
   * @param pair valid during the call
   * @param tuple {@link #width} entries; no entry may become NaN
   */
  void add(PreemptionPair pair, double[] tuple);

  /**
   * Turns the sums into the final tuple once all victims are added. By default the sums are the
   * tuple. No entry may become NaN.
   */
  default void finish(double[] tuple) {}

  /** Returns a cost that counts the victims. */
  static PreemptionCost fewestVictims() {
    return new VictimCost() {
      @Override
      public int width(int classes) {
        return 1;
      }

      @Override
      public void add(PreemptionPair pair, double[] tuple) {
        tuple[0]++;
      }
    };
  }
}

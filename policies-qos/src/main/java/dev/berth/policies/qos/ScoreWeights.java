package dev.berth.policies.qos;

import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.AllocationScores;
import dev.berth.api.pipeline.AllocationScores.Weighted;
import java.util.List;

/**
 * The weights of the scores that rank hosts (section 4.1.2).
 *
 * @param leastRequested weight of the share left free, 0 or more
 * @param balancedAllocation weight of how evenly the dimensions are used, 0 or more; not both
 *     weights are 0
 */
record ScoreWeights(double leastRequested, double balancedAllocation) {

  /** Equal weights. */
  static final ScoreWeights EQUAL = new ScoreWeights(1, 1);

  /** Checks the ranges. */
  ScoreWeights {
    requireWeight("leastRequested", leastRequested);
    requireWeight("balancedAllocation", balancedAllocation);
    if (leastRequested + balancedAllocation == 0) {
      throw new IllegalArgumentException(
          "leastRequested and balancedAllocation must not both be 0");
    }
  }

  private static void requireWeight(String name, double value) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(name + " must be 0 or more");
    }
  }

  /** Returns the weighted score. */
  AllocationScore score() {
    return AllocationScores.weighted(
        List.of(
            new Weighted(AllocationScores.leastRequested(), leastRequested),
            new Weighted(AllocationScores.balancedAllocation(), balancedAllocation)));
  }
}

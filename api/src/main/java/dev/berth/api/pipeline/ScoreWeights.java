package dev.berth.api.pipeline;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Described;
import dev.berth.api.pipeline.AllocationScores.Weighted;
import java.util.List;

/**
 * The weights of the two scores that Kubernetes combines, as a component of a policy's
 * configuration. Users write {@code {"leastRequested": 1, "balancedAllocation": 0.5}}. Immutable.
 *
 * @param leastRequested weight of {@link AllocationScores#leastRequested}; not negative, finite
 * @param balancedAllocation weight of {@link AllocationScores#balancedAllocation}; not negative,
 *     finite; not both weights are 0
 */
public record ScoreWeights(
    @Described(
            value = "weight of the score that prefers hosts with much free capacity",
            range = "0 or more; not both weights are 0")
        double leastRequested,
    @Described(
            value = "weight of the score that prefers hosts whose dimensions are used alike",
            range = "0 or more; not both weights are 0")
        double balancedAllocation) {

  /** Equal weights (QoS-driven scheduling, section 4.1.2). */
  public static final ScoreWeights EQUAL = new ScoreWeights(1, 1);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a weight is negative or not finite, or both are 0
   */
  public ScoreWeights {
    requireWeight("leastRequested", leastRequested);
    requireWeight("balancedAllocation", balancedAllocation);
    refuseIf(
        leastRequested + balancedAllocation == 0,
        "leastRequested and balancedAllocation must not both be 0");
  }

  /** Returns the mean of the two scores by these weights, which is a {@link ResourceScore}. */
  public AllocationScore score() {
    return AllocationScores.weighted(
        List.of(
            new Weighted(AllocationScores.leastRequested(), leastRequested),
            new Weighted(AllocationScores.balancedAllocation(), balancedAllocation)));
  }

  private static void requireWeight(String name, double value) {
    refuseIf(!(value >= 0) || Double.isInfinite(value), "%s must be 0 or more", name);
  }
}

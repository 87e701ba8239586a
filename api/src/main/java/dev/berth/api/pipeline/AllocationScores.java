package dev.berth.api.pipeline;

import java.util.Arrays;
import java.util.List;

/**
 * The usual {@linkplain AllocationScore allocation scores}. Dimensions of which a host has nothing
 * do not count.
 */
public final class AllocationScores {

  private AllocationScores() {}

  /**
   * Prefers hosts with more room: the mean over the dimensions of the share left free (Kubernetes'
   * <em>Least Requested Priority</em>; QoS-driven scheduling, section 4.1.2). In [0, 1].
   */
  public static AllocationScore leastRequested() {
    return new LeastRequested();
  }

  private record LeastRequested() implements AllocationScore {

    @Override
    public double score(Fit fit) {
      double sum = 0;
      int counted = 0;
      for (int d = 0; d < fit.dimensions(); d++) {
        long capacity = fit.capacity(d);
        if (capacity > 0) {
          sum += (double) (capacity - fit.used(d)) / capacity;
          counted++;
        }
      }
      return counted == 0 ? 0 : sum / counted;
    }

    @Override
    public boolean dependsOnResourcesOnly() {
      return true;
    }

    /** Each rounding on the way to a score keeps the order of what is rounded. */
    @Override
    public double upperBound(Fit least, Fit most) {
      return score(least);
    }
  }

  /**
   * Prefers hosts whose dimensions are used evenly: one minus the distance between the most and the
   * least used share; with two dimensions that is Kubernetes' <em>Balanced Resource Allocation</em>
   * (section 4.1.2). In [0, 1].
   */
  public static AllocationScore balancedAllocation() {
    return new BalancedAllocation();
  }

  private record BalancedAllocation() implements AllocationScore {

    @Override
    public double score(Fit fit) {
      return upperBound(fit, fit);
    }

    @Override
    public boolean dependsOnResourcesOnly() {
      return true;
    }

    /**
     * The most used share is at least the greatest of what is least used, and the least used share
     * at most the smallest of what is most used.
     */
    @Override
    public double upperBound(Fit least, Fit most) {
      double smallest = Double.POSITIVE_INFINITY;
      double greatest = Double.NEGATIVE_INFINITY;
      for (int d = 0; d < least.dimensions(); d++) {
        long capacity = least.capacity(d);
        if (capacity > 0) {
          smallest = Math.min(smallest, (double) most.used(d) / capacity);
          greatest = Math.max(greatest, (double) least.used(d) / capacity);
        }
      }
      return smallest == Double.POSITIVE_INFINITY ? 0 : 1 - Math.max(0, greatest - smallest);
    }
  }

  /**
   * Returns a weighted mean of scores.
   *
   * @param parts at least one, with weights that are not negative and not all zero
   * @throws IllegalArgumentException if there are no parts or the weights are out of range
   */
  public static AllocationScore weighted(List<Weighted> parts) {
    double total = parts.stream().mapToDouble(Weighted::weight).sum();
    if (!(total > 0) || Double.isInfinite(total)) {
      throw new IllegalArgumentException(
          "allocation score: the weights add up to %s, at least one must be positive."
              .formatted(total));
    }
    AllocationScore[] scores = parts.stream().map(Weighted::score).toArray(AllocationScore[]::new);
    double[] weights = parts.stream().mapToDouble(Weighted::weight).toArray();
    return new WeightedMean(scores, weights, total);
  }

  private static final class WeightedMean implements AllocationScore {

    private final AllocationScore[] scores;
    private final double[] weights;
    private final double total;
    private final boolean byAmounts;

    WeightedMean(AllocationScore[] scores, double[] weights, double total) {
      this.scores = scores;
      this.weights = weights;
      this.total = total;
      this.byAmounts = Arrays.stream(scores).allMatch(AllocationScore::dependsOnResourcesOnly);
    }

    @Override
    public double score(Fit fit) {
      double sum = 0;
      for (int i = 0; i < scores.length; i++) {
        if (weights[i] > 0) {
          sum += weights[i] * scores[i].score(fit);
        }
      }
      return sum / total;
    }

    @Override
    public boolean dependsOnResourcesOnly() {
      return byAmounts;
    }

    @Override
    public double upperBound(Fit least, Fit most) {
      double sum = 0;
      for (int i = 0; i < scores.length; i++) {
        if (weights[i] > 0) {
          sum += weights[i] * scores[i].upperBound(least, most);
        }
      }
      return sum / total;
    }
  }

  /**
   * A score and how much it counts.
   *
   * @param weight not negative, finite
   */
  public record Weighted(AllocationScore score, double weight) {
    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if the weight is negative or not finite
     */
    public Weighted {
      if (!(weight >= 0) || Double.isInfinite(weight)) {
        throw new IllegalArgumentException(
            "allocation score: weight was %s, must be 0 or more.".formatted(weight));
      }
    }
  }
}

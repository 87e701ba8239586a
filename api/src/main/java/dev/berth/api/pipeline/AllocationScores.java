package dev.berth.api.pipeline;

import static dev.berth.api.Arguments.refuseIf;

import java.util.List;

/**
 * The common {@linkplain AllocationScore allocation scores}. They ignore dimensions in which a host
 * has no capacity.
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

  private record LeastRequested() implements ResourceScore {

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

    /** Rounding is monotone, so the bound holds for the rounded scores too. */
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

  private record BalancedAllocation() implements ResourceScore {

    @Override
    public double score(Fit fit) {
      return upperBound(fit, fit);
    }

    /**
     * On each host, the greatest share is at least the greatest lower bound of the shares, and the
     * smallest share is at most their smallest upper bound.
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
   * Returns a weighted mean of scores; a {@link ResourceScore} if all of them are.
   *
   * @param parts at least one, with weights that are not negative and not all zero
   * @throws IllegalArgumentException if there are no parts or the weights are out of range
   */
  public static AllocationScore weighted(List<Weighted> parts) {
    double total = parts.stream().mapToDouble(Weighted::weight).sum();
    refuseIf(
        !(total > 0) || Double.isInfinite(total),
        "allocation score: the weights add up to %s, at least one must be positive.",
        total);
    double[] weights = parts.stream().mapToDouble(Weighted::weight).toArray();
    if (parts.stream().allMatch(each -> each.score() instanceof ResourceScore)) {
      return new ResourceMean(
          parts.stream().map(each -> (ResourceScore) each.score()).toArray(ResourceScore[]::new),
          weights,
          total);
    }
    return new WeightedMean(
        parts.stream().map(Weighted::score).toArray(AllocationScore[]::new), weights, total);
  }

  private static double mean(
      AllocationScore[] scores, double[] weights, double total, AllocationScore.Fit fit) {
    double sum = 0;
    for (int i = 0; i < scores.length; i++) {
      if (weights[i] > 0) {
        sum += weights[i] * scores[i].score(fit);
      }
    }
    return sum / total;
  }

  private static final class WeightedMean implements AllocationScore {

    private final AllocationScore[] scores;
    private final double[] weights;
    private final double total;

    WeightedMean(AllocationScore[] scores, double[] weights, double total) {
      this.scores = scores;
      this.weights = weights;
      this.total = total;
    }

    @Override
    public double score(Fit fit) {
      return mean(scores, weights, total, fit);
    }
  }

  /** A weighted mean of scores that all depend on resources only, and so does their mean. */
  private static final class ResourceMean implements ResourceScore {

    private final ResourceScore[] scores;
    private final double[] weights;
    private final double total;

    ResourceMean(ResourceScore[] scores, double[] weights, double total) {
      this.scores = scores;
      this.weights = weights;
      this.total = total;
    }

    @Override
    public double score(Fit fit) {
      return mean(scores, weights, total, fit);
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
   * A score and its weight.
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
      refuseIf(
          !(weight >= 0) || Double.isInfinite(weight),
          "allocation score: weight was %s, must be 0 or more.",
          weight);
    }
  }
}

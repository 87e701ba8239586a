package dev.berth.api;

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
    return fit -> {
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
    };
  }

  /**
   * Prefers hosts whose dimensions are used evenly: one minus the distance between the most and the
   * least used share; with two dimensions that is Kubernetes' <em>Balanced Resource Allocation</em>
   * (section 4.1.2). In [0, 1].
   */
  public static AllocationScore balancedAllocation() {
    return fit -> {
      double least = Double.POSITIVE_INFINITY;
      double most = Double.NEGATIVE_INFINITY;
      for (int d = 0; d < fit.dimensions(); d++) {
        long capacity = fit.capacity(d);
        if (capacity > 0) {
          double share = (double) fit.used(d) / capacity;
          least = Math.min(least, share);
          most = Math.max(most, share);
        }
      }
      return least > most ? 0 : 1 - (most - least);
    };
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
    return fit -> {
      double sum = 0;
      for (int i = 0; i < scores.length; i++) {
        if (weights[i] > 0) {
          sum += weights[i] * scores[i].score(fit);
        }
      }
      return sum / total;
    };
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

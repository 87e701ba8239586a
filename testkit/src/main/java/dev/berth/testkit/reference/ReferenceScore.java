package dev.berth.testkit.reference;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The allocation score of section 4.1.2: a weighted mean of two scores of a host as it would be
 * with the instance there. The paper's is the plain mean.
 *
 * @param leastRequested weight of <em>least requested</em>, not negative
 * @param balancedAllocation weight of <em>balanced allocation</em>, not negative; not both 0
 */
public record ReferenceScore(double leastRequested, double balancedAllocation) {

  /** The plain mean. */
  public static final ReferenceScore MEAN = new ReferenceScore(1, 1);

  /**
   * Returns the score of a host.
   *
   * @param holders the instances on it, without the new one
   * @param coming what the new instance is granted, and foreign load holds, in each dimension
   */
  double score(
      HostSpec host,
      List<ReferenceInstance> holders,
      ToLongFunction<Dimension> coming,
      List<Dimension> dimensions) {
    List<Dimension> counted =
        dimensions.stream().filter(each -> host.capacity().amount(each) > 0).toList();
    ToLongFunction<Dimension> held =
        each -> ReferenceCluster.held(holders, each) + coming.applyAsLong(each);
    double sum = 0;
    if (leastRequested > 0) {
      sum += leastRequested * leastRequested(host, held, counted);
    }
    if (balancedAllocation > 0) {
      sum += balancedAllocation * balancedAllocation(host, held, counted);
    }
    return sum / (leastRequested + balancedAllocation);
  }

  /** The mean share left free. */
  private static double leastRequested(
      HostSpec host, ToLongFunction<Dimension> held, List<Dimension> dimensions) {
    if (dimensions.isEmpty()) {
      return 0;
    }
    double sum = 0; // not DoubleStream.sum(), which compensates for rounding
    for (Dimension each : dimensions) {
      long capacity = host.capacity().amount(each);
      sum += (double) (capacity - held.applyAsLong(each)) / capacity;
    }
    return sum / dimensions.size();
  }

  /** One less the distance between the most and the least used share. */
  private static double balancedAllocation(
      HostSpec host, ToLongFunction<Dimension> held, List<Dimension> dimensions) {
    if (dimensions.isEmpty()) {
      return 0;
    }
    List<Double> shares =
        dimensions.stream()
            .map(each -> (double) held.applyAsLong(each) / host.capacity().amount(each))
            .sorted()
            .toList();
    return 1 - (shares.get(shares.size() - 1) - shares.get(0));
  }
}

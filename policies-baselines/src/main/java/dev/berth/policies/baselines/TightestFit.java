package dev.berth.policies.baselines;

import dev.berth.api.pipeline.ResourceScore;

/**
 * Prefers the host with the least left in the dimension in which most is left: the smallest of the
 * used shares. In [0, 1]. A dimension that nothing on the host uses does not count.
 *
 * <p>So a request goes where it leaves no dimension idle beside a full one. On equal hosts with
 * similar demands it ranks as the mean of the used shares does.
 */
final class TightestFit implements ResourceScore {

  @Override
  public double score(Fit fit) {
    return upperBound(fit, fit);
  }

  /** A dimension that some host of the set may not use says nothing about the best of them. */
  @Override
  public double upperBound(Fit least, Fit most) {
    double smallest = 1;
    for (int d = 0; d < least.dimensions(); d++) {
      if (least.used(d) > 0) {
        smallest = Math.min(smallest, (double) most.used(d) / most.capacity(d));
      }
    }
    return smallest;
  }
}

package dev.berth.traces.prepare;

import java.util.Arrays;
import java.util.Random;
import org.apache.commons.statistics.descriptive.DoubleStatistics;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.descriptive.Statistic;

/**
 * The distribution of a number over requests.
 *
 * @param min the minimum
 * @param p5 the 5th percentile
 * @param p25 the 25th percentile
 * @param median the 50th percentile
 * @param p75 the 75th percentile
 * @param p95 the 95th percentile
 * @param p99 the 99th percentile
 * @param max the maximum
 * @param mean the mean; like minimum and maximum, exact except for rounding
 * @param estimated whether the percentiles come from a random sample of {@value #KEPT} values
 */
public record Distribution(
    double min,
    double p5,
    double p25,
    double median,
    double p75,
    double p95,
    double p99,
    double max,
    double mean,
    boolean estimated) {

  /** The number of values from which percentiles are computed. */
  public static final int KEPT = 65_536;

  private static final double[] PERCENTILES = {0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

  /** Collects values and retains at most {@link #KEPT} of them. */
  static final class Collector {

    private final DoubleStatistics exact =
        DoubleStatistics.of(Statistic.MIN, Statistic.MAX, Statistic.MEAN);
    private final Random random = new Random(KEPT); // any fixed seed serves
    private double[] kept = new double[16];
    private long count;

    void add(double value) {
      exact.accept(value);
      count++;
      if (count <= KEPT) {
        if (count > kept.length) {
          kept = Arrays.copyOf(kept, kept.length * 2);
        }
        kept[(int) count - 1] = value;
        return;
      }
      long index = (long) (random.nextDouble() * count); // every value so far has the same chance
      if (index < KEPT) {
        kept[(int) index] = value;
      }
    }

    /** Returns the distribution of the collected values, of which there must be at least one. */
    Distribution get() {
      int size = (int) Math.min(count, KEPT);
      double[] at = Quantile.withDefaults().evaluate(Arrays.copyOf(kept, size), PERCENTILES);
      return new Distribution(
          exact.getAsDouble(Statistic.MIN),
          at[0],
          at[1],
          at[2],
          at[3],
          at[4],
          at[5],
          exact.getAsDouble(Statistic.MAX),
          exact.getAsDouble(Statistic.MEAN),
          count > KEPT);
    }
  }
}

package dev.berth.traces.prepare;

import java.util.Arrays;
import java.util.Random;
import org.apache.commons.statistics.descriptive.DoubleStatistics;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.descriptive.Statistic;

/**
 * How a number is spread over requests.
 *
 * @param min the least
 * @param p5 the 5th percentile
 * @param p25 the 25th
 * @param median the 50th
 * @param p75 the 75th
 * @param p95 the 95th
 * @param p99 the 99th
 * @param max the greatest
 * @param mean exact but for rounding, as least and greatest are
 * @param estimated whether the percentiles are those of a random sample of {@value #KEPT} values
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

  /** So many values are kept to tell percentiles by. */
  public static final int KEPT = 65_536;

  private static final double[] PERCENTILES = {0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

  /** Collects values, in memory that does not grow beyond {@link #KEPT} of them. */
  static final class Collector {

    private final DoubleStatistics exact =
        DoubleStatistics.of(Statistic.MIN, Statistic.MAX, Statistic.MEAN);
    private final Random random = new Random(KEPT); // which values are kept says nothing to anybody
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
      long place = (long) (random.nextDouble() * count); // each of the values so far as likely
      if (place < KEPT) {
        kept[(int) place] = value;
      }
    }

    /** Returns what was collected; at least one value. */
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

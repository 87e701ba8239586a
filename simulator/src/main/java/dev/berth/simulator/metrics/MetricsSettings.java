package dev.berth.simulator.metrics;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.core.config.Durations;
import dev.berth.simulator.result.PenaltyTable;
import java.time.Duration;

/**
 * The settings of a {@link MetricsCollector}.
 *
 * @param interval length of the intervals for which contention is judged; 10 min in the paper
 *     (section 5.3)
 * @param sample interval between samples of demand, use and queue; divides {@code interval}; 1 min
 *     in the paper (section 4.2)
 * @param penalties cost of violated objectives
 */
public record MetricsSettings(Duration interval, Duration sample, PenaltyTable penalties) {

  /** The settings of the paper. */
  public static final MetricsSettings PUBLISHED =
      new MetricsSettings(Duration.ofMinutes(10), Duration.ofMinutes(1), PenaltyTable.PUBLISHED);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a duration is not positive, or the interval is no multiple
   *     of the sample
   */
  public MetricsSettings {
    refuseIf(sample.isNegative() || sample.isZero(), "sample must be longer than 0s");
    if (interval.isNegative()
        || interval.isZero()
        || !sample.multipliedBy(interval.dividedBy(sample)).equals(interval)) {
      throw new IllegalArgumentException(
          "interval must be a multiple of sample, %s".formatted(Durations.format(sample)));
    }
  }
}

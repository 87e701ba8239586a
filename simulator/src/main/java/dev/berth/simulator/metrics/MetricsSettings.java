package dev.berth.simulator.metrics;

import dev.berth.core.config.Durations;
import dev.berth.simulator.PenaltyTable;
import java.time.Duration;

/**
 * How a run is measured.
 *
 * @param interval length of the intervals in which contention is judged; default 10 min (section
 *     5.3)
 * @param sample how often demand, use and queue are looked at; divides the interval; default 1 min
 *     (section 4.2)
 * @param penalties what violated objectives cost; default {@link PenaltyTable#PUBLISHED}
 */
public record MetricsSettings(Duration interval, Duration sample, PenaltyTable penalties) {

  /** As in the paper. */
  public static final MetricsSettings PUBLISHED =
      new MetricsSettings(Duration.ofMinutes(10), Duration.ofMinutes(1), PenaltyTable.PUBLISHED);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a duration is not positive, or the interval is no multiple
   *     of the sample
   */
  public MetricsSettings {
    if (sample.isNegative() || sample.isZero()) {
      throw new IllegalArgumentException("sample must be longer than 0s");
    }
    if (interval.isNegative()
        || interval.isZero()
        || !sample.multipliedBy(interval.dividedBy(sample)).equals(interval)) {
      throw new IllegalArgumentException(
          "interval must be a multiple of sample, %s".formatted(Durations.format(sample)));
    }
  }
}

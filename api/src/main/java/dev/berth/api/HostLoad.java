package dev.berth.api;

import java.time.Duration;

/**
 * A load report of a host that time-shares its CPU: an average over the last {@link #WINDOW}.
 * Reports are periodic, so a load can be out of date. Immutable.
 *
 * @param average mean number of instances that used or waited for the CPU; not negative, finite
 * @param reportedAt when it was reported
 */
public record HostLoad(double average, long reportedAt) {

  /** The period that the average covers (metascheduling policies, section 3.2). */
  public static final Duration WINDOW = Duration.ofMinutes(1);

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the average is negative or not a finite number
   */
  public HostLoad {
    if (!(average >= 0) || Double.isInfinite(average)) {
      throw new IllegalArgumentException(
          "host load was %s, must be 0 or more and finite.".formatted(average));
    }
  }
}

package dev.berth.api;

import java.time.Duration;

/**
 * What a host that time-shares its CPU says of how busy it is: an average over the last {@link
 * #WINDOW}, told now and then, so it is behind what is true.
 *
 * @param average mean number of instances that used the CPU or waited for it; not negative, finite
 * @param reportedAt when it was told
 */
public record HostLoad(double average, long reportedAt) {

  /** What the average is taken over (metascheduling policies, section 3.2). */
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

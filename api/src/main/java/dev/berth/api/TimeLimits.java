package dev.berth.api;

import java.time.Duration;

/**
 * The times that a scheduler accepts, so that no difference of two times overflows and the QoS
 * metric of every instance stays exact.
 *
 * <p>Times are nanoseconds since an epoch that the embedder chooses. Present-day clocks that count
 * from 1970 are in range until 2134.
 */
public final class TimeLimits {

  /** The longest life of a scheduler: 36,500 days (a century), from its first event or pass. */
  public static final Duration LONGEST_LIFE = Duration.ofDays(36_500);

  /** The latest time: 60,000 days (164 years) after the epoch, in nanoseconds. */
  public static final long LATEST = 60_000L * 24 * 60 * 60 * 1_000_000_000;

  /** The earliest time: 60,000 days (164 years) before the epoch, in nanoseconds. */
  public static final long EARLIEST = -LATEST;

  private static final long LONGEST = LONGEST_LIFE.toNanos();

  private TimeLimits() {}

  /**
   * Returns the time from one moment to a later one, in nanoseconds; not negative.
   *
   * @throws IllegalArgumentException if the second moment is the earlier one, or more than {@link
   *     #LONGEST_LIFE} later
   */
  public static long between(long from, long to) {
    long time = to - from;
    if (to < from || time < 0 || time > LONGEST) { // negative: the difference overflows
      throw new IllegalArgumentException(
          "time was %s ns, must be from %s ns to %s days later."
              .formatted(to, from, LONGEST_LIFE.toDays()));
    }
    return time;
  }
}

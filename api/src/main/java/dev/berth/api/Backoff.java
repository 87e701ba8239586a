package dev.berth.api;

import java.time.Duration;
import java.util.Objects;

/**
 * For how long hosts or instances are held back after starts that fail in a row: a growing time.
 *
 * @param first the shortest time; positive
 * @param factor by how much each further failure lengthens it; at least 1, finite
 * @param longest the longest time; at least the shortest, at most {@link TimeLimits#LONGEST_LIFE}
 * @param after the number of failures in a row from which on it holds; at least 1
 */
public record Backoff(Duration first, double factor, Duration longest, int after) {

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a component is out of range
   */
  public Backoff {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(longest, "longest");
    if (first.isNegative() || first.isZero()) {
      throw new IllegalArgumentException(
          "back-off: first was %s, must be positive.".formatted(first));
    }
    if (longest.compareTo(first) < 0 || longest.compareTo(TimeLimits.LONGEST_LIFE) > 0) {
      throw new IllegalArgumentException(
          "back-off: longest was %s, must be from %s to %s."
              .formatted(longest, first, TimeLimits.LONGEST_LIFE));
    }
    if (!(factor >= 1) || Double.isInfinite(factor)) {
      throw new IllegalArgumentException(
          "back-off: factor was %s, must be 1 or more, and finite.".formatted(factor));
    }
    if (after < 1) {
      throw new IllegalArgumentException(
          "back-off: after was %s, must be 1 or more.".formatted(after));
    }
  }

  /** Doubles the time at each failure, from the first on. */
  public Backoff(Duration first, Duration longest) {
    this(first, 2, longest, 1);
  }

  /**
   * Returns for how long to hold back, in nanoseconds; 0 before the failures are enough.
   *
   * @param failures number of failures in a row
   */
  public long delay(int failures) {
    if (failures < after) {
      return 0;
    }
    long most = longest.toNanos();
    double delay = first.toNanos();
    for (int i = after; i < failures && delay < most && factor > 1; i++) {
      delay *= factor;
    }
    return delay >= most ? most : (long) delay;
  }
}

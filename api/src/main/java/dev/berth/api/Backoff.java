package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.time.Duration;
import java.util.Objects;

/**
 * For how long hosts or instances are held back after failures in a row: a growing time.
 *
 * @param first the shortest time; positive
 * @param factor by how much each further failure lengthens it; at least 1, finite
 * @param longest the longest time; at least the shortest, at most {@link TimeLimits#LONGEST_LIFE}
 * @param after the number of failures in a row from which on it holds; at least 1
 */
public record Backoff(Duration first, double factor, Duration longest, int after) {

  /** For how long an instance must run until its failures are forgotten, as in Kubernetes. */
  public static final Duration FORGIVEN_AFTER = Duration.ofMinutes(10);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a component is out of range
   */
  public Backoff {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(longest, "longest");
    refuseIf(
        first.isNegative() || first.isZero(), "back-off: first was %s, must be positive.", first);
    refuseIf(
        longest.compareTo(first) < 0 || longest.compareTo(TimeLimits.LONGEST_LIFE) > 0,
        "back-off: longest was %s, must be from %s to %s.",
        longest,
        first,
        TimeLimits.LONGEST_LIFE);
    refuseIf(
        !(factor >= 1) || Double.isInfinite(factor),
        "back-off: factor was %s, must be 1 or more, and finite.",
        factor);
    refuseIf(after < 1, "back-off: after was %s, must be 1 or more.", after);
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

package dev.berth.kubernetes.lab;

import static dev.berth.api.Arguments.refuseIf;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * A distribution of durations.
 *
 * <p>Implementations are safe for use by several threads: they keep no state, and draw from the
 * given generator alone.
 */
@FunctionalInterface
public interface Delay {

  /** Returns the next duration, 0 or longer. */
  Duration draw(RandomGenerator random);

  /**
   * Returns a delay that is always the same.
   *
   * @throws IllegalArgumentException if it is negative
   */
  static Delay constant(Duration duration) {
    requireNotNegative("constant", duration);
    return random -> duration;
  }

  /**
   * Returns a delay that is evenly distributed.
   *
   * @param shortest inclusive
   * @param longest exclusive, unless it equals {@code shortest}
   * @throws IllegalArgumentException if the shortest is negative or exceeds the longest
   */
  static Delay uniform(Duration shortest, Duration longest) {
    requireNotNegative("uniform", shortest);
    long width = longest.minus(shortest).toNanos();
    if (width < 0) {
      throw new IllegalArgumentException(
          "Delay.uniform: the shortest delay %s exceeds the longest, %s"
              .formatted(shortest, longest));
    }
    return random -> width == 0 ? shortest : shortest.plusNanos(random.nextLong(width));
  }

  /**
   * Returns a delay that is exponentially distributed.
   *
   * @throws IllegalArgumentException if the mean is negative
   */
  static Delay exponential(Duration mean) {
    requireNotNegative("exponential", mean);
    return random ->
        mean.multipliedBy(Math.round(-1e6 * Math.log1p(-random.nextDouble()))).dividedBy(1_000_000);
  }

  private static void requireNotNegative(String method, Duration duration) {
    refuseIf(duration.isNegative(), "Delay.%s: %s is negative", method, duration);
  }
}

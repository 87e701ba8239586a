package dev.berth.policies.elastic;

import static dev.berth.api.Arguments.refuseIf;

import java.time.Duration;

/** The ranges of settings that are durations: all are short enough to count in nanoseconds. */
final class DurationSettings {

  private static final Duration LONGEST = Duration.ofDays(36_500);

  private DurationSettings() {}

  static void requirePositive(String name, Duration value) {
    if (value.isNegative() || value.isZero() || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(name + " must be positive, and at most 36500d");
    }
  }

  static void requireNotNegative(String name, Duration value) {
    refuseIf(
        value.isNegative() || value.compareTo(LONGEST) > 0, "%s must be from 0s to 36500d", name);
  }
}

package dev.berth.core.config;

import dev.berth.core.config.tree.DurationText;
import java.time.Duration;
import java.util.Objects;

/**
 * Reads and writes durations in a short form: {@code 30s}, {@code 1500ms}, {@code 1h30m}, {@code
 * 2.5s}, {@code PT30S}. Each unit occurs once at most, and a larger one precedes a smaller one.
 */
public final class Durations {

  /** The rule for the text that {@link #parse} accepts, for messages. */
  public static final String RULE = DurationText.RULE;

  private Durations() {}

  /** Returns the nanoseconds of a duration; {@link Long#MAX_VALUE} if it is longer. */
  public static long toNanosSaturated(Duration duration) {
    Objects.requireNonNull(duration, "duration");
    return DurationText.toNanosSaturated(duration);
  }

  /**
   * Reads a duration.
   *
   * @return not negative, at most {@link Long#MAX_VALUE} nanoseconds
   * @throws IllegalArgumentException if the text is no duration; the message states the rule
   */
  public static Duration parse(String text) {
    Objects.requireNonNull(text, "text");
    return DurationText.parse(text);
  }

  /**
   * Returns a duration in the form that {@link #parse} reads, in the largest units that represent
   * it exactly. No unit between the first and the last one is left out: {@code 1h0m36.5s}.
   */
  public static String format(Duration duration) {
    Objects.requireNonNull(duration, "duration");
    return DurationText.format(duration);
  }
}

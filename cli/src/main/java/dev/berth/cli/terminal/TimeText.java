package dev.berth.cli.terminal;

import dev.berth.core.config.Durations;
import java.time.Duration;

/** Formats lengths of time for people, rounded to a tenth of a second. */
public final class TimeText {

  private static final long TENTH = 100_000_000L;

  private TimeText() {}

  /** Returns a length of time to the tenth of a second: {@code "1h20m4.5s"}, {@code "0s"}. */
  public static String of(long nanos) {
    return Durations.format(Duration.ofNanos((nanos + TENTH / 2) / TENTH * TENTH));
  }
}

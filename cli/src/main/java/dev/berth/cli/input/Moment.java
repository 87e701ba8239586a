package dev.berth.cli.input;

import dev.berth.core.config.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/**
 * A time that the user gave: since a beginning, or on the calendar.
 *
 * @param text as it was given
 * @param since the time since the beginning, if that was given
 * @param instant the time on the calendar otherwise
 */
public record Moment(String text, Optional<Duration> since, Optional<Instant> instant) {

  /** Reads a duration such as {@code 2h}, or an instant such as {@code 2025-11-24T16:00:40Z}. */
  static Moment read(String text) {
    if (text.indexOf(':') < 0 && text.indexOf('-') <= 0) {
      return new Moment(text, Optional.of(ValueConverters.duration(text)), Optional.empty());
    }
    try {
      return new Moment(text, Optional.empty(), Optional.of(Instant.parse(text)));
    } catch (DateTimeParseException malformed) {
      throw new TypeConversionException(
          "was \"%s\", must be a duration such as 2h, or a time such as 2025-11-24T16:00:40Z."
              .formatted(text));
    }
  }

  /** Returns the time from a beginning on, which is in nanoseconds since 1970. */
  public Duration after(long begin) {
    return since.orElseGet(
        () ->
            Duration.between(Instant.EPOCH, instant.orElseThrow()).minus(Duration.ofNanos(begin)));
  }

  /** Returns it as it is written in messages. */
  @Override
  public String toString() {
    return since.map(Durations::format).orElse(text);
  }
}

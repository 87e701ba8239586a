package dev.berth.traces.internal;

import dev.berth.traces.input.Field;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.function.Function;

/** Dates and times of day in fields, in nanoseconds since the begin of this century. */
public final class CalendarTimes {

  private static final LocalDateTime BEGIN = LocalDateTime.of(2000, 1, 1, 0, 0);
  private static final LocalDateTime END = BEGIN.plusYears(99);

  private CalendarTimes() {}

  /** Returns a time without a zone, which counts as UTC: {@code 2026-03-01T12:34:56}. */
  public static long withoutZone(Field field) {
    return nanos(field, LocalDateTime::parse, "2026-03-01T12:34:56");
  }

  /** Returns a time in UTC: {@code 2026-03-01T12:34:56Z}. */
  public static long ofInstant(Field field) {
    return nanos(
        field,
        text -> LocalDateTime.ofInstant(Instant.parse(text), ZoneOffset.UTC),
        "2026-03-01T12:34:56Z");
  }

  private static long nanos(Field field, Function<String, LocalDateTime> parse, String example) {
    LocalDateTime time;
    try {
      time = parse.apply(field.text());
    } catch (DateTimeException malformed) {
      throw field.error("must be a time such as " + example);
    }
    field.refuseIf(time.isBefore(BEGIN) || time.isAfter(END), "must be a time of this century");
    return Duration.between(BEGIN, time).toNanos();
  }
}

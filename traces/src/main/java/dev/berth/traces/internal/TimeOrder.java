package dev.berth.traces.internal;

import dev.berth.core.config.Durations;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.SourceLocation;
import java.time.Duration;

/**
 * Checks that times never decrease. This is the only implementation of that rule: it is applied to
 * all arrivals and host events, and a format applies it where it can name the column or where it
 * joins several tables.
 */
public final class TimeOrder {

  private long latest;

  /** Creates a check before the first line. */
  public TimeOrder() {}

  /**
   * Checks a time. A time that is rejected does not affect later checks.
   *
   * @param field the field to name in an error
   * @param time the time in nanoseconds
   * @return the time
   * @throws InputException if the time is before an earlier one
   */
  public long check(Field field, long time) {
    if (time < latest) {
      throw field.error(
          "must not be before the time of an earlier line, %s; lines must be in order of time"
              .formatted(format(latest)));
    }
    latest = time;
    return time;
  }

  /**
   * Checks the time of an entry without advancing to it, so that further checks may reject the
   * entry.
   *
   * @param location the line of the entry
   * @param name the name of the time in an error
   * @param time the time in nanoseconds
   * @throws InputException if the time is before an earlier one
   */
  public void require(SourceLocation location, String name, long time) {
    if (time < latest) {
      check(new Field(location, name, format(time)), time);
    }
  }

  /** Advances to the time of an entry that passed all checks. */
  public void advance(long time) {
    latest = time;
  }

  private static String format(long nanos) {
    return Durations.format(Duration.ofNanos(nanos));
  }
}

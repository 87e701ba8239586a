package dev.berth.traces;

import dev.berth.core.config.Durations;
import java.time.Duration;

/** Reads the times of a file whose lines are in order of time. */
public final class TimeOrder {

  private long latest;

  /** Nothing was read yet. */
  public TimeOrder() {}

  /** Returns the time in nanoseconds, which must not be before that of an earlier line. */
  public long read(Field field) {
    return read(field, field.nanos());
  }

  /** Returns a time in nanoseconds that a field tells in some way, after the same check. */
  public long read(Field field, long time) {
    if (time < latest) {
      throw field.wrong(
          "must not be before the time of an earlier line, %s; lines must be in order of time"
              .formatted(Durations.format(Duration.ofNanos(latest))));
    }
    latest = time;
    return time;
  }
}

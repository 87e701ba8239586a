package dev.berth.simulator.reader;

import dev.berth.core.config.Durations;
import java.time.Duration;

/** Reads the times of a file whose lines are in order of time. */
final class TimeOrder {

  private long latest;

  /** Returns the time in nanoseconds, which must not be before that of an earlier line. */
  long read(Field field) {
    long time = field.nanos();
    if (time < latest) {
      throw field.wrong(
          "must not be before the time of an earlier line, %s; lines must be in order of time"
              .formatted(Durations.format(Duration.ofNanos(latest))));
    }
    latest = time;
    return time;
  }
}

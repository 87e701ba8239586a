package dev.berth.kubernetes.binding;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * The time of the scheduler: that of day when it started, and monotonic from then on. So a clock
 * that jumps later changes nothing. Safe for use by several threads.
 */
final class SchedulerTime {

  private final long offset; // from the monotonic clock to the time of day

  SchedulerTime(InstantSource timeOfDay) {
    this.offset = TimeUnit.MILLISECONDS.toNanos(timeOfDay.millis()) - System.nanoTime();
  }

  /** Returns the present time in nanoseconds. */
  long now() {
    return offset + System.nanoTime();
  }
}

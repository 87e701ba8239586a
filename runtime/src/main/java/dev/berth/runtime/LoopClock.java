package dev.berth.runtime;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time of a loop: that of a clock, which may be set back. Then time goes on from where it was,
 * with what the clock says has passed since. Safe for use by several threads.
 */
final class LoopClock implements LongSupplier {

  private static final Logger LOG = LoggerFactory.getLogger(SchedulerLoop.class);

  /** Readings of several threads may cross by less. */
  private static final long WORTH_A_WARNING = Duration.ofMillis(100).toNanos();

  private final LongSupplier source;
  private long ahead; // of what the source says
  private long latest;

  /**
   * Begins.
   *
   * @param latest the latest time that was reached before, as by an earlier loop
   */
  LoopClock(LongSupplier source, long latest) {
    this.source = source;
    this.latest = latest;
  }

  @Override
  public synchronized long getAsLong() {
    long time = source.getAsLong() + ahead;
    if (time < latest) {
      long back = latest - time;
      ahead += back;
      if (back >= WORTH_A_WARNING) {
        LOG.warn(
            "The clock is {} behind the time that was reached before. Time goes on from there.",
            Duration.ofNanos(back));
      }
      time = latest;
    }
    latest = time;
    return time;
  }
}

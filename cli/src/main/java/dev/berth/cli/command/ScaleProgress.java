package dev.berth.cli.command;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Tells now and then how far a run at scale has come, a line each time. */
final class ScaleProgress {

  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final double NANOS = 1e9;

  private final String run;
  private final PrintWriter target;
  private final LongSupplier clock;
  private long toldAt;
  private long toldEvents;

  /**
   * Begins.
   *
   * @param run what to call it
   * @param target where to tell
   * @param clock in nanoseconds
   */
  ScaleProgress(String run, PrintWriter target, LongSupplier clock) {
    this.run = run;
    this.target = target;
    this.clock = clock;
    this.toldAt = clock.getAsLong();
  }

  /**
   * How far it is.
   *
   * @param share of the simulated time, in [0, 1]
   * @param ended requests that have ended
   * @param live requests that are there
   * @param pending those of them that wait
   * @param events what happened so far
   */
  record Stand(double share, long ended, int live, int pending, long events) {}

  /** Tells it if it is time to. */
  void reached(Stand stand) {
    long now = clock.getAsLong();
    if (now - toldAt < EVERY.toNanos()) {
      return;
    }
    double perSecond = (stand.events - toldEvents) / ((now - toldAt) / NANOS);
    Runtime machine = Runtime.getRuntime();
    target.println(
        String.format(
            Locale.ROOT,
            "%s: %.1f %%, %,d requests done, %,d live, %,d pending, %,.0f events/s, heap %,d MB",
            run,
            100 * stand.share,
            stand.ended,
            stand.live,
            stand.pending,
            perSecond,
            (machine.totalMemory() - machine.freeMemory()) >> 20));
    target.flush();
    toldAt = now;
    toldEvents = stand.events;
  }
}

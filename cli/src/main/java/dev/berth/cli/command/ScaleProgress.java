package dev.berth.cli.command;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Prints the progress of a run at scale at intervals, one line each. */
final class ScaleProgress {

  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final double NANOS = 1e9;

  private final String run;
  private final PrintWriter target;
  private final LongSupplier clock;
  private long printedAt;
  private long printedEvents;

  /**
   * Creates a reporter.
   *
   * @param run name of the run
   * @param target receives the lines
   * @param clock in nanoseconds
   */
  ScaleProgress(String run, PrintWriter target, LongSupplier clock) {
    this.run = run;
    this.target = target;
    this.clock = clock;
    this.printedAt = clock.getAsLong();
  }

  /**
   * The progress so far.
   *
   * @param share of the simulated time, in [0, 1]
   * @param ended number of requests that have ended
   * @param live number of live requests
   * @param pending number of pending requests
   * @param events number of events so far
   */
  record Snapshot(double share, long ended, int live, int pending, long events) {}

  /** Prints the progress if the interval has passed. */
  void reached(Snapshot snapshot) {
    long now = clock.getAsLong();
    if (now - printedAt < EVERY.toNanos()) {
      return;
    }
    double perSecond = (snapshot.events - printedEvents) / ((now - printedAt) / NANOS);
    Runtime machine = Runtime.getRuntime();
    target.println(
        String.format(
            Locale.ROOT,
            "%s: %.1f %%, %,d requests done, %,d live, %,d pending, %,.0f events/s, heap %,d MB",
            run,
            100 * snapshot.share,
            snapshot.ended,
            snapshot.live,
            snapshot.pending,
            perSecond,
            (machine.totalMemory() - machine.freeMemory()) >> 20));
    target.flush();
    printedAt = now;
    printedEvents = snapshot.events;
  }
}

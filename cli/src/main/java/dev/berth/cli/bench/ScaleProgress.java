package dev.berth.cli.bench;

import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.cli.terminal.ProgressText;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;

/** Shows the progress of a run at scale. */
final class ScaleProgress {

  /** Events are counted over this time, so that the rate is that of now. */
  private static final Duration WINDOW = Duration.ofSeconds(5);

  private static final double NANOS = 1e9;

  private final ProgressDisplay display;
  private final Duration until;
  private final LongSupplier clock;
  private long windowFrom;
  private long windowEvents;
  private double perSecond;

  /**
   * Begins to show a run.
   *
   * @param run name of the run
   * @param until its end, in simulated time
   * @param display where it is shown
   * @param clock in nanoseconds
   */
  ScaleProgress(String run, Duration until, ProgressDisplay display, LongSupplier clock) {
    this.display = display;
    this.until = until;
    this.clock = clock;
    this.windowFrom = clock.getAsLong();
    display.begin(run);
  }

  /**
   * Shows the progress so far.
   *
   * @param simulated time
   * @param ended number of requests that have ended
   * @param live number of live requests
   * @param pending number of pending requests
   * @param events number of events so far
   */
  void reached(Duration simulated, long ended, int live, int pending, long events) {
    count(events);
    Runtime machine = Runtime.getRuntime();
    display.reached(
        OptionalDouble.of((double) simulated.toNanos() / until.toNanos()),
        ProgressText.simulated(simulated, until),
        text("%,d pending", pending),
        text("%,d live", live),
        text("%,d requests done", ended),
        text("%,.0f events/s", perSecond),
        text("heap %,d MB", (machine.totalMemory() - machine.freeMemory()) >> 20));
  }

  /** Ends the run. */
  void end() {
    display.end();
  }

  private void count(long events) {
    long now = clock.getAsLong();
    double seconds = (now - windowFrom) / NANOS;
    if (perSecond == 0 && seconds > 0) {
      perSecond = events / seconds; // until the first window ends
    }
    if (now - windowFrom >= WINDOW.toNanos()) {
      perSecond = (events - windowEvents) / seconds;
      windowFrom = now;
      windowEvents = events;
    }
  }

  private static String text(String format, Object value) {
    return String.format(Locale.ROOT, format, value);
  }
}

package dev.berth.cli.terminal;

import dev.berth.report.render.Printable;
import dev.berth.simulator.Progress;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows how far a command is: on a terminal in one line that is rewritten, elsewhere as a line from
 * time to time. Short commands show nothing.
 *
 * <p>A command has one display. It {@linkplain #begin begins} a task, reports how far the task is,
 * and ends it before the next one begins. Any thread may call the methods.
 */
public final class ProgressDisplay implements AutoCloseable {

  /** Commands that end earlier print no notes: their result is there at once. */
  private static final Duration NOTEWORTHY = Duration.ofSeconds(10);

  /** An estimate from less would change too much. */
  private static final double LEAST_FRACTION = 0.1;

  private static final Duration LEAST_TIME = Duration.ofSeconds(3);

  private final ProgressSink sink;
  private final LongSupplier clock;
  private final boolean ticking;
  private final long beganAt;
  private final List<String> notes = new ArrayList<>(); // not printed yet
  private @Nullable Task task;
  private @Nullable Thread ticker;
  private boolean closed;

  /** What runs now. */
  private static final class Task {

    private final String what;
    private final long beganAt;
    private final Optional<Supplier<Optional<Duration>>> left;
    private OptionalDouble fraction = OptionalDouble.empty();
    private List<String> details = List.of();

    Task(String what, long beganAt, Optional<Supplier<Optional<Duration>>> left) {
      this.what = what;
      this.beganAt = beganAt;
      this.left = left;
    }
  }

  /**
   * Creates a display.
   *
   * @param clock in nanoseconds
   * @param ticking whether a thread refreshes the display; otherwise {@link #refresh} does
   */
  ProgressDisplay(ProgressSink sink, LongSupplier clock, boolean ticking) {
    this.sink = sink;
    this.clock = clock;
    this.ticking = ticking;
    this.beganAt = clock.getAsLong();
  }

  /** Returns a display that shows nothing. */
  public static ProgressDisplay silent() {
    return new ProgressDisplay(ProgressSink.NONE, () -> 0, false);
  }

  /**
   * Returns a display that rewrites one line of a terminal.
   *
   * @param width present number of columns of the terminal
   */
  public static ProgressDisplay onTerminal(PrintStream terminal, IntSupplier width) {
    return new ProgressDisplay(new ProgressLine(terminal, width), System::nanoTime, true);
  }

  /** Returns a display that prints lines. */
  public static ProgressDisplay inLog(PrintWriter log) {
    return new ProgressDisplay(new ProgressLog(log), System::nanoTime, true);
  }

  /**
   * Returns a display that prints lines when {@link #refresh} is called.
   *
   * @param clock in nanoseconds
   */
  public static ProgressDisplay inLog(PrintWriter log, LongSupplier clock) {
    return new ProgressDisplay(new ProgressLog(log), clock, false);
  }

  /**
   * Begins a task. Estimates its remaining time from the fraction that is complete.
   *
   * @param what names it
   */
  public void begin(String what) {
    begin(what, Optional.empty());
  }

  /**
   * Begins a task with an estimate of its own.
   *
   * @param what names it
   * @param left estimates the remaining time; must not wait
   */
  public void begin(String what, Supplier<Optional<Duration>> left) {
    begin(what, Optional.of(left));
  }

  private synchronized void begin(String what, Optional<Supplier<Optional<Duration>>> left) {
    task = new Task(Printable.line(what), clock.getAsLong(), left);
    startTicker();
  }

  /**
   * Begins a simulation.
   *
   * @param what names it
   * @param until its end
   * @return receives its progress
   */
  public Progress beginSimulation(String what, Duration until) {
    begin(what);
    return (simulated, fraction) -> reached(fraction, ProgressText.simulated(simulated, until));
  }

  /**
   * Reports how far the task is. Does nothing without a task.
   *
   * @param fraction that is complete, in [0, 1]; empty if unknown
   * @param details further figures, the most important first
   */
  public synchronized void reached(OptionalDouble fraction, String... details) {
    if (task != null) {
      task.fraction = fraction;
      task.details = Arrays.stream(details).map(Printable::line).toList();
    }
  }

  /** Ends the task, after success or failure. */
  public synchronized void end() {
    task = null;
    sink.clear();
  }

  /**
   * Prints a line that remains, once the command has run for ten seconds. Shorter commands drop it.
   */
  public synchronized void note(String line) {
    if (!closed) {
      notes.add(Printable.line(line));
      printNotes(elapsed());
    }
  }

  /** Prints a line that remains, at once. */
  public synchronized void announce(String line) {
    if (!closed) {
      sink.print(Printable.line(line));
    }
  }

  /** Returns the time since the command began. */
  public Duration elapsed() {
    return Duration.ofNanos(clock.getAsLong() - beganAt);
  }

  /** Shows the progress if that is due. */
  public synchronized void refresh() {
    if (closed) {
      return;
    }
    Duration elapsed = elapsed();
    printNotes(elapsed);
    Task shown = task;
    if (shown != null) {
      sink.refresh(elapsed, () -> state(shown, elapsed));
    }
  }

  private void printNotes(Duration elapsed) {
    if (elapsed.compareTo(NOTEWORTHY) >= 0) {
      notes.forEach(sink::print);
      notes.clear();
    }
  }

  private ProgressState state(Task shown, Duration elapsed) {
    Duration itsTime = Duration.ofNanos(clock.getAsLong() - shown.beganAt);
    Optional<Duration> left =
        shown.left.isPresent() ? shown.left.get().get() : left(shown.fraction, itsTime);
    return new ProgressState(shown.what, shown.fraction, shown.details, elapsed, left);
  }

  /** Returns the remaining time of a task that continues as fast as it has been so far. */
  private static Optional<Duration> left(OptionalDouble fraction, Duration time) {
    double done = fraction.orElse(0);
    return done < LEAST_FRACTION || done >= 1 || time.compareTo(LEAST_TIME) < 0
        ? Optional.empty()
        : Optional.of(Duration.ofNanos((long) (time.toNanos() / done * (1 - done))));
  }

  private void startTicker() {
    if (ticking && ticker == null && !closed) {
      ticker = new Thread(this::tick, "berth-progress");
      ticker.setDaemon(true);
      ticker.start();
    }
  }

  private void tick() {
    try {
      while (!closed()) {
        Thread.sleep(sink.tick().toMillis());
        refresh();
      }
    } catch (InterruptedException end) {
      // The display was closed.
    }
  }

  private synchronized boolean closed() {
    return closed;
  }

  /** Removes the line. The display shows nothing from now on. */
  @Override
  public synchronized void close() {
    task = null;
    if (!closed) {
      sink.clear();
    }
    closed = true;
    if (ticker != null) {
      ticker.interrupt();
    }
  }
}

package dev.berth.cli.terminal;

import java.time.Duration;
import java.util.function.Supplier;

/** Where progress is shown. One thread at a time calls it. */
interface ProgressSink {

  /** Shows nothing. */
  ProgressSink NONE = new ProgressSink() {};

  /** Returns the time between two refreshes; zero if it needs none. */
  default Duration tick() {
    return Duration.ZERO;
  }

  /**
   * Shows the progress if that is due.
   *
   * @param elapsed time since the command began
   * @param state is computed only if it is shown
   */
  default void refresh(Duration elapsed, Supplier<ProgressState> state) {}

  /** Prints a line that remains. */
  default void print(String line) {}

  /** Removes what does not remain. */
  default void clear() {}
}

package dev.berth.cli.terminal;

import java.time.Duration;
import java.util.function.Supplier;

/** Where progress is shown. One thread at a time calls it. */
interface ProgressSink {

  /** Shows nothing. */
  ProgressSink NONE =
      new ProgressSink() {
        @Override
        public Duration tick() {
          return Duration.ZERO;
        }

        @Override
        public void refresh(Duration elapsed, Supplier<ProgressState> state) {}

        @Override
        public void print(String line) {}

        @Override
        public void clear() {}
      };

  /** Returns the time between two refreshes; zero if it needs none. */
  Duration tick();

  /**
   * Shows the progress if that is due.
   *
   * @param elapsed time since the command began
   * @param state is computed only if it is shown
   */
  void refresh(Duration elapsed, Supplier<ProgressState> state);

  /** Prints a line that remains. */
  void print(String line);

  /** Removes what does not remain. */
  void clear();
}

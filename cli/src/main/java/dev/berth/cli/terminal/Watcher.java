package dev.berth.cli.terminal;

import dev.berth.simulator.Progress;

/** Shows the progress of long runs. */
public interface Watcher {

  /** Shows nothing. */
  Watcher NONE =
      new Watcher() {
        @Override
        public Progress begin(String run) {
          return (simulated, fraction) -> {};
        }

        @Override
        public void end() {}
      };

  /**
   * Starts a run.
   *
   * @param run its name
   * @return receives its progress
   */
  Progress begin(String run);

  /** Ends the run, after success or failure. */
  void end();
}

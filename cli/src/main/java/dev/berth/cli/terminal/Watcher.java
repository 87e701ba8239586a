package dev.berth.cli.terminal;

import dev.berth.simulator.Progress;

/** Somebody who wants to see how far long runs have come. */
public interface Watcher {

  /** Nobody watches. */
  Watcher NOBODY =
      new Watcher() {
        @Override
        public Progress begin(String run) {
          return (simulated, fraction) -> {};
        }

        @Override
        public void end() {}
      };

  /**
   * A run begins.
   *
   * @param run what to call it
   * @return to be told how far it has come
   */
  Progress begin(String run);

  /** The run has ended, in whatever way. */
  void end();
}

package dev.berth.simulator;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * Receives the progress of a simulation: at most about a thousand times if the end or the number of
 * requests is known.
 */
@FunctionalInterface
public interface Progress {

  /**
   * Called between two instants of the simulation, by the thread that runs it.
   *
   * @param simulated the simulated time so far
   * @param fraction of the run that is complete, in [0, 1], never decreasing; empty if neither the
   *     end nor the number of requests is known
   */
  void reached(Duration simulated, OptionalDouble fraction);
}

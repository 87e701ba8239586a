package dev.berth.simulator;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * Is told now and then how far a simulation has come: at most about a thousand times in a run whose
 * extent is known.
 */
@FunctionalInterface
public interface Progress {

  /**
   * Called between two instants of the simulation, by the thread that runs it.
   *
   * @param simulated the time reached
   * @param fraction how much of the run is done, in [0, 1], never decreasing; empty where neither
   *     its end nor its number of requests is known
   */
  void reached(Duration simulated, OptionalDouble fraction);
}

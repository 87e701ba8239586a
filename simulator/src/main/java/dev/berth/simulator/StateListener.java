package dev.berth.simulator;

import dev.berth.core.Scheduler;

/**
 * Is shown the state of a simulation in regular intervals; see {@link Simulation.Builder#states}.
 */
@FunctionalInterface
public interface StateListener {

  /**
   * Looks at the state.
   *
   * @param now nanoseconds since the start
   * @param scheduler in the state of that time, valid during the call; look, do not touch
   */
  void at(long now, Scheduler scheduler);
}

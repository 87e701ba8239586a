package dev.berth.simulator.fleet;

import dev.berth.api.Experimental;

/**
 * The numbers of pool hosts in each state, from one instant on.
 *
 * @param at the instant, in nanoseconds since the start
 * @param starting hosts provisioned that are not up yet
 * @param idle hosts that are up without instances
 * @param busy hosts that are up with at least one instance
 * @param stopping hosts released that are not gone yet
 */
@Experimental
public record FleetSample(long at, int starting, int idle, int busy, int stopping) {

  /** Returns the number of hosts in any state. */
  public int all() {
    return starting + idle + busy + stopping;
  }
}

package dev.berth.simulator;

import dev.berth.core.Sli;

/**
 * What became of one request in a simulation.
 *
 * @param sli what its instance got: to its completion, or else to the end of the simulation
 * @param completed whether it was served for its whole service time
 * @param ran whether it was ever ready
 */
public record Outcome(Sli sli, boolean completed, boolean ran) {}

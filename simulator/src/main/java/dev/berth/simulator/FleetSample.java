package dev.berth.simulator;

/**
 * How many hosts of pools there were, from a moment on.
 *
 * @param at when, in nanoseconds since the start
 * @param starting asked for and not up
 * @param idle up with nobody on them
 * @param busy up with somebody on them
 * @param stopping given back and not gone
 */
public record FleetSample(long at, int starting, int idle, int busy, int stopping) {

  /** Returns all of them. */
  public int all() {
    return starting + idle + busy + stopping;
  }

  boolean countsAs(FleetSample other) {
    return starting == other.starting
        && idle == other.idle
        && busy == other.busy
        && stopping == other.stopping;
  }
}

package dev.berth.simulator;

/**
 * What a simulation used of the pools of hosts.
 *
 * @param asked hosts asked for
 * @param failed those of them that were refused or did not come up
 * @param released hosts given back
 * @param died hosts that died while they were up
 * @param most the most hosts there were at one time, starting and stopping ones included
 * @param hostNanos summed time from asking for a host to its being gone, or failing, or to the end:
 *     what is paid for, in nanoseconds
 * @param busyNanos summed time that hosts were up with somebody on them
 */
public record PoolUsage(
    long asked,
    long failed,
    long released,
    long died,
    int most,
    double hostNanos,
    double busyNanos) {

  /** Nothing was used. */
  public static final PoolUsage NONE = new PoolUsage(0, 0, 0, 0, 0, 0, 0);

  private static final double HOUR = 3600e9;

  /** Returns what is paid for, in host-hours. */
  public double hostHours() {
    return hostNanos / HOUR;
  }
}

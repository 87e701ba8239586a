package dev.berth.simulator.result;

/**
 * The use of pool hosts in one run.
 *
 * @param requested number of hosts that plans provisioned
 * @param failed number of those hosts that were refused or did not start
 * @param released number of hosts that plans released
 * @param died number of hosts that died while they were up
 * @param peak greatest number of hosts at one time, including hosts that start or stop
 * @param hostNanos total paid time of all hosts in nanoseconds: from provisioning until the host is
 *     gone or fails, or until the end
 * @param busyNanos total time in nanoseconds that hosts were up with at least one instance
 */
public record PoolUsage(
    long requested,
    long failed,
    long released,
    long died,
    int peak,
    double hostNanos,
    double busyNanos) {

  /** The usage of a run without pools. */
  public static final PoolUsage NONE = new PoolUsage(0, 0, 0, 0, 0, 0, 0);

  private static final double NANOS_PER_HOUR = 3600e9;

  /** Returns the paid time in host-hours. */
  public double hostHours() {
    return hostNanos / NANOS_PER_HOUR;
  }
}

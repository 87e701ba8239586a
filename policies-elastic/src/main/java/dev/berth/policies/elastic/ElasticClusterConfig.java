package dev.berth.policies.elastic;

import java.time.Duration;

/**
 * Settings of {@code elastic-cluster}.
 *
 * @param pool name of the pool that hosts are requested from; empty: the first pool offered
 * @param waste mean time to migrate, start and stop one host (Eq. 3.3); positive; default 13 s
 * @param maxUtilisation U_max: a busier cluster does not grow; from 0 to 1; default 0.65
 * @param maxHosts MV_max: maximum number of hosts that a cluster may grow to; positive; default
 *     140. A new cluster can have more, since its first bag determines its size (Algorithm 1)
 * @param timeToLive rule for when a bag is cancelled; default makespan
 * @param slack time added to that; not negative; default 60 s (Eq. 3.8)
 * @param assumedRunTime assumed run time of tasks without an estimate; positive; default 10 minutes
 * @param retryAfter how long no hosts are requested after a host failed to start; positive; default
 *     a minute
 * @param keepLeftovers whether hosts that Algorithm 2 does not stop are kept until they expire,
 *     even if no bag uses their cluster and none waits; default false (section 3.2.2)
 * @param trim whether hosts left idle by the last tasks of a bag are released before the bag ends,
 *     if no bag waits; default false, so that later bags can reuse them (Algorithm 2)
 */
record ElasticClusterConfig(
    String pool,
    Duration waste,
    double maxUtilisation,
    int maxHosts,
    TimeToLive timeToLive,
    Duration slack,
    Duration assumedRunTime,
    Duration retryAfter,
    boolean keepLeftovers,
    boolean trim) {

  /** Checks the ranges. */
  ElasticClusterConfig {
    if (!(maxUtilisation >= 0 && maxUtilisation <= 1)) {
      throw new IllegalArgumentException("maxUtilisation must be from 0 to 1");
    }
    if (maxHosts < 1) {
      throw new IllegalArgumentException("maxHosts must be positive");
    }
    DurationSettings.requirePositive("waste", waste);
    DurationSettings.requireNotNegative("slack", slack);
    DurationSettings.requirePositive("assumedRunTime", assumedRunTime);
    DurationSettings.requirePositive("retryAfter", retryAfter);
  }

  ProvisioningBackoff backoff() {
    return new ProvisioningBackoff(pool, retryAfter);
  }

  BagSizing sizing() {
    return new BagSizing(waste, timeToLive, slack, assumedRunTime);
  }

  ClusterSizing.Limits limits() {
    return new ClusterSizing.Limits(maxUtilisation, maxHosts);
  }
}

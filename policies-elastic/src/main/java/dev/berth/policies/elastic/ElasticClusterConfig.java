package dev.berth.policies.elastic;

import java.time.Duration;

/**
 * Settings of {@code elastic-cluster}.
 *
 * @param pool name of the pool that hosts are asked for from; empty: the first that is offered
 * @param waste mean time to migrate, start and stop one host (Eq. 3.3); positive; default 13 s
 * @param maxUtilisation U_max: a cluster that is busier does not grow, from 0 to 1; default 0.65
 * @param maxHosts MV_max: how many hosts a cluster may grow to; positive; default 140. A new
 *     cluster has as many hosts as its first bag is worth, also if that is more (Algorithm 1)
 * @param timeToLive after what time a bag is cancelled; default makespan
 * @param slack what is added to that; not negative; default 60 s (Eq. 3.8)
 * @param assumedRunTime how long tasks run whose user says nothing; positive; default 10 minutes
 * @param retryAfter how long no host is asked for after one did not come up; positive; default a
 *     minute
 * @param keepLeftovers whether hosts that Algorithm 2 does not stop stay until their own time has
 *     run out, though no bag uses their cluster and none waits; default not (section 3.2.2)
 * @param trim whether hosts that the last tasks of bags leave idle are given back before the bags
 *     end, if no bag waits; default not, so that bags to come find them (Algorithm 2)
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

  ProvisioningBackoff asking() {
    return new ProvisioningBackoff(pool, retryAfter);
  }

  BagSizing worth() {
    return new BagSizing(waste, timeToLive, slack, assumedRunTime);
  }

  ClusterSizing.Limits limits() {
    return new ClusterSizing.Limits(maxUtilisation, maxHosts);
  }
}

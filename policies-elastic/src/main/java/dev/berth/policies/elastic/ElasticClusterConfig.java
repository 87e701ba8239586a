package dev.berth.policies.elastic;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Described;
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
    @Described(
            "name of the pool that hosts are requested from; empty: the first pool that is offered")
        String pool,
    @Described(value = "mean time to migrate, start and stop one host", range = "above 0s")
        Duration waste,
    @Described(value = "utilisation above which a cluster does not grow", range = "from 0 to 1")
        double maxUtilisation,
    @Described(
            value =
                "number of hosts up to which a cluster may grow; the first bag of a new cluster may require more",
            range = "1 or more",
            unit = "hosts")
        int maxHosts,
    @Described("rule for the time after which a bag is cancelled") TimeToLive timeToLive,
    @Described(value = "time that is added to the time to live of a bag", range = "0s or more")
        Duration slack,
    @Described(value = "assumed run time of tasks without an estimate", range = "above 0s")
        Duration assumedRunTime,
    @Described(
            value = "time without requests for hosts after a host failed to start",
            range = "above 0s")
        Duration retryAfter,
    @Described("whether hosts that no bag uses are kept until they expire") boolean keepLeftovers,
    @Described(
            "whether hosts that the last tasks of a bag leave idle are released before the bag ends, if no bag waits")
        boolean trim) {

  /** Checks the ranges. */
  ElasticClusterConfig {
    refuseIf(!(maxUtilisation >= 0 && maxUtilisation <= 1), "maxUtilisation must be from 0 to 1");
    refuseIf(maxHosts < 1, "maxHosts must be positive");
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

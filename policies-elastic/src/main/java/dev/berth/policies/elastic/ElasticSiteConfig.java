package dev.berth.policies.elastic;

import dev.berth.api.Described;
import java.time.Duration;

/**
 * Settings of {@code elastic-site}.
 *
 * @param pool name of the pool that hosts are requested from; empty: the first pool offered
 * @param waste mean time to migrate, start and stop one host (Eq. 3.3); positive; default 13 s
 * @param timeToLive rule for when a bag is cancelled; default makespan
 * @param slack time added to that; not negative; default 60 s (Eq. 3.8)
 * @param assumedRunTime assumed run time of tasks without an estimate; positive; default 10 minutes
 * @param retryAfter how long no hosts are requested after a host failed to start; positive; default
 *     a minute
 * @param holdUntilExpiry whether a cluster is kept until its bag expires, even if the bag is done;
 *     default true, as published
 */
record ElasticSiteConfig(
    @Described(
            "name of the pool that hosts are requested from; empty: the first pool that is offered")
        String pool,
    @Described(value = "mean time to migrate, start and stop one host", range = "above 0s")
        Duration waste,
    @Described("rule for the time after which a bag is cancelled") TimeToLive timeToLive,
    @Described(value = "time that is added to the time to live of a bag", range = "0s or more")
        Duration slack,
    @Described(value = "assumed run time of tasks without an estimate", range = "above 0s")
        Duration assumedRunTime,
    @Described(
            value = "time without requests for hosts after a host failed to start",
            range = "above 0s")
        Duration retryAfter,
    @Described("whether a cluster is kept until its bag expires, even if the bag is done")
        boolean holdUntilExpiry) {

  /** Checks the ranges. */
  ElasticSiteConfig {
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
}

package dev.berth.policies.elastic;

import java.time.Duration;

/**
 * Settings of {@code elastic-site}.
 *
 * @param pool name of the pool that hosts are asked for from; empty: the first that is offered
 * @param waste mean time to migrate, start and stop one host (Eq. 3.3); positive; default 13 s
 * @param timeToLive after what time a bag is cancelled; default makespan
 * @param slack what is added to that; not negative; default 60 s (Eq. 3.8)
 * @param assumedRunTime how long tasks run whose user says nothing; positive; default 10 minutes
 * @param retryAfter how long no host is asked for after one did not come up; positive; default a
 *     minute
 * @param holdUntilExpiry whether a cluster stays until the time of its bag has run out, even if the
 *     bag is done; default so, as published
 */
record ElasticSiteConfig(
    String pool,
    Duration waste,
    TimeToLive timeToLive,
    Duration slack,
    Duration assumedRunTime,
    Duration retryAfter,
    boolean holdUntilExpiry) {

  /** Checks the ranges. */
  ElasticSiteConfig {
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
}

package dev.berth.policies.elastic;

import java.time.Duration;

/**
 * Settings of {@code queue-depth}.
 *
 * @param pool name of the pool that hosts are asked for from; empty: the first that is offered
 * @param targetUtilisation what part of the hosts is to be in use, from 0 (not included) to 1;
 *     default 0.8
 * @param minHosts how many hosts of the pool there are always; from 0 to {@code maxHosts}; default
 *     0
 * @param maxHosts how many there are at most; positive; default as many as the pool has
 * @param growCoolDown how long after hosts were asked for no more are; not negative; default 0s
 * @param shrinkCoolDown how long after hosts were asked for or given back none is given back; not
 *     negative; default 5 minutes
 * @param retryAfter how long no host is asked for after one did not come up; positive; default a
 *     minute
 */
public record QueueDepthConfig(
    String pool,
    double targetUtilisation,
    int minHosts,
    int maxHosts,
    Duration growCoolDown,
    Duration shrinkCoolDown,
    Duration retryAfter) {

  /** Checks the ranges. */
  public QueueDepthConfig {
    if (!(targetUtilisation > 0 && targetUtilisation <= 1)) {
      throw new IllegalArgumentException("targetUtilisation must be above 0 and at most 1");
    }
    if (minHosts < 0) {
      throw new IllegalArgumentException("minHosts must not be negative");
    }
    if (maxHosts < 1) {
      throw new IllegalArgumentException("maxHosts must be positive");
    }
    if (minHosts > maxHosts) {
      throw new IllegalArgumentException("minHosts must be at most maxHosts");
    }
    ProvisioningBackoff.requireNotNegative("growCoolDown", growCoolDown);
    ProvisioningBackoff.requireNotNegative("shrinkCoolDown", shrinkCoolDown);
    ProvisioningBackoff.requirePositive("retryAfter", retryAfter);
  }
}

package dev.berth.policies.baselines;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Described;
import java.time.Duration;

/**
 * Settings of {@code queue-depth}.
 *
 * @param pool name of the pool that hosts are requested from; empty: the first pool offered
 * @param targetUtilisation the share of the hosts' capacity to keep in use, above 0 and at most 1;
 *     default 0.8
 * @param minHosts how many hosts of the pool are always kept; from 0 to {@code maxHosts}; default 0
 * @param maxHosts how many hosts of the pool there are at most; positive; by default only the limit
 *     of the pool counts
 * @param growCoolDown how long after a request for hosts the next one may follow; not negative;
 *     default 0s
 * @param shrinkCoolDown how long after hosts were requested or released the next release may
 *     follow; not negative; default 5 minutes
 * @param retryAfter how long no hosts are requested after a host failed to start; positive; default
 *     a minute
 */
record QueueDepthConfig(
    @Described(
            "name of the pool that hosts are requested from; empty: the first pool that is offered")
        String pool,
    @Described(
            value = "share of the capacity of the hosts to keep in use",
            range = "above 0, at most 1")
        double targetUtilisation,
    @Described(
            value = "number of hosts of the pool that are always kept",
            range = "from 0 to maxHosts",
            unit = "hosts")
        int minHosts,
    @Described(
            value = "largest number of hosts of the pool; the limit of the pool applies too",
            range = "1 or more",
            unit = "hosts")
        int maxHosts,
    @Described(value = "shortest time between two requests for hosts", range = "from 0s to 36500d")
        Duration growCoolDown,
    @Described(
            value = "shortest time from a request for hosts or a release to the next release",
            range = "from 0s to 36500d")
        Duration shrinkCoolDown,
    @Described(
            value = "time without requests for hosts after a host failed to start",
            range = "above 0s, at most 36500d")
        Duration retryAfter) {

  private static final Duration LONGEST = Duration.ofDays(36_500); // fits in nanoseconds

  /** Checks the ranges. */
  QueueDepthConfig {
    refuseIf(
        !(targetUtilisation > 0 && targetUtilisation <= 1),
        "targetUtilisation must be above 0 and at most 1");
    refuseIf(minHosts < 0, "minHosts must not be negative");
    refuseIf(maxHosts < 1, "maxHosts must be positive");
    refuseIf(minHosts > maxHosts, "minHosts must be at most maxHosts");
    requireNotNegative("growCoolDown", growCoolDown);
    requireNotNegative("shrinkCoolDown", shrinkCoolDown);
    refuseIf(
        retryAfter.isNegative() || retryAfter.isZero() || retryAfter.compareTo(LONGEST) > 0,
        "retryAfter must be positive, and at most 36500d");
  }

  private static void requireNotNegative(String name, Duration value) {
    refuseIf(
        value.isNegative() || value.compareTo(LONGEST) > 0, "%s must be from 0s to 36500d", name);
  }
}

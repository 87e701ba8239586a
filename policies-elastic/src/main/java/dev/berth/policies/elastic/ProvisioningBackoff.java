package dev.berth.policies.elastic;

import dev.berth.api.Pool;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.Optional;

/**
 * Which pool hosts are asked for from, and when.
 *
 * @param poolName name of the pool, or empty for the first that is offered
 * @param retryAfter how long no host is asked for after one did not come up
 */
record ProvisioningBackoff(String poolName, Duration retryAfter) {

  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** Checks that a setting is positive and can be counted. */
  static void requirePositive(String name, Duration value) {
    if (value.isNegative() || value.isZero() || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(name + " must be positive, and at most 36500d");
    }
  }

  /** Checks that a setting is not negative and can be counted. */
  static void requireNotNegative(String name, Duration value) {
    if (value.isNegative() || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(name + " must be from 0s to 36500d");
    }
  }

  /** Returns the pool, if it is offered. */
  Optional<Pool> pool(SchedulingPass pass) {
    return poolName.isEmpty() ? pass.pools().stream().findFirst() : pass.pool(poolName);
  }

  /**
   * Returns whether hosts may be asked for just now; not for a while after one did not come up, and
   * then the pass is asked to come again.
   */
  boolean mayAsk(SchedulingPass pass, Pool pool) {
    if (pool.failures() == 0 || pool.lastFailureAt().isEmpty()) {
      return true;
    }
    long again = pool.lastFailureAt().getAsLong() + retryAfter.toNanos();
    if (again <= pass.now()) {
      return true;
    }
    pass.wakeAt(again);
    return false;
  }
}

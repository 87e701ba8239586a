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

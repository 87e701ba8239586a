package dev.berth.policies.elastic;

import dev.berth.api.Pool;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.Optional;

/**
 * The pool that hosts are requested from, and the pause after a failure.
 *
 * @param poolName name of the pool, or empty for the first pool offered
 * @param retryAfter how long no hosts are requested after a host failed to start
 */
record ProvisioningBackoff(String poolName, Duration retryAfter) {

  /** Returns the pool, if it is offered. */
  Optional<Pool> pool(SchedulingPass pass) {
    return poolName.isEmpty() ? pass.pools().stream().findFirst() : pass.pool(poolName);
  }

  /**
   * Returns whether hosts may be requested now. After a failure it returns false and requests a
   * pass for the end of the pause.
   */
  boolean mayRequest(SchedulingPass pass, Pool pool) {
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

package dev.berth.api.policy;

import dev.berth.api.Dimension;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * A scheduling policy: it decides the actions of each pass. Most policies are {@linkplain
 * PolicyContext#pipeline assembled from parts}; a policy that needs full control implements this
 * interface.
 *
 * <p>A policy belongs to one scheduler and is called by one thread. It decides from the pass alone,
 * without clocks, unseeded randomness or the order of hash tables: the same cluster and seed give
 * the same plan. It keeps no view after the call.
 */
@FunctionalInterface
public interface Policy {

  /**
   * Runs a scheduling pass. The scheduler calls this when the embedder calls for a pass.
   *
   * <p>If this method throws, the pass has no effect, and the embedder receives the exception as
   * the cause of its own.
   *
   * @param pass the cluster and the actions; valid until this method returns
   */
  void schedule(SchedulingPass pass);

  /**
   * Returns the longest time between two passes, positive, or empty if events alone make passes
   * due. The embedder may override it.
   */
  default Optional<Duration> watchdog() {
    return Optional.empty();
  }

  /**
   * Returns the dimensions in which the policy may grant an instance less than its demand; default
   * none. In these dimensions the demands on a host may exceed its capacity, but the grants never
   * do. In all others the scheduler refuses such a grant. The result is constant.
   */
  default Set<Dimension> oversubscribes() {
    return Set.of();
  }

  /**
   * Returns what the policy keeps from pass to pass, always the same object; {@link
   * PolicyMemory#none} if it keeps nothing. Empty by default: the policy does not say, so its
   * scheduler gives no snapshots.
   *
   * <p>The saved memory is part of the digest of a scheduler, too. The digest cannot see what a
   * policy keeps and does not save. A policy that wraps others returns their memory with its own.
   */
  default Optional<PolicyMemory> memory() {
    return Optional.empty();
  }
}

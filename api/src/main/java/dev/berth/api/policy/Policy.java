package dev.berth.api.policy;

import dev.berth.api.Dimension;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Decides what a pass does. Most policies {@linkplain PolicyContext#pipeline assemble one from
 * parts}; one that needs full control implements this interface.
 *
 * <p>A policy belongs to one scheduler and is called by one thread. It decides from the pass alone:
 * no clock, no unseeded randomness, no order of hash tables; the same cluster and seed must give
 * the same plan. It keeps no view after the call.
 */
@FunctionalInterface
public interface Policy {

  /**
   * Runs a scheduling pass: called whenever one is due and the embedder calls for it.
   *
   * <p>If this throws, the pass leaves nothing behind and the exception reaches the embedder.
   *
   * @param pass the cluster and the actions; valid until this method returns
   */
  void schedule(SchedulingPass pass);

  /**
   * Returns the longest time there should be between two passes, or empty if passes are needed at
   * events alone. The embedder may override it.
   */
  default Optional<Duration> watchdog() {
    return Optional.empty();
  }

  /**
   * Returns the dimensions in which it may grant an instance less than its demand, so that the
   * demands of the instances of a host may exceed its capacity; what is granted never does.
   * Constant; default none, and then the scheduler refuses such a grant.
   */
  default Set<Dimension> oversubscribes() {
    return Set.of();
  }
}

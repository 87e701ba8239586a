package dev.berth.api.fleet;

import dev.berth.api.Instance;
import java.util.Optional;

/**
 * Decides what becomes of instances that only the fleet knows, and of those that only the scheduler
 * knows. Called during {@code Scheduler.reconcile}, on its thread; must not call the scheduler.
 */
public interface Reconciler {

  /** Unknown instances are foreign load, and instances that are gone are pending again. */
  Reconciler DEFAULT = new Reconciler() {};

  /**
   * Returns how to adopt an instance that the scheduler does not know. Empty: what it holds is
   * foreign load on its host.
   */
  default Optional<Adoption> adopt(ObservedInstance unknown) {
    return Optional.empty();
  }

  /**
   * Returns whether an instance that is on no host has ended, so that it is done. Otherwise it is
   * pending again.
   */
  default boolean hasEnded(Instance gone) {
    return false;
  }
}

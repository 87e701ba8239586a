package dev.berth.api.pipeline;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;

/**
 * Says in which order a pass takes the pending instances: lower {@link #tier} first, then lower
 * {@link #key}, then the more important class, the earlier admission, the id.
 *
 * <p><b>Time-invariant by contract:</b> between two changes of an instance's state its key must not
 * depend on the time, so the engine keeps the queue in order instead of sorting it in every pass. A
 * metric that decreases for all waiting instances alike, like the QoS metric, has such a key: its
 * value plus the current time.
 *
 * <p>Called when an instance becomes pending, by the thread that drives the scheduler; must be
 * cheap and pure.
 */
@FunctionalInterface
public interface QueueOrder {

  /**
   * Returns the key of an instance that is pending now; lower goes first. Hosts may still show the
   * cluster as it was before: ask the instance alone.
   */
  long key(Instance pending);

  /**
   * Returns the tier of a class: all instances of a lower tier go before those of a higher.
   * Constant; default 0.
   */
  default int tier(ServiceClass serviceClass) {
    return 0;
  }
}

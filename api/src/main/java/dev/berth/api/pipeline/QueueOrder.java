package dev.berth.api.pipeline;

import dev.berth.api.Instance;

/**
 * Determines the order in which a pass serves pending instances: lower {@link #key} first, then the
 * more important class, the earlier admission, the id. If the order also implements {@link
 * ClassTiers} or {@link TimedTiers}, a lower tier precedes a lower key.
 *
 * <p><b>Time-invariant by contract:</b> the key of an instance must not depend on the time between
 * two changes of its state. The engine therefore keeps the queue in order and does not sort it in
 * every pass. A metric that decreases at the same speed for all waiting instances, like the QoS
 * metric, has such a key: its value plus the current time.
 *
 * <p>The scheduler's thread calls it when an instance becomes pending. It must be cheap and pure.
 */
@FunctionalInterface
public interface QueueOrder {

  /**
   * Returns the key of an instance that is pending now; the lower key is served first. Derive it
   * from the instance alone: views of hosts may still show the previous state.
   */
  long key(Instance pending);
}

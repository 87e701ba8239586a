package dev.berth.api.pipeline;

import dev.berth.api.Instance;

/**
 * Determines the order in which a pass serves pending instances: lower {@link #key} first, then the
 * more important class, the earlier admission, the id. A lower {@link #tier} precedes a lower key.
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

  /**
   * Returns the tier of a pending instance; default 0. All instances of a lower tier are served
   * before those of a higher one. Unlike a key, a tier may depend on the time: an instance that has
   * waited for long may precede all others. {@link #tierUntil} says when.
   *
   * <p>The engine asks when the instance becomes pending. Requests are searched for together only
   * within a tier, so there should be few.
   *
   * @param now nanoseconds, not before the instance became pending
   */
  default int tier(Instance pending, long now) {
    return 0;
  }

  /**
   * Returns until when {@link #tier} stays the same if the instance stays pending; default {@link
   * Long#MAX_VALUE}, for ever. The engine asks for both again in the first pass from then on. The
   * time may be too early, also before now, which costs a question more.
   *
   * @param now the time for which the engine has just asked for the tier
   */
  default long tierUntil(Instance pending, long now) {
    return Long.MAX_VALUE;
  }
}

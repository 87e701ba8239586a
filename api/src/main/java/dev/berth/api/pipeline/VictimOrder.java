package dev.berth.api.pipeline;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;

/**
 * Gives instances a value that changes with time at the same speed for all of one class in one
 * state, and by it the order in which the instances of a host are considered as victims: higher
 * {@link #tier} first, then higher value, then a seeded hash of the instance.
 *
 * <p>{@code value(now) = key + drift(class, state, now)}. <b>Time-invariant by contract:</b>
 * between two changes of an instance's state its {@link #key} does not change. So within a class
 * the order on a host never changes while its instances run, and the engine need not sort.
 *
 * <p>Called by the thread that drives the scheduler; must be cheap and pure. Values must stay
 * within ±2<sup>62</sup>; among those that do not, who comes first is left open. Keys and drifts
 * may be anything, and wrap around.
 */
public interface VictimOrder {

  /**
   * Returns the part of an instance's value that does not depend on time. Called when its state
   * changes; hosts may still show the cluster as it was before: ask the instance alone.
   */
  long key(Instance instance);

  /**
   * Returns the part of the value that depends on time, for all instances of a class in one state.
   *
   * @param state {@link InstanceState#PENDING}, {@code STARTING} or {@code RUNNING}
   */
  long drift(ServiceClass serviceClass, InstanceState state, long now);

  /**
   * Returns the tier of a class: victims of a higher tier are considered first. Constant; default
   * 0.
   */
  default int tier(ServiceClass serviceClass) {
    return 0;
  }
}

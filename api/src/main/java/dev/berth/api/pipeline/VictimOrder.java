package dev.berth.api.pipeline;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;

/**
 * Determines the order in which the instances of a host are considered as victims: higher value
 * first, then a seeded hash of the instance. A higher {@link #tier} precedes a higher value. Values
 * change with time at the same speed for all instances of one class in one state.
 *
 * <p>{@code value(now) = key + drift(class, state, now)}. <b>Time-invariant by contract:</b> the
 * {@link #key} of an instance does not change between two changes of its state. The order within a
 * class on a host therefore never changes while its instances run, and the engine need not sort.
 *
 * <p>The scheduler's thread calls it. It must be cheap and pure. Values must stay within
 * ±2<sup>62</sup>; the order among values outside is undefined. Keys and drifts may be any number
 * and may wrap around.
 */
public interface VictimOrder {

  /**
   * Returns the part of an instance's value that does not depend on time. Called when the instance
   * changes its state. Derive it from the instance alone: views of hosts may still show the
   * previous state.
   */
  long key(Instance instance);

  /**
   * Returns the part of the value that depends on time, for all instances of a class in one state.
   *
   * @param state {@link InstanceState#PENDING}, {@code STARTING} or {@code RUNNING}
   */
  long drift(ServiceClass serviceClass, InstanceState state, long now);

  /**
   * Returns the tier of a class, constant; default 0. Victims of a higher tier are considered
   * first.
   */
  default int tier(ServiceClass serviceClass) {
    return 0;
  }
}

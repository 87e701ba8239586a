package dev.berth.core.internal.pipeline;

import dev.berth.api.Reason;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.pass.Pass;
import org.jspecify.annotations.Nullable;

/** The pending instances of a pipeline, and how it decides on them in a pass. */
interface PendingQueue {

  /** Adds an instance that is pending now. */
  void add(InstanceRecord instance);

  /** Removes an instance, with the keys that it had when it was added. */
  void remove(InstanceRecord instance);

  /** Decides on the instances in queue order. */
  void decide(Pass pass);

  /** Returns the number of the latest pass that decided in one order, 0 if none did. */
  default long decidedPass() {
    return 0;
  }

  /** Returns the first instance without room in that pass, if others wait for it; or null. */
  default @Nullable InstanceRecord head() {
    return null;
  }

  /** Restores what {@link #decidedPass} and {@link #head} return. */
  default void restore(long pass, @Nullable InstanceRecord first) {}

  /**
   * Returns why the latest pass made a pending instance wait although a host had room, or null.
   *
   * @param hasRoom whether a host has room for the instance
   */
  Reason.@Nullable QueuedBehind waitsFor(InstanceRecord instance, boolean hasRoom);
}

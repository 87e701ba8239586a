package dev.berth.core.internal.pipeline;

import dev.berth.api.Reason;
import dev.berth.core.internal.pass.Pass;
import dev.berth.core.internal.state.InstanceRecord;
import org.jspecify.annotations.Nullable;

/** The pending instances of a pipeline, and how it decides on them in a pass. */
interface PendingQueue {

  /** Adds an instance that is pending now. */
  void add(InstanceRecord instance);

  /** Removes an instance, with the keys that it had when it was added. */
  void remove(InstanceRecord instance);

  /** Decides on the instances in queue order. */
  void decide(Pass pass);

  /**
   * Returns why the latest pass made a pending instance wait although a host had room, or null.
   *
   * @param hasRoom whether a host has room for the instance
   */
  Reason.@Nullable QueuedBehind waitsFor(InstanceRecord instance, boolean hasRoom);
}

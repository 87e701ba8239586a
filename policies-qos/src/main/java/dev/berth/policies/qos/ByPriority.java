package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.pipeline.QueueOrder;

/** The most important class first; within a class, in order of admission. */
final class ByPriority implements QueueOrder {

  @Override
  public int tier(Instance pending, long now) {
    return pending.serviceClass().importance();
  }

  @Override
  public long key(Instance pending) {
    return pending.admittedAt();
  }
}

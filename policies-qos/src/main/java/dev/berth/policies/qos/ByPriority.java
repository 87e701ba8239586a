package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.ClassTiers;
import dev.berth.api.pipeline.QueueOrder;

/** The most important class first, and in a class whoever was admitted first. */
final class ByPriority implements QueueOrder, ClassTiers {

  @Override
  public int tier(ServiceClass serviceClass) {
    return serviceClass.importance();
  }

  @Override
  public long key(Instance pending) {
    return pending.admittedAt();
  }
}

package dev.berth.policies.baselines;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.ClassTiers;
import dev.berth.api.pipeline.QueueOrder;

/** The most important class first; within a class, in order of admission. */
final class ByImportance implements ClassTiers, QueueOrder {

  @Override
  public int tier(ServiceClass serviceClass) {
    return serviceClass.importance();
  }

  @Override
  public long key(Instance pending) {
    return pending.admittedAt();
  }
}

package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.TimedTiers;

/**
 * The order {@link QueueReading#URGENT_FIRST}. A waiting instance loses metric as time passes, so
 * it enters the tier of its class at its margin, and stays there until it is placed.
 */
final class UrgentFirst implements QueueOrder, TimedTiers {

  private static final int NOT_URGENT = Integer.MAX_VALUE;

  private final QosMetric metric;
  private final QosUnit unit;

  UrgentFirst(QosMetric metric, QosUnit unit) {
    this.metric = metric;
    this.unit = unit;
  }

  @Override
  public long key(Instance pending) {
    return metric.key(pending);
  }

  @Override
  public int tier(Instance pending, long now) {
    ServiceClass its = pending.serviceClass();
    boolean urgent = metric.value(pending, now) < unit.of(its.safetyMargin());
    return urgent ? its.importance() : NOT_URGENT;
  }
}

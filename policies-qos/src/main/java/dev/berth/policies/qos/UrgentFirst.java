package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.QueueOrder;

/**
 * The order {@link QueueReading#URGENT_FIRST}. A waiting instance loses metric as time passes, so
 * it enters the tier of its class at its margin, and stays there until it is placed.
 */
record UrgentFirst(QosMetric metric, QosUnit unit) implements QueueOrder {
  private static final int NOT_URGENT = Integer.MAX_VALUE;

  @Override
  public long key(Instance pending) {
    return metric.key(pending);
  }

  @Override
  public int tier(Instance pending, long now) {
    ServiceClass its = pending.serviceClass();
    return slack(pending, now) < 0 ? its.importance() : NOT_URGENT;
  }

  @Override
  public long tierUntil(Instance pending, long now) {
    long slack = slack(pending, now);
    return slack < 0 ? Long.MAX_VALUE : Crossings.after(now, (double) slack * unit.nanos());
  }

  /** Returns by how much the metric exceeds the margin, in units; it falls while it waits. */
  private long slack(Instance pending, long now) {
    return metric.value(pending, now) - unit.of(pending.serviceClass().safetyMargin());
  }
}

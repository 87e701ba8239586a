package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.QueueOrder;
import java.util.List;

/**
 * The most important class first; within it, the one that has {@linkplain
 * ServiceHistory#hasWaitedLongest waited longest}, then those that can still meet their objectives,
 * then those {@linkplain Outlook#overdue beyond rescue}. Of the latter two, the lower {@linkplain
 * Outlook#level level} is first; then in order of admission.
 */
final class AttainedOrder implements QueueOrder {

  private final ServiceHistory history;
  private final QosMetric metric;
  private final QosUnit unit;
  private final List<Integer> importances; // ascending, each once

  AttainedOrder(
      ServiceHistory history, List<ServiceClass> classes, QosMetric metric, QosUnit unit) {
    this.history = history;
    this.metric = metric;
    this.unit = unit;
    this.importances = classes.stream().map(ServiceClass::importance).sorted().distinct().toList();
  }

  /** Returns the level in a tier. */
  static int level(int tier) {
    return Math.floorMod(tier, ServiceGrid.LEVELS);
  }

  @Override
  public long key(Instance pending) {
    return pending.admittedAt();
  }

  @Override
  public int tier(Instance pending, long now) {
    int place = importances.indexOf(pending.serviceClass().importance());
    if (history.hasWaitedLongest(pending)) {
      return 3 * place * ServiceGrid.LEVELS;
    }
    Outlook its = history.of(pending, now);
    int ofClass = 3 * place + (slack(pending, its, now) < 0 ? 2 : 1);
    return ofClass * ServiceGrid.LEVELS + its.level();
  }

  @Override
  public long tierUntil(Instance pending, long now) {
    long slack = slack(pending, history.of(pending, now), now);
    long rescue = slack < 0 ? Long.MAX_VALUE : Crossings.after(now, (double) slack * unit.nanos());
    return Math.min(rescue, history.until());
  }

  /** Returns how long it can still wait until it is beyond rescue, in units. */
  private long slack(Instance pending, Outlook its, long now) {
    long overdue = its.overdue();
    return overdue == Long.MAX_VALUE
        ? Long.MAX_VALUE
        : metric.value(pending, now) + unit.ofNanos(overdue);
  }
}

package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.VictimOrder;
import java.time.Duration;

/**
 * The QoS metric (Eqs. 2 to 7): {@code Q(t) = e/σ − (e + p) − α}, in nanoseconds.
 *
 * <p>While the availability is at or above its objective, Q is the <em>time to violate</em>: how
 * long the instance may still wait. Below, it is the (negative) <em>recoverability</em>: how long
 * ago the objective was crossed. Both branches are one formula.
 *
 * <p>Since {@code e + p = t − admission}, Q is linear in time between changes of state. While an
 * instance waits or starts, e/σ stands still, so {@code Q(t) = (e/σ + admission − α) − t}. While it
 * runs, e/σ grows with the meter M of its objective ({@link dev.berth.api.Slo#lifeSpan}), alike for
 * all of its class, so {@code Q(t) = (e/σ − M(t) + admission − α) + (M(t) − t)}. What stands in the
 * first parentheses never changes meanwhile: it is the key of queue and victims alike.
 */
public final class QosMetric implements QueueOrder, VictimOrder {

  private final long expectedOverhead;

  /**
   * Makes the metric.
   *
   * @param expectedOverhead α, the allocation overhead to be expected; not negative
   */
  public QosMetric(Duration expectedOverhead) {
    this.expectedOverhead = expectedOverhead.toNanos();
  }

  /** Returns Q at a time that is not before the instance's latest change of state. */
  public long value(Instance instance, long now) {
    return instance.earnedTime(now) - (now - instance.admittedAt()) - expectedOverhead;
  }

  @Override
  public long key(Instance instance) {
    long since = instance.stateSince();
    return value(instance, since) - drift(instance.serviceClass(), instance.state(), since);
  }

  @Override
  public long drift(ServiceClass serviceClass, InstanceState state, long now) {
    return state == InstanceState.RUNNING ? serviceClass.slo().lifeSpan(now) - now : -now;
  }
}

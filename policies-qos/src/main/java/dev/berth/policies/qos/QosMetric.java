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
 * <p>While the availability meets its objective, Q is the <em>time to violate</em>: how long the
 * instance can still wait. Otherwise it is the (negative) <em>recoverability</em>: how long ago the
 * objective was crossed. One formula covers both branches.
 *
 * <p>Since {@code e + p = t − admission}, Q is linear in time between changes of state. While an
 * instance waits or starts, e/σ is constant, so {@code Q(t) = (e/σ + admission − α) − t}. While it
 * runs, e/σ grows with the meter M of its objective ({@link dev.berth.api.Slo#lifeSpan}), equally
 * for all instances of its class, so {@code Q(t) = (e/σ − M(t) + admission − α) + (M(t) − t)}. The
 * first parenthesis is constant meanwhile; it is the key of both the queue and the victim order.
 */
final class QosMetric implements QueueOrder, VictimOrder {

  private final long expectedOverhead;

  /**
   * Creates the metric.
   *
   * @param expectedOverhead α, the expected allocation overhead; not negative
   */
  public QosMetric(Duration expectedOverhead) {
    this.expectedOverhead = expectedOverhead.toNanos();
  }

  /**
   * Returns Q in nanoseconds.
   *
   * @param now not before the latest change of state of the instance
   */
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

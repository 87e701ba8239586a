package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.Slo;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.VictimOrder;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * The QoS metric (Eqs. 2 to 7): {@code Q(t) = e/σ − (e + p) − α}, in a {@linkplain QosUnit unit} of
 * one or more nanoseconds.
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
 *
 * <p>Each parenthesis is rounded down to the unit, so a value is less than two units below Q. Keys
 * wrap around; values, and differences of the keys of one class, do not.
 */
final class QosMetric implements QueueOrder, VictimOrder {

  private final long expectedOverhead;
  private final QosUnit unit;
  private final UnaryOperator<Slo> aim;

  /**
   * Creates the metric.
   *
   * @param expectedOverhead α, the expected allocation overhead; not negative
   */
  QosMetric(Duration expectedOverhead, QosUnit unit) {
    this(expectedOverhead, unit, UnaryOperator.identity());
  }

  /**
   * Creates the metric of objectives other than those of the classes.
   *
   * @param aim returns the objective to use for that of a class
   */
  QosMetric(Duration expectedOverhead, QosUnit unit, UnaryOperator<Slo> aim) {
    this.aim = aim;
    this.expectedOverhead = expectedOverhead.toNanos();
    this.unit = unit;
  }

  /**
   * Returns Q in units.
   *
   * @param now not before the latest change of state of the instance
   */
  long value(Instance instance, long now) {
    return key(instance) + drift(instance.serviceClass(), instance.state(), now);
  }

  @Override
  public long key(Instance instance) {
    long since = instance.stateSince();
    boolean runs = instance.state() == InstanceState.RUNNING;
    Slo slo = aim.apply(instance.serviceClass().slo());
    if (unit.bits() == 0) { // modulo 2^64 throughout
      long metered = runs ? slo.lifeSpan(since) : 0;
      return earned(instance, slo, since).low()
          - metered
          + instance.admittedAt()
          - expectedOverhead;
    }
    Wide metered = runs ? Wide.lifeSpan(slo, since) : Wide.of(0);
    return unit.of(
        earned(instance, slo, since)
            .minus(metered)
            .plus(instance.admittedAt())
            .minus(expectedOverhead));
  }

  /**
   * Returns e/σ. For the objective of its class, the instance tells the lower half, which differs
   * from e/σ by rounding.
   */
  private static Wide earned(Instance instance, Slo slo, long now) {
    Wide exact = Wide.lifeSpan(slo, instance.serviceTime(now));
    return slo.equals(instance.serviceClass().slo())
        ? exact.plus(instance.earnedTime(now) - exact.low())
        : exact;
  }

  @Override
  public long drift(ServiceClass serviceClass, InstanceState state, long now) {
    Slo slo = aim.apply(serviceClass.slo());
    boolean runs = state == InstanceState.RUNNING;
    if (unit.bits() == 0) {
      return runs ? slo.lifeSpan(now) - now : -now;
    }
    return unit.of(runs ? Wide.lifeSpan(slo, now).minus(now) : Wide.of(-now));
  }
}

package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.VictimOrder;

/**
 * Of the victims of a class, those with most slack first. Those that {@linkplain
 * dev.berth.api.Request#losesProgress lose their progress} are last, and of these the latest start
 * is first: it has least to lose. Their value is far below that of any slack.
 *
 * <p>As values change at the speed of slack, starts are compared only within an era of nine years.
 * Otherwise values would depend on the epoch of the clock, and exceed all slack in our time.
 */
record AttainedVictims(QosMetric metric, QosUnit unit) implements VictimOrder {
  private static final long LAST = -(1L << 60);
  private static final long ERA = 1L << 58; // ns

  @Override
  public long key(Instance instance) {
    if (instance.state() != InstanceState.RUNNING || !instance.request().losesProgress()) {
      return metric.key(instance);
    }
    long since = instance.stateSince();
    long era = since & -ERA;
    return LAST
        + unit.ofNanos(since - era)
        - metric.drift(instance.serviceClass(), InstanceState.RUNNING, era);
  }

  @Override
  public long drift(ServiceClass serviceClass, InstanceState state, long now) {
    return metric.drift(serviceClass, state, now);
  }
}

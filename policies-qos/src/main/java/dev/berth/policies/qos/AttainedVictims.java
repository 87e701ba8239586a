package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.VictimOrder;

/**
 * Of the victims of a class, those with most slack first. Those that {@linkplain
 * dev.berth.api.Request#losesProgress lose their progress} are last, and of these the latest start
 * is first: it has least to lose. Their value is far below that of any slack.
 */
final class AttainedVictims implements VictimOrder {

  private static final long LAST = -(1L << 60);

  private final QosMetric metric;
  private final QosUnit unit;

  AttainedVictims(QosMetric metric, QosUnit unit) {
    this.metric = metric;
    this.unit = unit;
  }

  @Override
  public long key(Instance instance) {
    return instance.state() == InstanceState.RUNNING && instance.request().losesProgress()
        ? LAST + unit.ofNanos(instance.stateSince())
        : metric.key(instance);
  }

  @Override
  public long drift(ServiceClass serviceClass, InstanceState state, long now) {
    return metric.drift(serviceClass, state, now);
  }
}

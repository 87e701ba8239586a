package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.VictimOrder;
import java.util.function.Predicate;

/**
 * The QoS metric, plus the {@linkplain SwitchPrice price of a switch} for a pending instance, and
 * plus a lead for a guest. Neither changes while the instance stays in its state.
 */
final class PaidSwitchOrder implements QueueOrder, VictimOrder {

  private final QosMetric metric;
  private final SwitchPrice price;
  private final Predicate<Instance> isGuest;
  private final long lead;

  /**
   * Creates the order.
   *
   * @param isGuest whether an instance on a host must give way to all others; must not change while
   *     it stays in its state
   * @param lead what is added to the value of a guest, in units
   */
  PaidSwitchOrder(QosMetric metric, SwitchPrice price, Predicate<Instance> isGuest, long lead) {
    this.metric = metric;
    this.price = price;
    this.isGuest = isGuest;
    this.lead = lead;
  }

  @Override
  public long key(Instance instance) {
    long key = metric.key(instance);
    if (instance.state() == InstanceState.PENDING) {
      return key + price.of(instance);
    }
    return isGuest.test(instance) ? key + lead : key;
  }

  @Override
  public long drift(ServiceClass serviceClass, InstanceState state, long now) {
    return metric.drift(serviceClass, state, now);
  }
}

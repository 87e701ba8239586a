package dev.berth.testkit.asserting;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.QueueOrder;

/** A queue order that is asked twice, and whose keys are remembered. */
final class AssertingQueueOrder implements QueueOrder {

  private final MisuseDetector watch;
  private final QueueOrder order;
  private final Keys keys;

  AssertingQueueOrder(MisuseDetector watch, QueueOrder order) {
    this.watch = watch;
    this.order = order;
    this.keys = new Keys(watch, "QueueOrder.key", order::key);
  }

  @Override
  public long key(Instance pending) {
    return keys.give(pending);
  }

  @Override
  public int tier(ServiceClass serviceClass) {
    return watch.ask("QueueOrder.tier", serviceClass::name, call -> order.tier(serviceClass));
  }
}

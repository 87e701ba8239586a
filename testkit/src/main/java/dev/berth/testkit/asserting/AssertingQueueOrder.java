package dev.berth.testkit.asserting;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.ClassTiers;
import dev.berth.api.pipeline.QueueOrder;

/** Asks a queue order twice, and remembers its keys. */
class AssertingQueueOrder implements QueueOrder {

  private final Keys keys;

  private AssertingQueueOrder(MisuseDetector watch, QueueOrder order) {
    this.keys = new Keys(watch, "QueueOrder.key", order::key);
  }

  /** Wraps an order; the wrapper has tiers if the order has. */
  static QueueOrder around(MisuseDetector watch, QueueOrder order) {
    return order instanceof ClassTiers tiers
        ? new Tiered(watch, order, tiers)
        : new AssertingQueueOrder(watch, order);
  }

  @Override
  public long key(Instance pending) {
    return keys.give(pending);
  }

  private static final class Tiered extends AssertingQueueOrder implements ClassTiers {

    private final MisuseDetector watch;
    private final ClassTiers tiers;

    Tiered(MisuseDetector watch, QueueOrder order, ClassTiers tiers) {
      super(watch, order);
      this.watch = watch;
      this.tiers = tiers;
    }

    @Override
    public int tier(ServiceClass serviceClass) {
      return watch.ask("QueueOrder.tier", serviceClass::name, call -> tiers.tier(serviceClass));
    }
  }
}

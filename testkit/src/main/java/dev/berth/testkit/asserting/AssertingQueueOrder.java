package dev.berth.testkit.asserting;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.ClassTiers;
import dev.berth.api.pipeline.QueueOrder;

/** Asks a queue order twice, and remembers its keys. */
class AssertingQueueOrder implements QueueOrder {

  private final Keys keys;

  private AssertingQueueOrder(MisuseDetector detector, QueueOrder order) {
    this.keys = new Keys(detector, "QueueOrder.key", order::key);
  }

  /** Wraps an order; the wrapper has tiers if the order has. */
  static QueueOrder around(MisuseDetector detector, QueueOrder order) {
    return order instanceof ClassTiers tiers
        ? new Tiered(detector, order, tiers)
        : new AssertingQueueOrder(detector, order);
  }

  @Override
  public long key(Instance pending) {
    return keys.give(pending);
  }

  private static final class Tiered extends AssertingQueueOrder implements ClassTiers {

    private final MisuseDetector detector;
    private final ClassTiers tiers;

    Tiered(MisuseDetector detector, QueueOrder order, ClassTiers tiers) {
      super(detector, order);
      this.detector = detector;
      this.tiers = tiers;
    }

    @Override
    public int tier(ServiceClass serviceClass) {
      return detector.ask("QueueOrder.tier", serviceClass::name, call -> tiers.tier(serviceClass));
    }
  }
}

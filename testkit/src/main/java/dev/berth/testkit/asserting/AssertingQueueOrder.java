package dev.berth.testkit.asserting;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.ClassTiers;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.TimedTiers;

/** Asks a queue order twice, and remembers its keys. */
class AssertingQueueOrder implements QueueOrder {

  private final Keys keys;

  private AssertingQueueOrder(MisuseDetector detector, QueueOrder order) {
    this.keys = new Keys(detector, "QueueOrder.key", order::key);
  }

  /** Wraps an order; the wrapper has tiers if the order has. */
  static QueueOrder around(MisuseDetector detector, QueueOrder order) {
    if (order instanceof TimedTiers timed) {
      return new Timed(detector, order, timed);
    }
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

  private static final class Timed extends AssertingQueueOrder implements ClassTiers, TimedTiers {

    private final MisuseDetector detector;
    private final QueueOrder order;
    private final TimedTiers timed;

    Timed(MisuseDetector detector, QueueOrder order, TimedTiers timed) {
      super(detector, order);
      this.detector = detector;
      this.order = order;
      this.timed = timed;
    }

    @Override
    public int tier(ServiceClass serviceClass) {
      return detector.ask(
          "QueueOrder.tier", serviceClass::name, call -> ClassTiers.of(order, serviceClass));
    }

    @Override
    public int tier(Instance pending, long now) {
      return detector.ask("QueueOrder.tier", pending::id, call -> timed.tier(pending, now));
    }
  }
}

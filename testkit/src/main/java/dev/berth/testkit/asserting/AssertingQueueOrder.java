package dev.berth.testkit.asserting;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.ClassTiers;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.TimedTiers;

/** Asks a queue order twice, and remembers its keys. */
class AssertingQueueOrder implements QueueOrder {

  private final MisuseDetector detector;
  private final QueueOrder order;
  private final Keys keys;

  private AssertingQueueOrder(MisuseDetector detector, QueueOrder order) {
    this.detector = detector;
    this.order = order;
    this.keys = new Keys(detector, "QueueOrder.key", order::key);
  }

  /** Wraps an order; the wrapper has tiers if the order has. */
  static QueueOrder around(MisuseDetector detector, QueueOrder order) {
    if (order instanceof TimedTiers) {
      return new Timed(detector, order);
    }
    return order instanceof ClassTiers
        ? new Tiered(detector, order)
        : new AssertingQueueOrder(detector, order);
  }

  @Override
  public long key(Instance pending) {
    return keys.give(pending);
  }

  /** Returns the tier of a class, for orders that have tiers. */
  public final int tier(ServiceClass serviceClass) {
    return detector.ask(
        "QueueOrder.tier", serviceClass::name, call -> ClassTiers.of(order, serviceClass));
  }

  /** Returns the tier of an instance, for orders in which that depends on the time. */
  public final int tier(Instance pending, long now) {
    return detector.ask(
        "QueueOrder.tier", pending::id, call -> ((TimedTiers) order).tier(pending, now));
  }

  private static final class Tiered extends AssertingQueueOrder implements ClassTiers {
    Tiered(MisuseDetector detector, QueueOrder order) {
      super(detector, order);
    }
  }

  private static final class Timed extends AssertingQueueOrder implements ClassTiers, TimedTiers {
    Timed(MisuseDetector detector, QueueOrder order) {
      super(detector, order);
    }
  }
}

package dev.berth.testkit.asserting;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.ClassTiers;
import dev.berth.api.pipeline.VictimOrder;

/** Asks a victim order twice, and remembers its keys. */
class AssertingVictimOrder implements VictimOrder {

  private final MisuseDetector watch;
  private final VictimOrder order;
  private final Keys keys;
  private final ClosedClasses closed;

  private AssertingVictimOrder(MisuseDetector watch, VictimOrder order, ClosedClasses closed) {
    this.watch = watch;
    this.order = order;
    this.keys = new Keys(watch, "VictimOrder.key", order::key);
    this.closed = closed;
  }

  /** Wraps an order; the wrapper has tiers if the order has. */
  static VictimOrder around(MisuseDetector watch, VictimOrder order, ClosedClasses closed) {
    return order instanceof ClassTiers tiers
        ? new Tiered(watch, order, tiers, closed)
        : new AssertingVictimOrder(watch, order, closed);
  }

  @Override
  public long key(Instance instance) {
    closed.beginSeries(); // the order on a host changes
    return keys.give(instance);
  }

  @Override
  public long drift(ServiceClass serviceClass, InstanceState state, long now) {
    return watch.ask(
        "VictimOrder.drift",
        () -> "%s, %s, at %s ns".formatted(serviceClass.name(), state, now),
        call -> order.drift(serviceClass, state, now));
  }

  private static final class Tiered extends AssertingVictimOrder implements ClassTiers {

    private final MisuseDetector watch;
    private final ClassTiers tiers;

    Tiered(MisuseDetector watch, VictimOrder order, ClassTiers tiers, ClosedClasses closed) {
      super(watch, order, closed);
      this.watch = watch;
      this.tiers = tiers;
    }

    @Override
    public int tier(ServiceClass serviceClass) {
      return watch.ask("VictimOrder.tier", serviceClass::name, call -> tiers.tier(serviceClass));
    }
  }
}

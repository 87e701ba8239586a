package dev.berth.testkit.asserting;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.VictimOrder;

/** Asks a victim order twice, and remembers its keys. */
final class AssertingVictimOrder implements VictimOrder {

  private final MisuseDetector detector;
  private final VictimOrder order;
  private final Keys keys;
  private final ClosedClasses closed;

  AssertingVictimOrder(MisuseDetector detector, VictimOrder order, ClosedClasses closed) {
    this.detector = detector;
    this.order = order;
    this.keys = new Keys(detector, "VictimOrder.key", order::key);
    this.closed = closed;
  }

  @Override
  public long key(Instance instance) {
    closed.beginSeries(); // the order on a host changes
    return keys.give(instance);
  }

  @Override
  public long drift(ServiceClass serviceClass, InstanceState state, long now) {
    return detector.ask(
        "VictimOrder.drift",
        () -> "%s, %s, at %s ns".formatted(serviceClass.name(), state, now),
        call -> order.drift(serviceClass, state, now));
  }

  @Override
  public int tier(ServiceClass serviceClass) {
    return detector.ask("VictimOrder.tier", serviceClass::name, call -> order.tier(serviceClass));
  }
}

package dev.berth.testkit.asserting;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.VictimOrder;

/** A victim order that is asked twice, and whose keys are remembered. */
final class AssertingVictimOrder implements VictimOrder {

  private final MisuseDetector watch;
  private final VictimOrder order;
  private final Keys keys;
  private final ClosedClasses closed;

  AssertingVictimOrder(MisuseDetector watch, VictimOrder order, ClosedClasses closed) {
    this.watch = watch;
    this.order = order;
    this.keys = new Keys(watch, "VictimOrder.key", order::key);
    this.closed = closed;
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

  @Override
  public int tier(ServiceClass serviceClass) {
    return watch.ask("VictimOrder.tier", serviceClass::name, call -> order.tier(serviceClass));
  }
}

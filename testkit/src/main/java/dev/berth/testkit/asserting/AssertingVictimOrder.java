package dev.berth.testkit.asserting;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.VictimOrder;

/** A victim order that is asked twice, and whose keys are remembered. */
final class AssertingVictimOrder implements VictimOrder {

  private final Watch watch;
  private final VictimOrder order;
  private final Keys keys;

  AssertingVictimOrder(Watch watch, VictimOrder order) {
    this.watch = watch;
    this.order = order;
    this.keys = new Keys(watch, "VictimOrder.key", order::key);
  }

  @Override
  public long key(Instance instance) {
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

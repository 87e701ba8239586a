package dev.berth.testkit.contract;

import dev.berth.api.plan.Plan;
import dev.berth.core.event.Event;
import dev.berth.testkit.event.EventTarget;
import java.util.EnumSet;
import java.util.Set;

/** Passes each event on to a target that may be another one each time. Supports all features. */
abstract class PassingTarget implements EventTarget {

  /** Returns the target of the next event; called once before each. */
  abstract EventTarget present();

  @Override
  public Set<Feature> supportedFeatures() {
    return EnumSet.allOf(Feature.class);
  }

  @Override
  public Object apply(Event<?> event, long now) {
    return present().apply(event, now);
  }

  @Override
  public Plan schedule(long now) {
    return present().schedule(now);
  }
}

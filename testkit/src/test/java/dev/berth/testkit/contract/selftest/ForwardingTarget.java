package dev.berth.testkit.contract.selftest;

import dev.berth.api.Resources;
import dev.berth.api.plan.Plan;
import dev.berth.core.event.Event;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.InstanceSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Forwards every call to another scheduler; a subject overrides single calls. */
class ForwardingTarget implements EventTarget {

  private final EventTarget other;

  ForwardingTarget(EventTarget other) {
    this.other = other;
  }

  @Override
  public Set<Feature> supportedFeatures() {
    return other.supportedFeatures();
  }

  @Override
  public Object apply(Event<?> event, long now) {
    return other.apply(event, now);
  }

  @Override
  public Plan schedule(long now) {
    return other.schedule(now);
  }

  @Override
  public Optional<Resources> free(String hostId) {
    return other.free(hostId);
  }

  @Override
  public Optional<List<InstanceSnapshot>> snapshots(long now) {
    return other.snapshots(now);
  }
}

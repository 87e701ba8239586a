package dev.berth.testkit.contract;

import dev.berth.api.Dimension;
import dev.berth.testkit.event.EventTarget;
import java.util.Set;

/**
 * The engine keeps the rules of every scheduler, even with a policy that preempts unnecessarily.
 */
class EngineContractTest extends SchedulerContractTest {

  @Override
  protected EventTarget start(Setting setting) {
    return EventTarget.of(
        RandomPolicies.randomValidActions().builder(setting, new ActionCounts()).build());
  }

  @Override
  protected Set<Dimension> oversubscribes() {
    return RandomPolicies.OVERSUBSCRIBED;
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(
            Capability.CONSERVES_WORK,
            Capability.RESPECTS_MARGINS,
            Capability.BOUNDS_SWITCHING,
            Capability.SPARES_PROGRESS,
            Capability.SPACES_PREEMPTIONS,
            Capability.MINIMAL_VICTIMS,
            Capability.MONOTONE,
            Capability.IGNORES_HOST_ORDER);
  }
}

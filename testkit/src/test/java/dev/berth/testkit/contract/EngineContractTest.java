package dev.berth.testkit.contract;

import dev.berth.testkit.event.EventTarget;

/**
 * The engine keeps the rules that any scheduler is under, even with a policy that preempts without
 * need.
 */
class EngineContractTest extends SchedulerContractTest {

  @Override
  protected EventTarget start(Setting setting) {
    return EventTarget.of(Contenders.atRandomWithinTheLaw().builder(setting).build());
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(
            Capability.CONSERVES_WORK,
            Capability.RESPECTS_MARGINS,
            Capability.MINIMAL_VICTIMS,
            Capability.MONOTONE,
            Capability.IGNORES_HOST_ORDER);
  }
}

package dev.berth.policies.qos;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;

/** With {@code maxPreemptions}. */
class QosDrivenWithPreemptionLimitContractTest extends PolicyContractTest<QosDrivenConfig> {

  @Override
  protected PolicyFactory<QosDrivenConfig> factory() {
    return new QosDrivenFactory();
  }

  @Override
  protected QosDrivenConfig config() {
    QosDrivenConfig defaults = new QosDrivenFactory().defaults();
    return new QosDrivenConfig(
        defaults.watchdog(),
        defaults.expectedOverhead(),
        defaults.queue(),
        defaults.allocationScore(),
        defaults.preemptionCost(),
        defaults.minimizeVictims(),
        defaults.preemptStarting(),
        1);
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(
            Capability.PREEMPTS_STARTING,
            Capability.DEFERS,
            Capability.ADJUSTS,
            Capability.SPARES_PROGRESS,
            Capability.SPACES_PREEMPTIONS);
  }
}

package dev.berth.policies.qos;

import dev.berth.api.ServiceClass;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;
import dev.berth.testkit.history.History;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Learns what a switch costs from the restarts of each instance. */
class QosHysteresisContractTest extends PolicyContractTest<QosHysteresisConfig> {

  @Override
  protected PolicyFactory<QosHysteresisConfig> factory() {
    return new QosHysteresisFactory();
  }

  /** In half of the histories no limit but that of P41 bounds switching. */
  @Override
  protected Arbitrary<History> histories() {
    List<ServiceClass> unlimited =
        List.of(ServiceClass.builder("gold").slo(0.9).preemptionOverheadLimit(1).build());
    return Arbitraries.oneOf(
        super.histories(), super.histories().map(each -> each.withServiceClasses(unlimited)));
  }

  @Override
  protected double mostRestarts() {
    return PaidSwitchRule.MOST_SHARES * config().restartShare();
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

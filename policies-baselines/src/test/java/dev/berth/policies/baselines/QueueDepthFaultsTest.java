package dev.berth.policies.baselines;

import dev.berth.testkit.generators.BagScenarioArbitraries;
import dev.berth.testkit.simulation.BagScenario;
import java.time.Duration;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class QueueDepthFaultsTest {

  /** The policy sets no time to live, so the users do. */
  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void losesNoBag(@ForAll("scenarios") BagScenario scenario) {
    QueueDepthFactory factory = new QueueDepthFactory();
    scenario
        .withDefaultTimeToLive(Duration.ofHours(2))
        .run(factory, factory.defaults(), Duration.ofDays(1))
        .assertNoBagLost();
  }

  @Provide
  Arbitrary<BagScenario> scenarios() {
    return BagScenarioArbitraries.withFaults();
  }
}

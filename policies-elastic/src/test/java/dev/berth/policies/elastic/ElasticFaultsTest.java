package dev.berth.policies.elastic;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.generators.BagScenarioArbitraries;
import dev.berth.testkit.simulation.BagScenario;
import java.time.Duration;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;

@PropertyDefaults(tries = 300, edgeCases = EdgeCasesMode.NONE)
class ElasticFaultsTest {

  private static final Duration DAY = Duration.ofDays(1);

  @Property
  void elasticClusterLosesNoBag(@ForAll("scenarios") BagScenario scenario) {
    PolicyFactory<ElasticClusterConfig> factory = ElasticPolicies.ELASTIC_CLUSTER;
    scenario.run(factory, factory.defaults(), DAY).assertNoBagLost();
  }

  @Property
  void elasticClusterThatKeepsLeftoversLosesNoBag(@ForAll("scenarios") BagScenario scenario) {
    ElasticClusterConfig config =
        new ElasticClusterConfig(
            "",
            Duration.ofSeconds(13),
            0.35,
            5,
            TimeToLive.PUBLISHED,
            Duration.ofMinutes(1),
            Duration.ofMinutes(10),
            Duration.ofMinutes(1),
            true,
            scenario.seed() % 2 == 0);
    scenario.run(ElasticPolicies.ELASTIC_CLUSTER, config, DAY).assertNoBagLost();
  }

  @Property
  void elasticSiteLosesNoBag(@ForAll("scenarios") BagScenario scenario) {
    PolicyFactory<ElasticSiteConfig> factory = ElasticPolicies.ELASTIC_SITE;
    scenario.run(factory, factory.defaults(), DAY).assertNoBagLost();
  }

  @Provide
  Arbitrary<BagScenario> scenarios() {
    return BagScenarioArbitraries.withFaults();
  }
}

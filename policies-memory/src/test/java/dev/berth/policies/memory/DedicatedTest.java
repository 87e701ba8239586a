package dev.berth.policies.memory;

import static dev.berth.testkit.TestCluster.cpuAndMemory;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.HostSpec;
import dev.berth.api.plan.Plan;
import dev.berth.testkit.TestCluster;
import org.junit.jupiter.api.Test;

/** Each instance has a host alone. */
class DedicatedTest {

  @Test
  void hostThatGrowsIsStillTakenAndTheReasonIsGiven() {
    TestCluster cluster = TestCluster.withPolicy("dedicated", "{}");
    cluster.host("h1", cpuAndMemory(1, 1)).running("a", "gold", cpuAndMemory(1, 1), "h1");
    cluster.scheduler().changeHost(new HostSpec("h1", cpuAndMemory(2, 2)), cluster.now());
    cluster.pending("b", "gold", cpuAndMemory(1, 1));

    Plan plan = cluster.pass();

    assertThat(plan.placements()).isEmpty();
    assertThat(plan.deferrals().get("b").describe())
        .isEqualTo("no host is free, and it is to have one alone");
  }
}

package acme;

import static dev.berth.testkit.TestCluster.cpu;
import static dev.berth.testkit.assertions.BerthAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.plan.Plan;
import dev.berth.testkit.TestCluster;
import org.junit.jupiter.api.Test;

/** What is special about this policy, each in a small cluster. */
class BestFitTest {

  @Test
  void packsTightlyUpToTheReserve() {
    TestCluster cluster =
        TestCluster.withPolicy("acme.best-fit", "{\"reserve\": 0.25}")
            .host("small", cpu(4))
            .host("large", cpu(8))
            .running("r1", "gold", cpu(2), "small")
            .pending("r2", "gold", cpu(1))
            .pending("r3", "gold", cpu(1));

    Plan plan = cluster.pass();

    assertThat(plan).places("r2").on("small");
    assertThat(plan).places("r3").on("large"); // a quarter of small stays free
  }

  @Test
  void usesTheReserveRatherThanLetAnybodyWait() {
    TestCluster cluster =
        TestCluster.withPolicy(new BestFit(), new BestFit.Config(0.25))
            .host("small", cpu(4))
            .running("r1", "gold", cpu(3), "small")
            .pending("r2", "gold", cpu(1));

    assertThat(cluster.pass()).places("r2").on("small").preemptingNobody();
    assertThat(cluster.host("small")).holds("r1", "r2").hasFree(cpu(0));
  }

  @Test
  void refusesAReserveOutOfRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BestFit.Config(1))
        .withMessage("reserve must be in [0, 1)");
  }
}

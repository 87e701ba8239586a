package dev.berth.policies.qos;

import static dev.berth.testkit.TestCluster.cpu;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Action;
import dev.berth.api.Plan;
import dev.berth.testkit.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code "overload": "fulfilment"}, on cases small enough to check by hand. */
class FulfilmentPolicyTest {

  private static final String SETTINGS =
      "{\"overload\": \"fulfilment\", \"expectedOverhead\": \"1s\", \"restartShare\": 0.1}";

  private final TestCluster cluster = TestCluster.withPolicy("qos-hysteresis", SETTINGS);

  private static List<String> placed(Plan plan) {
    return plan.placements().stream().map(Action.Place::instance).toList();
  }

  /** 90 % of 10 cores keep 18 bronze instances of one core, but not a nineteenth. */
  @Test
  void keepsAsManyAsTheCapacityAllows() {
    cluster.host("h", cpu(10));
    for (int i = 1; i <= 19; i++) {
      cluster.pending("b%02d".formatted(i), "bronze", cpu(1));
    }

    Plan plan = cluster.at(ofSeconds(1)).pass();

    assertThat(placed(plan)).hasSize(10).doesNotContain("b19");
    assertThat(plan.deferrals()).containsOnlyKeys("b19");
    assertThat(plan.deferrals().get("b19").code()).isEqualTo("shed");
    assertThat(cluster.scheduler().explain().whyPending("b19", cluster.now()).describe())
        .contains("the objectives ask for more than there is, and this one is not kept");
  }

  @Test
  void keepsTheMoreImportantFirst() {
    cluster.host("h", cpu(1));
    cluster
        .pending("bronze", "bronze", cpu(1))
        .at(ofSeconds(5))
        .pending("silver", "silver", cpu(1));

    assertThat(placed(cluster.pass())).containsExactly("silver");
  }

  /** Gold and the large bronze instance are kept; the small one uses the room between them. */
  @Test
  void guestsUseWhatIsLeftAndGiveWay() {
    cluster.host("h", cpu(4)).running("gold", "gold", cpu(2.5), "h");
    cluster.pending("large", "bronze", cpu(2)).at(ofSeconds(1)).pending("guest", "bronze", cpu(1));
    Plan plan = cluster.pass();
    assertThat(placed(plan)).containsExactly("guest");
    assertThat(plan.deferrals()).isEmpty();
    cluster.ready("guest").at(ofSeconds(2)).pending("newcomer", "gold", cpu(1));

    assertThat(cluster.pass().preemptions())
        .extracting(Action.Preempt::instance)
        .containsExactly("guest");
  }

  /** The place of one that ends is for the first that was shed. */
  @Test
  void theFirstShedIsTheFirstToBeKeptAgain() {
    cluster.host("h", cpu(1));
    cluster.running("silver", "silver", cpu(1), "h");
    cluster.pending("b1", "bronze", cpu(1)).at(ofSeconds(1)).pending("b2", "bronze", cpu(1));
    assertThat(cluster.pass().deferrals()).containsOnlyKeys("b1", "b2");

    cluster.at(ofSeconds(2)).completed("silver");

    Plan plan = cluster.pass();
    assertThat(placed(plan)).containsExactly("b1");
    assertThat(plan.deferrals()).containsOnlyKeys("b2");
  }
}

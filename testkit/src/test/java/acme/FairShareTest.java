package acme;

import static dev.berth.testkit.TestCluster.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Request;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.testkit.TestCluster;
import org.junit.jupiter.api.Test;

/** The policy of the guide shares the cores among the users of requests. */
class FairShareTest {

  private final TestCluster cluster =
      TestCluster.withPolicy(new FairShareFactory(), new FairShareFactory.Config())
          .host("h1", cpu(4));

  @Test
  void sharesHostsAmongUsers() {
    for (String id : new String[] {"a1", "a2", "a3", "a4", "b1", "b2"}) {
      submit(id);
    }

    assertThat(placed(cluster.pass())).containsExactly("a1", "b1", "a2", "b2");

    cluster.ready("a1").ready("a2").ready("b1");
    cluster.completed("a1");
    cluster.completed("a2");
    submit("b3");
    assertThat(placed(cluster.pass())).as("b still holds two cores").containsExactly("a3", "a4");
  }

  private void submit(String id) {
    cluster.submit(Request.builder(id, "gold").user(id.substring(0, 1)).demand(cpu(1)).build());
  }

  private static Iterable<String> placed(Plan plan) {
    return plan.placements().stream().map(Action.Place::instance).toList();
  }
}

package dev.berth.core;

import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import acme.FairShare;
import dev.berth.api.Action;
import dev.berth.api.Plan;
import org.junit.jupiter.api.Test;

/** Policies of embedders can go by the users and labels of requests. */
class UsersAndLabelsTest {

  @Test
  void sharesHostsAmongUsers() {
    Cluster cluster =
        Cluster.withPolicy(Scheduler.builder(), context -> new FairShare()).host("h1", 4);
    for (String id : new String[] {"a1", "a2", "a3", "a4", "b1", "b2"}) {
      cluster.pending(request(id, 1).user(id.substring(0, 1)));
    }

    assertThat(placed(cluster.pass())).containsExactly("a1", "b1", "a2", "b2");

    cluster.started("a1").started("a2").started("b1");
    cluster.completed("a1");
    cluster.completed("a2");
    cluster.pending(request("b3", 1).user("b"));
    assertThat(placed(cluster.pass())).as("b still holds two cores").containsExactly("a3", "a4");
  }

  @Test
  void ordersTheQueueOfAPipelineByALabel() {
    Cluster cluster =
        Cluster.of(
                parts -> parts.queue(each -> each.request().labels().containsKey("urgent") ? 0 : 1))
            .host("h1", 2)
            .pending("a", 1)
            .pending("b", 1)
            .pending(request("c", 1).label("urgent", "yes"));

    assertThat(placed(cluster.pass())).containsExactly("c", "a");
    assertThat(cluster.instance("c").request().labels()).containsEntry("urgent", "yes");
  }

  private static Iterable<String> placed(Plan plan) {
    return plan.placements().stream().map(Action.Place::instance).toList();
  }
}

package dev.berth.core;

import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import org.junit.jupiter.api.Test;

/** Policies of embedders can go by the labels of requests. */
class LabelsTest {

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

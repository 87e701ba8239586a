package dev.berth.core;

import static dev.berth.core.Cluster.request;
import static dev.berth.core.Jobs.job;
import static dev.berth.core.Plans.instances;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.PlacementSpec;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.plan.Plan;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Passes that resume the reservations of the pass before: conservative backfilling on one host on
 * which all goes as expected. They decide as if they made all reservations anew.
 *
 * <p>In each test {@code long} has room at first, but not beside the reservations.
 */
class ResumedPassesTest {

  private static Cluster on(Scheduler.Builder settings, double cores) {
    return Cluster.of(
            settings,
            parts ->
                parts
                    .queue(instance -> instance.serviceClass().importance())
                    .backfill(Backfill.CONSERVATIVE)
                    .ties(TieBreak.BY_ID))
        .host("h1", cores)
        .running(job("r", cores - 2, 10), "h1")
        .at(1);
  }

  /** Three jobs have reservations at ten seconds, in front of which waits one that fits nowhere. */
  private static Cluster threeReserved(Scheduler.Builder settings) {
    Cluster cluster = on(settings, 9).pending(job("giant", 20, 5));
    cluster.at(2).pending(job("a", 3, 5)).pending(job("b", 3, 5)).pending(job("c", 3, 5));
    assertThat(cluster.pending(job("long", 2, 20)).pass().actions()).isEmpty();
    cluster.at(10).completed("r");
    return cluster;
  }

  @Test
  void startDueJobsInQueueOrderAndNameTheFirstThatMayFit() {
    Plan plan = threeReserved(Scheduler.builder()).pass();

    assertThat(instances(plan)).containsExactly("a", "b", "c");
    assertThat(plan.blockedHead()).contains("long");
  }

  @Test
  void loseNoDueJobIfThePassIsFull() {
    Cluster cluster = threeReserved(Scheduler.builder().maxPlacements(1));

    assertThat(instances(cluster.pass())).containsExactly("a");
    assertThat(instances(cluster.pass())).containsExactly("b");
    assertThat(instances(cluster.pass())).containsExactly("c");
  }

  @Test
  void headIsNoNewJobThatFitsNowhere() {
    Cluster cluster = on(Scheduler.builder(), 4);
    cluster.pending(job("due", 4, 5)).pending(job("long", 2, 15)).pass();
    cluster.at(2).cancel("long");
    cluster.pending(job("giant", 9, 5)).pending(job("later", 4, 5));
    cluster.at(10).completed("r");

    Plan plan = cluster.pass();

    assertThat(instances(plan)).containsExactly("due");
    assertThat(plan.blockedHead()).contains("later");
  }

  @Test
  void newJobInFrontOfTheReservationsIsNotHeldUpByThem() {
    Cluster cluster = on(Scheduler.builder(), 4);
    cluster.pending(request("due", "silver", 4).estimatedRunTime(Duration.ofSeconds(5)));
    cluster.pending(request("long", "silver", 2).estimatedRunTime(Duration.ofSeconds(15))).pass();

    cluster.at(2).pending(job("first", 2, 15));

    assertThat(instances(cluster.pass())).containsExactly("first");
  }

  /** It fits nowhere at first, so it holds no reservation. The id and the time may be the same. */
  @Test
  void newJobMayTakeThePlaceOfTheLastOne() {
    Cluster cluster = on(Scheduler.builder(), 4).pending(job("due", 4, 5));
    cluster.pending(job("z", 1, 5).constraint(new Constraint.Equal("name", "none"))).pass();

    cluster.cancel("z");
    cluster.pending(job("z", 1, 5));

    assertThat(instances(cluster.pass())).containsExactly("z");
  }

  @Test
  void jobThatALimitHoldsUpKeepsItsRoom() {
    Cluster cluster = on(Scheduler.builder(), 8);
    cluster.scheduler().setLimit("licence", 1, cluster.now());
    PlacementSpec licence = PlacementSpec.builder().use("licence", 1).build();
    cluster.running(job("user", 1, 30).placement(licence), "h1");
    cluster.pending(job("due", 7, 5).placement(licence)).pending(job("long", 1, 20)).pass();
    cluster.at(10).completed("r");

    Plan plan = cluster.pass();

    assertThat(plan.actions()).isEmpty();
    assertThat(plan.blockedHead()).contains("due");
  }
}

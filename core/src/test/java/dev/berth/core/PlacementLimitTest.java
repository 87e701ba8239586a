package dev.berth.core;

import static dev.berth.api.plan.Trigger.EMBEDDER;
import static dev.berth.api.plan.Trigger.WAKE_UP;
import static dev.berth.core.Jobs.job;
import static dev.berth.core.Plans.instances;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import dev.berth.api.Reason;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.SchedulingPass;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The most placements of a pass. */
class PlacementLimitTest {

  private static Cluster limited(int most, Backfill backfill) {
    return Cluster.of(Scheduler.builder().maxPlacements(most), parts -> parts.backfill(backfill))
        .host("h1", 9)
        .pending("a", 1)
        .pending("b", 1)
        .pending("c", 1);
  }

  @ParameterizedTest
  @EnumSource
  void passPlacesNoMoreAndTheNextIsDueAtOnce(Backfill backfill) {
    Cluster cluster = limited(2, backfill).at(1);

    assertThat(instances(cluster.pass())).containsExactly("a", "b");
    assertThat(cluster.scheduler().nextPassAt()).hasValue(Cluster.SECOND);
    Plan next = cluster.pass();
    assertThat(next.triggers()).containsExactly(WAKE_UP);
    assertThat(instances(next)).containsExactly("c");
    assertThat(cluster.scheduler().nextPassAt()).isEmpty(); // it was below the limit
    assertThat(cluster.pass().triggers()).containsExactly(EMBEDDER);
  }

  @ParameterizedTest
  @EnumSource(mode = EXCLUDE, names = "NONE")
  void passStopsBehindTheHeadToo(Backfill backfill) {
    Cluster cluster =
        Cluster.of(
                Scheduler.builder().maxPlacements(1),
                parts -> parts.backfill(backfill).filter((instance, host, now) -> Optional.empty()))
            .host("h1", 4)
            .running(job("r", 2, 10), "h1");
    cluster.at(1).pending(job("head", 4, 5));
    cluster.at(2).pending(job("a", 1, 3)).pending(job("b", 1, 3)).pending(job("c", 1, 3));

    assertThat(instances(cluster.pass())).containsExactly("a");
    assertThat(instances(cluster.pass())).containsExactly("b");
    assertThat(instances(cluster.pass())).isEmpty();
  }

  @Test
  void reservationsHoldFromPassToPassOfOneTime() {
    Cluster cluster =
        Cluster.of(
                Scheduler.builder().maxPlacements(1),
                parts -> parts.backfill(Backfill.CONSERVATIVE))
            .host("h1", 4)
            .running(job("r", 2, 10), "h1");
    cluster.at(1).pending(job("head", 3, 5)); // from 10 to 15
    cluster.at(2).pending(job("a", 1, 3)); // until 7
    cluster.at(3).pending(job("next", 4, 10)); // from 15
    cluster.at(4).pending(job("late", 1, 20)).pending(job("short", 1, 11)); // until 15

    assertThat(instances(cluster.pass())).containsExactly("a");
    assertThat(instances(cluster.pass())).containsExactly("short");
    assertThat(instances(cluster.pass())).isEmpty();
  }

  @Test
  void victimsAreNotCounted() {
    Cluster cluster =
        Cluster.of(
                Scheduler.builder().maxPlacements(1),
                parts -> parts.preemption(TestParts.latestFirst(), TestParts.LESS_IMPORTANT))
            .host("h1", 2)
            .running("b1", "bronze", 1, "h1")
            .running("b2", "bronze", 1, "h1")
            .pending("g1", "gold", 2)
            .pending("g2", "gold", 1);

    Plan plan = cluster.pass();
    assertThat(instances(plan)).containsExactly("g1");
    assertThat(plan.preemptions()).hasSize(2);
  }

  private static Cluster twoPendingByHand() {
    return Cluster.byHand(Scheduler.builder().maxPlacements(1))
        .host("h1", 2)
        .pending("a", 1)
        .pending("b", 1);
  }

  @Test
  void everyPolicyIsLimited() {
    Cluster cluster = twoPendingByHand();

    Plan plan =
        cluster.pass(
            pass -> {
              place(pass, "a");
              Reason full = new Reason.PassFull(1);
              assertThat(
                      pass.obstacle(
                          pass.instance("b").orElseThrow(),
                          pass.host("h1").orElseThrow(),
                          List.of()))
                  .contains(full);
              assertThat(place(pass, "b").refusal()).contains(full);
            });
    assertThat(plan.policyErrors()).isEmpty();
  }

  @Test
  void placementsOfADiscardedForkDoNotCount() {
    Cluster cluster = twoPendingByHand();

    Plan plan =
        cluster.pass(
            pass -> {
              try (SchedulingPass.Fork fork = pass.fork()) {
                place(fork, "a");
              }
              assertThat(place(pass, "b").accepted()).isTrue();
            });
    assertThat(instances(plan)).containsExactly("b");
  }

  @Test
  void refusesALimitBelowOne() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Scheduler.builder().maxPlacements(0))
        .withMessage("placements of a pass were limited to 0, must be 1 or more.");
  }

  private static Outcome place(SchedulingPass pass, String id) {
    return pass.place(pass.instance(id).orElseThrow(), pass.host("h1").orElseThrow());
  }

  @Test
  void preemptionsAndOtherActionsAreNoPlacements() {
    Cluster cluster =
        Cluster.byHand(Scheduler.builder().maxPlacements(2))
            .host("h1", 4)
            .running("v", "bronze", 2, "h1")
            .running("r", 2, "h1");
    cluster.pending("a", 1).pending("b", 1).pending("c", 1);
    Reason why = new Reason.PolicyChoice("test", "because");

    cluster.pass(
        pass -> {
          assertThat(pass.suspend(cluster.instance("r"), why).accepted()).isTrue();
          assertThat(
                  pass.place(
                          cluster.instance("a"), cluster.host("h1"), List.of(cluster.instance("v")))
                      .accepted())
              .isTrue();
          assertThat(pass.place(cluster.instance("b"), cluster.host("h1")).accepted()).isTrue();
          assertThat(pass.place(cluster.instance("c"), cluster.host("h1")).refusal())
              .contains(new Reason.PassFull(2));
        });
  }
}

package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Constraint;
import dev.berth.api.Drain;
import dev.berth.api.Drain.AtDeadline;
import dev.berth.api.Drain.Order;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class DrainTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "for a test");

  private static List<String> words(Plan plan) {
    return plan.actions().stream().map(Action::describe).toList();
  }

  /** A host to drain with instances of three classes, which run for 3, 2 and 1 seconds. */
  private static Cluster three(double elsewhere) {
    Cluster cluster = Cluster.byHand().host("h1", 6);
    cluster.starting("gold", "gold", 2, "h1");
    cluster.starting("silver", "silver", 2, "h1");
    cluster.starting("bronze", "bronze", 2, "h1");
    cluster.at(1).started("silver").at(2).started("bronze").at(3).started("gold").at(4);
    if (elsewhere > 0) {
      cluster.host("h2", elsewhere);
    }
    cluster.pass();
    return cluster;
  }

  @Nested
  class Waiting {

    @ParameterizedTest
    @MethodSource("dev.berth.core.CordonTest#pipelines")
    void instancesEndAndTheHostIsDrained(UnaryOperator<PipelineBuilder> parts) {
      Cluster cluster = Cluster.of(parts).host("h1", 4).running("a", 2, "h1");
      cluster.drained("h1", Drain.waiting()).host("h2", 4).pending("b", 2);

      assertThat(Plans.placements(cluster.pass())).containsExactly("b on h2");
      assertThat(cluster.host("h1").closed()).contains(new Reason.Draining(empty()));
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();

      cluster.completed("a");

      assertThat(cluster.host("h1").closed()).contains(new Reason.Drained());
      assertThat(cluster.pending("c", 4).pass().actions()).isEmpty();

      cluster.uncordoned("h1");

      assertThat(cluster.host("h1").closed()).isEmpty();
      assertThat(Plans.placements(cluster.pass())).containsExactly("c on h1");
    }

    @ParameterizedTest
    @EnumSource
    void atTheDeadlineAllAreEvicted(Order order) {
      Cluster cluster = three(10).drained("h1", Drain.waiting().until(seconds(9)).inOrder(order));
      assertThat(cluster.pass().triggers()).containsExactly(Trigger.HOST_CHANGED);
      assertThat(cluster.scheduler().nextPassAt()).hasValue(seconds(9));
      assertThat(cluster.at(8).pass().actions()).isEmpty();

      Plan plan = cluster.at(9).pass();

      assertThat(plan.triggers()).containsExactly(Trigger.EXPIRY);
      List<String> expected =
          switch (order) {
            case LEAST_IMPORTANT_FIRST -> List.of("bronze", "silver", "gold");
            case MOST_IMPORTANT_FIRST -> List.of("gold", "silver", "bronze");
            case LONGEST_RUNNING_FIRST -> List.of("silver", "bronze", "gold");
          };
      assertThat(plan.actions())
          .isEqualTo(
              expected.stream()
                  .map(id -> new Action.Evict(id, "h1", new Reason.HostDrained("h1", true)))
                  .toList());
      assertThat(cluster.host("h1").closed()).contains(new Reason.Drained());
      assertThat(cluster.host("h1").instances()).isEmpty();
      assertThat(cluster.instance("gold").preemptions()).isZero();
      assertThat(cluster.instance("gold").serviceTime(seconds(20))).isEqualTo(seconds(6));
      assertThat(cluster.scheduler().nextPassAt()).as("to place them").hasValue(seconds(9));
      assertThat(cluster.pass().triggers()).containsExactly(Trigger.WAKE_UP);
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
    }

    @Test
    void theNextStartCountsAsARestart() {
      Cluster cluster = three(6).drained("h1", Drain.waiting().until(seconds(4)));
      cluster.pass();
      cluster.place("gold", "h2").at(7).started("gold");

      assertThat(cluster.instance("gold").restartOverhead()).isEqualTo(seconds(3));
      assertThat(cluster.instance("gold").placements()).isEqualTo(2);
      assertThat(cluster.instance("gold").preemptions()).isZero();
    }

    @Test
    void aPolicyMayMoveThemEarlier() {
      Cluster cluster = three(2).drained("h1", Drain.waiting());

      cluster.pass(
          pass ->
              assertThat(
                      pass.migrate(
                              cluster.instance("gold"), cluster.host("h2"), Cluster.cores(2), WHY)
                          .accepted())
                  .isTrue());

      assertThat(cluster.instance("gold").host()).contains(cluster.host("h2"));
    }

    @Test
    void evictsInEveryState() {
      Cluster cluster = Cluster.byHand().host("h1", 6);
      cluster.starting("starts", "gold", 1, "h1").running("runs", 1, "h1");
      cluster.running("paused", 1, "h1").running("suspended", 1, "h1");
      cluster.pass(
          pass -> {
            pass.pause(cluster.instance("paused"), WHY);
            pass.suspend(cluster.instance("suspended"), WHY);
          });

      Plan plan = cluster.drained("h1", Drain.waiting().until(0)).pass();

      assertThat(plan.actions()).hasSize(4).allMatch(Action.Evict.class::isInstance);
      assertThat(cluster.host("h1").instances()).isEmpty();
      assertThat(cluster.scheduler().pendingCount()).isEqualTo(4);
    }

    @Test
    void orTheyStay() {
      Cluster cluster =
          three(10).drained("h1", Drain.waiting().until(seconds(5)).atDeadline(AtDeadline.STAY));

      assertThat(cluster.at(5).pass().actions()).isEmpty();
      assertThat(cluster.at(6).pass().actions()).isEmpty();
      assertThat(cluster.host("h1").closed())
          .contains(new Reason.Draining(OptionalLong.of(seconds(5))));
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
    }
  }

  @Nested
  class Moving {

    @Test
    void whatFitsElsewhereMigratesAtOnce() {
      Cluster cluster = three(10).drained("h1", Drain.moving());

      Plan plan = cluster.pass();

      assertThat(words(plan))
          .containsExactly(
              "migrate bronze from h1 to h2 with cpu 2",
              "migrate silver from h1 to h2 with cpu 2",
              "migrate gold from h1 to h2 with cpu 2");
      assertThat(cluster.host("h1").closed()).contains(new Reason.Drained());
      assertThat(cluster.instance("gold").serviceTime(seconds(4))).isEqualTo(seconds(1));
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void theFirstInOrderGetTheRoom(Order order) {
      Cluster cluster = three(3).drained("h1", Drain.moving().inOrder(order));

      assertThat(words(cluster.pass()))
          .containsExactly(
              "migrate %s from h1 to h2 with cpu 2"
                  .formatted(
                      switch (order) {
                        case LEAST_IMPORTANT_FIRST -> "bronze";
                        case MOST_IMPORTANT_FIRST -> "gold";
                        case LONGEST_RUNNING_FIRST -> "silver";
                      }));
      assertThat(cluster.pass().actions()).isEmpty();
      assertThat(cluster.host("h1").closed()).contains(new Reason.Draining(empty()));

      cluster.host("h3", 2);

      assertThat(cluster.pass().actions()).hasSize(1);
    }

    @Test
    void whatFitsNowhereStaysUntilTheDeadline() {
      Cluster cluster = three(1).drained("h1", Drain.moving().until(seconds(9)));

      assertThat(cluster.pass().actions()).isEmpty();
      assertThat(cluster.scheduler().nextPassAt()).hasValue(seconds(9));

      Plan plan = cluster.at(9).pass();

      assertThat(plan.actions()).hasSize(3).allMatch(Action.Evict.class::isInstance);
    }

    @Test
    void atTheDeadlineWhatFitsStillMigrates() {
      Cluster cluster = three(2).drained("h1", Drain.moving().until(seconds(4)));

      assertThat(words(cluster.pass()))
          .containsExactly(
              "migrate bronze from h1 to h2 with cpu 2",
              "evict silver from h1: the drain of h1 has reached its deadline",
              "evict gold from h1: the drain of h1 has reached its deadline");
    }

    @Test
    void afterTheDeadlineNothingMovesIfTheyStay() {
      Cluster cluster =
          three(0).drained("h1", Drain.moving().until(seconds(5)).atDeadline(AtDeadline.STAY));
      assertThat(cluster.pass().actions()).isEmpty();

      assertThat(cluster.at(5).host("h2", 6).pass().actions()).isEmpty();
    }

    @Test
    void startingInstancesRestartElsewhere() {
      Cluster cluster = Cluster.byHand().host("h1", 4).starting("a", "gold", 1, "h1").host("h2", 1);

      assertThat(words(cluster.drained("h1", Drain.moving()).pass()))
          .containsExactly("evict a from h1: h1 is draining");
      cluster.place("a", "h2");
    }

    @Test
    void aPipelinePlacesTheEvictedInTheNextPass() {
      Cluster cluster = Cluster.of(parts -> parts).host("h1", 4).pending("a", 1);
      cluster.pass();
      cluster.host("h2", 4).drained("h1", Drain.moving());

      assertThat(words(cluster.pass())).containsExactly("evict a from h1: h1 is draining");
      assertThat(cluster.scheduler().nextPassAt()).hasValue(0);
      assertThat(words(cluster.pass())).containsExactly("place a on h2");
    }

    @Test
    void classesThatCannotMigrateRestart() {
      Cluster cluster = three(4).drained("h1", Drain.moving().restarting("bronze", "silver"));

      assertThat(words(cluster.pass()))
          .as("gold has no room beside those that were evicted for lack of a migration")
          .containsExactly(
              "evict bronze from h1: h1 is draining", "evict silver from h1: h1 is draining");
    }

    @Test
    void pausedAndSuspendedInstancesMigrate() {
      Cluster cluster = Cluster.byHand().host("h1", 4).running("a", 1, "h1").running("b", 1, "h1");
      cluster.pass(
          pass -> {
            pass.pause(cluster.instance("a"), WHY);
            pass.suspend(cluster.instance("b"), WHY);
          });
      cluster.host("h2", 4).drained("h1", Drain.moving());

      assertThat(cluster.pass().actions()).hasSize(2).allMatch(Action.Migrate.class::isInstance);
      assertThat(cluster.host("h1").instances()).isEmpty();
    }

    @Test
    void theHostOfTheBestFitIsChosen() {
      Cluster cluster = Cluster.byHand().host("h1", 2).running("a", 2, "h1");
      cluster.host("h5", 2.5).host("h2", 9).host("h4", 2.5).host("h3", 1);

      assertThat(words(cluster.drained("h1", Drain.moving()).pass()))
          .containsExactly("migrate a from h1 to h4 with cpu 2");
    }

    @Test
    void closedHostsConstraintsAndAntiAffinityAreRespected() {
      Cluster cluster = Cluster.byHand().host("h1", 4, "disk", "ssd");
      cluster.running(
          Cluster.request("a", 1)
              .constraint(new Constraint.Equal("disk", "ssd"))
              .job("web")
              .antiAffinity(true),
          "h1");
      cluster.host("h2", 4).host("h3", 4, "disk", "ssd").host("h4", 4, "disk", "ssd");
      cluster.running(Cluster.request("b", 1).job("web"), "h4");
      cluster.cordoned("h3").drained("h1", Drain.moving());

      assertThat(cluster.pass().actions()).isEmpty();

      assertThat(words(cluster.uncordoned("h3").pass()))
          .containsExactly("migrate a from h1 to h3 with cpu 1");
    }

    @Test
    void filtersOfThePolicyAreRespected() {
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts.filter(
                          (instance, host, now) ->
                              host.id().equals("h2") ? Optional.of(WHY) : Optional.empty()))
              .host("h1", 4)
              .pending("a", 1);
      cluster.pass();
      cluster.started("a").host("h2", 4).drained("h1", Drain.moving());

      assertThat(cluster.pass().actions()).isEmpty();
      assertThat(words(cluster.host("h3", 4).pass()))
          .containsExactly("migrate a from h1 to h3 with cpu 1");
    }

    @Test
    void twoDrainsDoNotCountTheSameRoomTwice() {
      Cluster cluster = Cluster.byHand().host("h1", 4).host("h2", 4);
      cluster.starting("a", "gold", 2, "h1").starting("b", "gold", 2, "h2").host("h3", 3);
      cluster.drained("h2", Drain.moving()).drained("h1", Drain.moving());

      assertThat(words(cluster.pass())).containsExactly("evict a from h1: h1 is draining");
    }
  }

  @Nested
  class Ends {

    @Test
    void uncordoningCancelsADrain() {
      Cluster cluster = three(10).drained("h1", Drain.moving().until(seconds(9)));

      cluster.uncordoned("h1");

      assertThat(cluster.pass().actions()).isEmpty();
      assertThat(cluster.host("h1").closed()).isEmpty();
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
      assertThat(cluster.at(9).pass().actions()).isEmpty();
    }

    @Test
    void aHostLeavesDuringItsDrain() {
      Cluster cluster = three(1).drained("h1", Drain.moving().until(seconds(9)));
      cluster.pass();

      cluster.removed("h1").pass();

      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
      assertThat(cluster.scheduler().pendingCount()).isEqualTo(3);

      cluster.host("h1", 6);

      assertThat(cluster.host("h1").closed()).isEmpty();
      assertThat(cluster.at(10).pass().actions()).isEmpty();
    }

    @Test
    void aSecondDrainReplacesTheFirst() {
      Cluster cluster = three(10).drained("h1", Drain.waiting().until(seconds(5)));
      cluster.pass();

      cluster.drained("h1", Drain.waiting().until(seconds(8)));

      assertThat(cluster.host("h1").closed())
          .contains(new Reason.Draining(OptionalLong.of(seconds(8))));
      assertThat(cluster.at(6).pass().actions()).isEmpty();
      assertThat(cluster.scheduler().nextPassAt()).hasValue(seconds(8));

      cluster.drained("h1", Drain.waiting().until(seconds(8)));

      assertThat(cluster.scheduler().nextPassAt()).as("the same again").hasValue(seconds(8));
      assertThat(cluster.at(8).pass().actions()).hasSize(3);
    }

    @Test
    void aDrainedHostStaysCordonedOnlyIfItIsUncordonedOnce() {
      Cluster cluster = three(10).cordoned("h1").drained("h1", Drain.waiting());
      assertThat(cluster.host("h1").closed()).contains(new Reason.Draining(empty()));

      cluster.uncordoned("h1");

      assertThat(cluster.host("h1").closed()).isEmpty();
    }
  }

  @Nested
  class Refused {

    @Test
    void badEvents() {
      Cluster cluster = three(1);
      Snapshot before = cluster.snapshot();

      assertThatThrownBy(() -> cluster.drained("h9", Drain.moving()))
          .isInstanceOf(EventRefusedException.class)
          .hasMessage("host h9 is drained, but no such host is up.");
      assertThatThrownBy(() -> cluster.at(1).drained("h1", Drain.moving()))
          .isInstanceOf(EventRefusedException.class)
          .hasMessageContaining("host h1 is drained at 1000000000 ns, but time has reached");
      assertThatThrownBy(() -> cluster.at(9).drained("h1", Drain.moving().restarting("wood")))
          .isInstanceOf(EventRefusedException.class)
          .hasMessageContaining("restarts service class wood, which the scheduler does not have");

      assertThat(cluster.snapshot()).isEqualTo(before);
      assertThat(cluster.host("h1").closed()).isEmpty();
    }

    @Test
    void aPolicyThatThrowsUndoesTheDrain() {
      Cluster cluster = three(2).drained("h1", Drain.moving().until(seconds(4)));
      Snapshot before = cluster.snapshot();

      assertThatThrownBy(
              () ->
                  cluster.pass(
                      pass -> {
                        assertThat(cluster.host("h1").instances()).isEmpty();
                        throw new IllegalStateException("a test");
                      }))
          .isInstanceOf(PolicyFailedException.class);

      assertThat(cluster.snapshot()).isEqualTo(before);
      assertThat(cluster.host("h1").closed())
          .contains(new Reason.Draining(OptionalLong.of(seconds(4))));
      assertThat(cluster.scheduler().nextPassAt()).hasValue(seconds(4));
      assertThat(cluster.pass().actions()).hasSize(3);
    }

    @Test
    void aFilterThatThrowsUndoesTheDrain() {
      boolean[] broken = {false};
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts.filter(
                          (instance, host, now) -> {
                            if (broken[0] && host.id().equals("h3")) {
                              throw new IllegalStateException("a test");
                            }
                            return Optional.empty();
                          }))
              .host("h1", 4)
              .pending("a", 1);
      cluster.pass();
      cluster.started("a").host("h2", 1).host("h3", 4).drained("h1", Drain.moving());
      Snapshot before = cluster.snapshot();
      broken[0] = true;

      assertThatThrownBy(cluster::pass).isInstanceOf(PolicyFailedException.class);

      assertThat(cluster.snapshot()).isEqualTo(before);
      broken[0] = false;
      assertThat(cluster.pass().actions()).hasSize(1);
    }

    @Test
    void aPolicyCannotActOnTheEvictedInTheSamePass() {
      Cluster cluster = three(10).drained("h1", Drain.waiting().until(seconds(4)));

      cluster.pass(
          pass -> {
            assertThat(pass.pending()).isEmpty();
            assertThat(pass.place(cluster.instance("gold"), cluster.host("h2")).refusal())
                .contains(new Reason.HostDrained("h1", true));
          });
      assertThat(cluster.pass().policyErrors()).isEmpty();
    }

    @Test
    void actingOnAMovedInstanceIsNoErrorOfThePolicy() {
      Cluster cluster = three(6).drained("h1", Drain.moving()).pending("x", 1);
      cluster
          .scheduler()
          .submit(new BagSpec("bag", List.of(Cluster.request("member", 1).build())), cluster.now());

      Plan plan =
          cluster.pass(
              pass -> {
                Reason why = new Reason.HostDrained("h1", false);
                assertThat(pass.resize(cluster.instance("gold"), Cluster.cores(2), WHY).refusal())
                    .contains(why);
                assertThat(
                        pass.place(
                                cluster.instance("x"),
                                cluster.host("h2"),
                                List.of(cluster.instance("gold")))
                            .refusal())
                    .contains(why);
              });

      assertThat(plan.policyErrors()).isEmpty();
    }
  }

  @Nested
  class Explained {

    @Test
    void whyAnInstanceWasEvictedOrMoved() {
      Cluster cluster = three(2).drained("h1", Drain.moving().until(seconds(4)));
      cluster.pass();

      assertThat(cluster.scheduler().explain().whyAdjusted("gold").map(ActionRecord::describe))
          .hasValueSatisfying(
              text ->
                  assertThat(text)
                      .contains("evict gold from h1")
                      .contains("the drain of h1 has reached its deadline"));
      assertThat(cluster.scheduler().explain().whyMigrated("bronze").map(ActionRecord::why))
          .contains(new Reason.HostDrained("h1", true));
      assertThat(cluster.scheduler().stats().actions())
          .containsEntry("evict", 2L)
          .containsEntry("migrate", 1L);
    }

    @Test
    void whyItWaits() {
      Cluster cluster =
          Cluster.of(parts -> parts).host("h1", 4).host("h2", 4).running("a", 1, "h2");
      cluster.drained("h1", Drain.waiting()).drained("h2", Drain.waiting()).pending("b", 1).pass();

      assertThat(cluster.scheduler().explain().whyPending("b", cluster.now()).describe())
          .isEqualTo("0 of 2 hosts: 1 drained, 1 draining");
    }
  }

  @Test
  void bagsAreMovedWithinTheirCluster() {
    Cluster cluster = Cluster.byHand().host("h1", 4).host("h2", 4);
    cluster.scheduler().submit(new BagSpec("bag", List.of(Cluster.request("t1", 1).build())), 0);
    cluster.place("t1", "h1").started("t1");
    cluster.pass(pass -> pass.assign(pass.bags().get(0), "elsewhere", OptionalLong.empty(), WHY));

    assertThat(cluster.drained("h1", Drain.moving()).pass().actions()).isEmpty();
    assertThat(cluster.instance("t1").state()).isEqualTo(InstanceState.RUNNING);
    assertThat(Set.of(cluster.host("h1").closed().orElseThrow()))
        .containsExactly(new Reason.Draining(empty()));
  }

  private static OptionalLong empty() {
    return OptionalLong.empty();
  }

  private static long seconds(double count) {
    return Math.round(count * Cluster.SECOND);
  }
}

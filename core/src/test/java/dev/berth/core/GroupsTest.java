package dev.berth.core;

import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Drain;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Taint;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.GroupSpec.OnLoss;
import dev.berth.api.batch.GroupStatus;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.event.Event;
import dev.berth.core.snapshot.InstanceData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Groups start together or not at all. */
class GroupsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "because");

  private static final MonotonePreemptionRule LESS_IMPORTANT = TestParts.LESS_IMPORTANT::judge;

  private static GroupSpec group(String id, int minCount, OnLoss onLoss, Request... members) {
    return new GroupSpec(id, List.of(members), minCount, onLoss);
  }

  /** Returns a group of gold members of one core each: {@code g1}, {@code g2} ... */
  private static GroupSpec ofOneCore(int members, int minCount, OnLoss onLoss) {
    List<Request> requests = new ArrayList<>();
    for (int i = 1; i <= members; i++) {
      requests.add(request("g" + i, 1).build());
    }
    return new GroupSpec("g", requests, minCount, onLoss);
  }

  private static Cluster pipeline(UnaryOperator<PipelineBuilder> parts) {
    return Cluster.of(parts);
  }

  private static Cluster preempting() {
    return pipeline(parts -> parts.preemption(TestParts.latestFirst(), LESS_IMPORTANT));
  }

  private static GroupStatus status(Cluster cluster) {
    return cluster.scheduler().group("g").orElseThrow();
  }

  private static List<String> placed(Plan plan) {
    return plan.placements().stream().map(Action.Place::instance).toList();
  }

  private static void place(Cluster cluster, SchedulingPass pass, String id, String host) {
    assertThat(pass.place(cluster.instance(id), cluster.host(host)).refusal()).isEmpty();
  }

  @Nested
  class Submission {

    @Test
    void admitsAllMembersTogether() {
      Cluster cluster = Cluster.byHand().host("h1", 4);

      List<Instance> members =
          cluster.scheduler().submit(ofOneCore(3, 2, OnLoss.RESTORE), cluster.now());

      assertThat(members).extracting(Instance::id).containsExactly("g1", "g2", "g3");
      assertThat(members).allMatch(each -> each.group().equals(Optional.of("g")));
      assertThat(status(cluster)).isEqualTo(new GroupStatus("g", 3, 2, OnLoss.RESTORE, 3, 0, 0));
      assertThat(cluster.scheduler().groups()).containsExactly(status(cluster));
    }

    @Test
    void admitsNoneIfOneIsRefused() {
      Cluster cluster = Cluster.byHand().host("h1", 4).pending("g2", 1);
      Snapshot before = cluster.snapshot();

      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(
              () -> cluster.scheduler().submit(ofOneCore(3, 2, OnLoss.RESTORE), cluster.now()));

      assertThat(cluster.snapshot()).isEqualTo(before);
      assertThat(cluster.scheduler().groups()).isEmpty();
    }

    @Test
    void refusesAnIdInUse() {
      Cluster cluster = Cluster.byHand();
      cluster.scheduler().submit(ofOneCore(1, 1, OnLoss.RESTORE), 0);

      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(
              () ->
                  cluster
                      .scheduler()
                      .submit(group("g", 1, OnLoss.RESTORE, request("x", 1).build()), 0))
          .withMessage("group g is submitted, but a group of that id has not ended.");
    }

    @Test
    void specsAreChecked() {
      Request one = request("a", 1).build();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> group("g", 2, OnLoss.RESTORE, one))
          .withMessage("group g: minCount was 2, must be from 1 to 1, the number of its members.");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> group(" ", 1, OnLoss.RESTORE, one))
          .withMessage("group id was blank.");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> group("g", 1, OnLoss.RESTORE, one, one))
          .withMessage("group g: request a was given twice.");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new GroupSpec("g", List.of()))
          .withMessage("group g has no members.");
      assertThat(new GroupSpec("g", List.of(one)))
          .isEqualTo(new GroupSpec("g", List.of(one), 1, OnLoss.RESTORE));
    }

    @Test
    void endsWithItsLastMember() {
      Cluster cluster = Cluster.byHand().host("h1", 4);
      cluster.scheduler().submit(ofOneCore(2, 1, OnLoss.RESTORE), 0);
      cluster.cancel("g1");
      assertThat(cluster.scheduler().group("g")).isPresent();

      cluster.cancel("g2");

      assertThat(cluster.scheduler().group("g")).isEmpty();
      assertThat(cluster.scheduler().submit(ofOneCore(2, 1, OnLoss.RESTORE), 0)).hasSize(2);
    }

    @Test
    void isCancelledAsAWhole() {
      Cluster cluster = pipeline(parts -> parts).host("h1", 2);
      cluster.scheduler().submit(ofOneCore(3, 2, OnLoss.RESTORE), 0);
      cluster.pass();
      cluster.started("g1").at(5);

      List<InstanceReport> reports = cluster.scheduler().cancelGroup("g", cluster.now());

      assertThat(reports).extracting(InstanceReport::id).containsExactly("g1", "g2", "g3");
      assertThat(reports.get(0).serviceTime()).isEqualTo(5 * Cluster.SECOND);
      assertThat(cluster.scheduler().instances()).isEmpty();
      assertThat(cluster.scheduler().group("g")).isEmpty();
      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> cluster.scheduler().cancelGroup("g", cluster.now()))
          .withMessage("group g is cancelled, but there is no such group, or it has ended.");
    }
  }

  @Nested
  class Starting {

    @Test
    void needsHostsForMinCount() {
      Cluster cluster = pipeline(parts -> parts).host("h1", 2);
      cluster.scheduler().submit(ofOneCore(4, 3, OnLoss.RESTORE), 0);

      assertThat(cluster.pass().actions()).isEmpty();

      Reason why = new Reason.GroupIncomplete("g", 2, 3, true);
      assertThat(cluster.reasonsToWait())
          .containsEntry("g1", why)
          .containsEntry("g4", why)
          .hasSize(4);
      assertThat(why.describe()).isEqualTo("2 of 3 members of group g have a host");
      assertThat(cluster.scheduler().explain().whyPending("g1", 0).describe())
          .isEqualTo(
              "1 of 1 hosts; group g needs 3 members at once: free room for 2 (no more: 1 full (cpu"
                  + " short by 1)), on empty hosts for 2 (no more: 1 full (cpu short by 1)), so it"
                  + " cannot start unless hosts or limits change; the policy says: "
                  + why.describe());

      cluster.host("h2", 1);
      assertThat(placed(cluster.pass())).containsExactly("g1", "g2", "g3");
      assertThat(cluster.pass().actions()).isEmpty();
      cluster.host("h3", 1);
      assertThat(placed(cluster.pass())).containsExactly("g4");
    }

    @Test
    void preemptsOnlyIfItStarts() {
      Cluster cluster =
          preempting()
              .host("h1", 2)
              .running("s1", "silver", 1, "h1")
              .running("s2", "silver", 1, "h1");
      cluster.scheduler().submit(ofOneCore(3, 3, OnLoss.RESTORE), 0);

      assertThat(cluster.pass().actions()).isEmpty();
      assertThat(cluster.instance("s1").state()).isEqualTo(InstanceState.RUNNING);
      assertThat(cluster.instance("s1").preemptions()).isZero();

      cluster.host("h2", 1);
      Plan plan = cluster.pass();
      assertThat(placed(plan)).containsExactlyInAnyOrder("g1", "g2", "g3");
      assertThat(plan.preemptions()).hasSize(2);
    }

    @Test
    void othersGetTheRoomOfAGroupThatDoesNotStart() {
      Cluster cluster = pipeline(parts -> parts).host("h1", 2);
      cluster.scheduler().submit(ofOneCore(3, 3, OnLoss.RESTORE), 0);
      cluster.pending("later", 2);

      assertThat(placed(cluster.pass())).containsExactly("later");
    }

    @Test
    void aLaterMemberMayMakeItStart() {
      Cluster cluster = pipeline(parts -> parts).host("h1", 2);
      cluster
          .scheduler()
          .submit(
              group(
                  "g",
                  2,
                  OnLoss.RESTORE,
                  request("big", 8).build(),
                  request("a", 1).build(),
                  request("b", 1).build()),
              0);

      assertThat(placed(cluster.pass())).containsExactly("a", "b");
    }

    @Test
    void unlikeMembersAreSearchedGreedily() {
      Cluster cluster = pipeline(parts -> parts).host("h1", 2);
      cluster
          .scheduler()
          .submit(
              group("g", 2, OnLoss.RESTORE, request("a", 2).build(), request("b", 1).build()), 0);

      cluster.pass();

      assertThat(cluster.reasonsToWait().get("b").describe())
          .isEqualTo("the greedy search found hosts for 1 of 2 members of group g");
    }

    @Test
    void aPassMayExceedItsLimitForAGroup() {
      Cluster cluster = Cluster.of(Scheduler.builder().maxPlacements(2), parts -> parts);
      cluster.host("h1", 9);
      cluster.scheduler().submit(ofOneCore(5, 4, OnLoss.RESTORE), 0);

      assertThat(placed(cluster.pass())).containsExactly("g1", "g2", "g3", "g4");
      assertThat(cluster.scheduler().nextPassAt()).hasValue(0);
      assertThat(placed(cluster.pass())).containsExactly("g5");
    }

    @Test
    void aCancelledMemberIsNotNeeded() {
      Cluster cluster = pipeline(parts -> parts).host("h1", 2);
      cluster.scheduler().submit(ofOneCore(3, 3, OnLoss.RESTORE), 0);
      cluster.pass();

      cluster.cancel("g2");

      assertThat(status(cluster).required()).isEqualTo(2);
      assertThat(placed(cluster.pass())).containsExactly("g1", "g3");
    }

    @Test
    void completedMembersCount() {
      Cluster cluster = pipeline(parts -> parts).host("h1", 3);
      cluster.scheduler().submit(ofOneCore(3, 3, OnLoss.RELEASE), 0);
      cluster.pass();
      cluster.started("g1").started("g2").started("g3");
      cluster.completed("g1");

      assertThat(status(cluster).required()).isEqualTo(2);
      assertThat(status(cluster).isBroken()).isFalse();
      assertThat(cluster.pass().actions()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void everyQueueDisciplineStartsItAsAWhole(Backfill backfill) {
      Cluster cluster = pipeline(parts -> parts.backfill(backfill)).host("h1", 2);
      cluster.scheduler().submit(ofOneCore(3, 3, OnLoss.RESTORE), 0);
      cluster.at(1).pending("later", 1);

      Plan first = cluster.pass();

      assertThat(placed(first))
          .isEqualTo(backfill == Backfill.AGGRESSIVE ? List.of("later") : List.of());
      assertThat(cluster.reasonsToWait().get("g1"))
          .isEqualTo(new Reason.GroupIncomplete("g", 2, 3, true));
      cluster.host("h2", 2);
      assertThat(placed(cluster.pass())).contains("g1", "g2", "g3");
    }

    @Test
    void conservativeBackfillingTriesAGroupInItsTurn() {
      Cluster cluster =
          pipeline(parts -> parts.backfill(Backfill.CONSERVATIVE))
              .host("h1", 2)
              .running("r", 1, "h1")
              .pending("big", 2);
      cluster.scheduler().submit(ofOneCore(2, 2, OnLoss.RESTORE), 0);
      assertThat(cluster.pass().actions()).isEmpty();
      assertThat(cluster.pass().actions()).isEmpty();
      cluster.completed("r");
      assertThat(placed(cluster.pass())).containsExactly("big");
      cluster.started("big");
      cluster.completed("big");

      assertThat(placed(cluster.pass())).containsExactly("g1", "g2");
    }
  }

  @Nested
  class Loss {

    private Cluster running(OnLoss onLoss, int minCount) {
      Cluster cluster = pipeline(parts -> parts).host("h1", 2).host("h2", 1);
      cluster.scheduler().submit(ofOneCore(3, minCount, onLoss), 0);
      cluster.pass();
      return cluster.started("g1").started("g2").started("g3").at(1);
    }

    @Test
    void restoreStartsLostMembersOneByOne() {
      Cluster cluster = running(OnLoss.RESTORE, 3);
      cluster.removed(cluster.instance("g1").host().orElseThrow().id());
      assertThat(status(cluster).isBroken()).isTrue();

      assertThat(cluster.pass().actions()).isEmpty();
      cluster.host("h3", 1);

      assertThat(placed(cluster.pass())).hasSize(1);
    }

    @Test
    void releaseEvictsTheOthersAndStartsAllAgain() {
      Cluster cluster = running(OnLoss.RELEASE, 3);
      cluster.failed("g2");

      Plan plan = cluster.pass();

      Reason why = new Reason.GroupBroken("g", 2, 3);
      assertThat(plan.actions())
          .filteredOn(Action.Evict.class::isInstance)
          .extracting(each -> ((Action.Evict) each).instance())
          .containsExactly("g1", "g3");
      assertThat(plan.actions())
          .filteredOn(Action.Evict.class::isInstance)
          .allMatch(each -> ((Action.Evict) each).why().equals(why));
      assertThat(why.describe())
          .isEqualTo("group g has 2 of 3 members on hosts, so it starts again");
      assertThat(placed(plan)).isEmpty();
      assertThat(cluster.scheduler().nextPassAt()).hasValue(cluster.now());
      assertThat(placed(cluster.pass())).containsExactly("g1", "g2", "g3");
    }

    @Test
    void aGroupWithEnoughMembersIsNotReleased() {
      Cluster cluster = running(OnLoss.RELEASE, 2);
      cluster.failed("g2");

      assertThat(placed(cluster.pass())).containsExactly("g2");
    }

    @Test
    void aGroupThatLostAllStartsTogether() {
      Cluster cluster = running(OnLoss.RESTORE, 3);
      cluster.removed("h1").removed("h2").host("h4", 2);

      assertThat(cluster.pass().actions()).isEmpty();
      cluster.host("h5", 1);
      assertThat(placed(cluster.pass())).hasSize(3);
    }

    @Test
    void victimsOfADirectPolicyBreakNoGroup() {
      Cluster cluster = Cluster.byHand().host("h1", 1).host("h2", 1).host("h3", 1);
      cluster.scheduler().submit(ofOneCore(3, 3, OnLoss.RESTORE), 0);
      cluster.pass(
          pass -> List.of("1", "2", "3").forEach(i -> place(cluster, pass, "g" + i, "h" + i)));
      cluster.at(1).pending("x", 1);

      cluster.pass(
          pass -> {
            Instance x = cluster.instance("x");
            Instance g1 = cluster.instance("g1");
            Instance g2 = cluster.instance("g2");
            Instance g3 = cluster.instance("g3");
            assertThat(pass.place(x, cluster.host("h1"), List.of(g1, g2)).refusal())
                .contains(
                    new Reason.WrongSubject(
                        "group",
                        "g",
                        "must keep 3 of its 3 members on hosts or lose all to another, victims are"
                            + " 2"));
            assertThat(pass.place(x, cluster.host("h1"), List.of(g2, g3)).accepted()).isFalse();
            assertThat(pass.place(x, cluster.host("h1"), List.of(g3, g1, g2)).accepted()).isTrue();
          });

      assertThat(status(cluster).onHosts()).isZero();
    }

    @Test
    void aGroupIsPreemptedAsAWhole() {
      Cluster cluster = preempting().host("h1", 2);
      cluster
          .scheduler()
          .submit(
              group(
                  "g",
                  2,
                  OnLoss.RELEASE,
                  request("a", "silver", 1).build(),
                  request("b", "silver", 1).build()),
              0);
      cluster.pass();
      cluster.started("a").started("b").at(1).pending("gold", 1);

      assertThat(cluster.pass().preemptions()).hasSize(2);
    }

    @Test
    void aDrainMayBreakAGroup() {
      Cluster cluster = running(OnLoss.RELEASE, 3);
      cluster.drained(
          "h2", Drain.moving().until(2 * Cluster.SECOND).atDeadline(Drain.AtDeadline.EVICT));
      assertThat(cluster.pass().actions()).isEmpty();
      cluster.at(2);

      assertThat(cluster.pass().actions()).hasSize(1);
      assertThat(cluster.pass().actions()).hasSize(2);
      cluster.host("h3", 1);
      assertThat(placed(cluster.pass())).hasSize(3);
    }

    @Test
    void rejectingOnePlacementIsALoss() {
      Cluster cluster = pipeline(parts -> parts).host("h1", 2).host("h2", 1);
      cluster.scheduler().submit(ofOneCore(3, 3, OnLoss.RELEASE), 0);
      Plan plan = cluster.pass();

      cluster.scheduler().rejected(new ActionId(plan.pass(), 1), "no", 0);

      assertThat(status(cluster).isBroken()).isTrue();
      assertThat(cluster.pass().actions())
          .hasSize(2)
          .allMatch(each -> each instanceof Action.Evict);
      assertThat(placed(cluster.pass())).hasSize(3);
    }
  }

  @Nested
  class PoliciesThatPlaceDirectly {

    private final Cluster cluster = Cluster.byHand().host("h1", 2).host("h2", 1);

    @Test
    void mayPlaceAllMembers() {
      cluster.scheduler().submit(ofOneCore(3, 2, OnLoss.RESTORE), 0);

      Plan plan =
          cluster.pass(
              pass -> {
                place(cluster, pass, "g3", "h1");
                place(cluster, pass, "g1", "h2");
                assertThat(pass.group("g").orElseThrow().onHosts()).isEqualTo(2);
                assertThat(pass.group("none")).isEmpty();
              });

      assertThat(placed(plan)).containsExactly("g3", "g1");
      assertThat(placed(cluster.pass(pass -> place(cluster, pass, "g2", "h1"))))
          .containsExactly("g2");
    }

    @Test
    void tooFewAreUndoneWithTheirVictims() {
      cluster.running("r1", 1, "h2");
      cluster.scheduler().submit(ofOneCore(3, 2, OnLoss.RESTORE), 0);
      cluster.pending("p1", 1).pending("p2", 1);

      Plan plan =
          cluster.pass(
              pass -> {
                place(cluster, pass, "p1", "h1");
                pass.defer(cluster.instance("p2"), WHY);
                pass.place(
                    cluster.instance("g1"), cluster.host("h2"), List.of(cluster.instance("r1")));
                place(cluster, pass, "p2", "h1");
                pass.wakeAt(9 * Cluster.SECOND);
              });

      assertThat(plan.actions()).hasSize(2);
      assertThat(placed(plan)).containsExactly("p1", "p2");
      assertThat(cluster.instance("r1").state()).isEqualTo(InstanceState.RUNNING);
      assertThat(cluster.instance("g1").placements()).isZero();
      assertThat(plan.deferrals().get("g1"))
          .isEqualTo(new Reason.GroupIncomplete("g", 1, 2, false));
      assertThat(cluster.scheduler().nextPassAt()).hasValue(9 * Cluster.SECOND);
    }

    @Test
    void laterActionsThatBecomeImpossibleAreDropped() {
      cluster.running("r1", 1, "h2");
      cluster.scheduler().submit(ofOneCore(2, 2, OnLoss.RESTORE), 0);
      cluster
          .scheduler()
          .submit(
              group("f", 2, OnLoss.RESTORE, request("f1", 0.5).build(), request("f2", 1).build()),
              0);

      Plan plan =
          cluster.pass(
              pass -> {
                pass.place(
                    cluster.instance("g1"), cluster.host("h2"), List.of(cluster.instance("r1")));
                pass.reject(cluster.instance("f2"), WHY);
                pass.pause(cluster.instance("r1"), WHY);
              });

      assertThat(plan.actions()).hasSize(1);
      assertThat(cluster.scheduler().group("f").orElseThrow().required()).isEqualTo(1);
      plan =
          cluster.pass(
              pass -> {
                pass.place(
                    cluster.instance("g1"), cluster.host("h2"), List.of(cluster.instance("r1")));
                // has room only because r1 left
                assertThat(pass.place(cluster.instance("f1"), cluster.host("h1")).accepted())
                    .isTrue();
              });
      assertThat(placed(plan)).containsExactly("f1");
    }

    @Test
    void oneUndoneGroupMayUndoAnother() {
      cluster.running("r1", 1, "h2");
      cluster
          .scheduler()
          .submit(
              group("g", 2, OnLoss.RESTORE, request("g1", 0.5).build(), request("g2", 1).build()),
              0);
      cluster
          .scheduler()
          .submit(
              group("f", 2, OnLoss.RESTORE, request("f1", 0.5).build(), request("f2", 1).build()),
              0);

      Plan plan =
          cluster.pass(
              pass -> {
                pass.place(
                    cluster.instance("g1"), cluster.host("h2"), List.of(cluster.instance("r1")));
                place(cluster, pass, "f1", "h2"); // beside g1, where r1 was
                place(cluster, pass, "f2", "h1");
              });

      assertThat(plan.actions()).isEmpty();
      assertThat(plan.deferrals()).containsKeys("g1", "g2", "f1", "f2");
      assertThat(cluster.instance("r1").state()).isEqualTo(InstanceState.RUNNING);
    }

    /** Acts in every way, perhaps after it has placed one of two members that must start. */
    private static Plan actInEveryWay(Cluster cluster, boolean withGroup) {
      cluster.host("h1", 4).host("h2", 2).host("h3", 2);
      Scheduler scheduler = cluster.scheduler();
      scheduler.offerPool(new PoolSpec("pool", Cluster.cores(1), 5), 0);
      scheduler.submit(new BagSpec("kept", List.of(request("k", 1).build())), 0);
      scheduler.submit(new BagSpec("over", List.of(request("o", 1).build())), 0);
      List.of("a", "b", "c", "d", "e", "f").forEach(each -> cluster.running(each, 0.5, "h1"));
      cluster.running("v", "bronze", 2, "h2");
      cluster.pass(
          pass -> {
            pass.provision(pass.pools().get(0), 1, Optional.empty(), OptionalLong.empty(), WHY);
            pass.pause(cluster.instance("d"), WHY);
            pass.suspend(cluster.instance("e"), WHY);
          });
      scheduler.submit(ofOneCore(2, 2, OnLoss.RESTORE), 0);
      cluster.pending(Jobs.moldable("p", 2, 9)).pending("q", 0.5).pending("late", 0.1);
      return cluster.pass(
          pass -> {
            if (withGroup) {
              place(cluster, pass, "g1", "h3");
            }
            pass.resize(cluster.instance("a"), Cluster.cores(0.6), WHY);
            pass.pause(cluster.instance("b"), WHY);
            pass.suspend(cluster.instance("c"), WHY);
            pass.resume(cluster.instance("d"), Cluster.cores(0.5), WHY);
            pass.resume(cluster.instance("e"), Cluster.cores(0.5), WHY);
            pass.migrate(cluster.instance("f"), cluster.host("h3"), Cluster.cores(0.5), WHY);
            pass.place(
                cluster.instance("p"),
                cluster.host("h2"),
                List.of(cluster.instance("v")),
                Cluster.cores(1.5));
            place(cluster, pass, "q", "h1");
            pass.reject(cluster.instance("late"), WHY);
            pass.release(pass.pools().get(0).starting().get(0), WHY);
            pass.provision(pass.pools().get(0), 2, Optional.of("x"), OptionalLong.empty(), WHY);
            pass.assign(pass.bags().get(0), "x", OptionalLong.empty(), WHY);
            pass.cancel(pass.bags().get(1), WHY);
            pass.defer(cluster.instance("k"), WHY);
            pass.defer(pass.bags().get(0), WHY);
          });
    }

    @Test
    void theSameActionsFollowWithAndWithoutTheGroup() {
      Cluster plain = Cluster.byHand();
      Plan without = actInEveryWay(plain, false);

      Cluster undoing = Cluster.byHand();
      Plan with = actInEveryWay(undoing, true);

      assertThat(without.actions()).hasSize(14);
      assertThat(with.actions()).isEqualTo(without.actions());
      assertThat(without.deferrals()).containsOnlyKeys("k");
      assertThat(with.deferrals()).containsAllEntriesOf(without.deferrals()).hasSize(3);
      assertThat(with.bagDeferrals()).isEqualTo(without.bagDeferrals()).containsOnlyKeys("kept");
      assertThat(undoing.snapshot().hosts()).isEqualTo(plain.snapshot().hosts());
      assertThat(undoing.snapshot().instances()).isEqualTo(plain.snapshot().instances());
      assertThat(undoing.snapshot().pools()).isEqualTo(plain.snapshot().pools());
      assertThat(undoing.snapshot().bags()).isEqualTo(plain.snapshot().bags());
    }

    /** What the engine did before the policy ran is not done twice, and not undone. */
    @Test
    void evictionsBeforeTheGroupStay() {
      Taint taint = Taint.leaveAfter("gpu", "broken", Duration.ofSeconds(10));
      cluster.running("r1", 1, "h2");
      HostSpec broken = new HostSpec("h2", Cluster.cores(1), Map.of("name", "h2"));
      cluster.scheduler().changeHost(broken.withTaints(taint), 0);
      cluster.scheduler().submit(ofOneCore(2, 2, OnLoss.RESTORE), 0);

      Plan plan = cluster.at(10).pass(pass -> place(cluster, pass, "g1", "h1"));

      assertThat(plan.actions()).hasSize(1).hasOnlyElementsOfType(Action.Evict.class);
      assertThat(cluster.instance("r1").state()).isEqualTo(InstanceState.PENDING);
    }

    /** The pipeline reserves for {@code head} after the policy has placed a member by hand. */
    @Test
    void reservationsAfterTheGroupHold() {
      Cluster reserving =
          Cluster.withPolicy(
              Scheduler.builder(),
              context -> {
                Policy pipeline = context.pipeline().backfill(Backfill.CONSERVATIVE).build();
                return new Stateless(
                    pass -> {
                      if (pass.instance("g1").isPresent()) {
                        pass.place(pass.instance("g1").get(), pass.host("h2").orElseThrow());
                      }
                      pipeline.schedule(pass);
                    });
              });
      reserving.host("h1", 4).host("h2", 1).running(Jobs.job("r", 4, 10), "h1");
      reserving.pending(Jobs.job("head", 4, 5));
      reserving.at(1).scheduler().submit(ofOneCore(3, 3, OnLoss.RESTORE), reserving.now());

      assertThat(reserving.pass().actions()).isEmpty();

      assertThat(reserving.snapshotData().instances())
          .filteredOn(each -> each.promised().isPresent())
          .extracting(InstanceData::id)
          .containsExactly("head");
    }

    @Test
    void theLimitOfAPassAllowsToCompleteAGroup() {
      Cluster limited = Cluster.byHand(Scheduler.builder().maxPlacements(1)).host("h1", 4);
      limited.scheduler().submit(ofOneCore(3, 2, OnLoss.RESTORE), 0);

      Plan plan =
          limited.pass(
              pass -> {
                place(limited, pass, "g1", "h1");
                place(limited, pass, "g2", "h1");
                assertThat(pass.place(limited.instance("g3"), limited.host("h1")).refusal())
                    .contains(new Reason.PassFull(1));
              });

      assertThat(placed(plan)).containsExactly("g1", "g2");
    }
  }

  @Nested
  class Questions {

    @Test
    void aGroupCanBeSupposed() {
      Cluster cluster = pipeline(parts -> parts).host("h1", 2).pending("p", 1);
      long digest = cluster.scheduler().digest();

      Plan without =
          cluster
              .scheduler()
              .whatIf()
              .suppose(new Event.GroupSubmitted(ofOneCore(3, 3, OnLoss.RESTORE)))
              .plan(0)
              .plan();
      Plan with =
          cluster
              .scheduler()
              .whatIf()
              .suppose(new Event.GroupSubmitted(ofOneCore(3, 3, OnLoss.RESTORE)))
              .suppose(new Event.HostAdded(new HostSpec("h2", Cluster.cores(2))))
              .plan(0)
              .plan();

      assertThat(placed(without)).containsExactly("p");
      assertThat(placed(with)).containsExactlyInAnyOrder("p", "g1", "g2", "g3");
      assertThat(cluster.scheduler().digest()).isEqualTo(digest);
      assertThat(cluster.scheduler().groups()).isEmpty();
    }

    @Test
    void theEndOfMembersCanBeSupposed() {
      Cluster cluster = pipeline(parts -> parts).host("h1", 2);
      cluster.scheduler().submit(ofOneCore(3, 3, OnLoss.RESTORE), 0);
      cluster.pass();
      long digest = cluster.scheduler().digest();
      GroupStatus before = status(cluster);

      Plan plan = cluster.scheduler().whatIf().suppose(new Event.Cancelled("g2")).plan(0).plan();
      WhatIf allEnd = cluster.scheduler().whatIf();
      Stream.of("g2", "g1", "g3").map(Event.Cancelled::new).forEach(allEnd::suppose);
      allEnd.plan(0);

      assertThat(placed(plan)).containsExactly("g1", "g3");
      assertThat(cluster.scheduler().digest()).isEqualTo(digest);
      assertThat(status(cluster)).isEqualTo(before);
    }

    @Test
    void hostsNeededCountsTheWholeGroup() {
      Cluster cluster = pipeline(parts -> parts).host("h1", 2);
      cluster.scheduler().submit(ofOneCore(4, 4, OnLoss.RESTORE), 0);

      assertThat(
              cluster
                  .scheduler()
                  .whatIf()
                  .hostsNeeded(new HostSpec("n", Cluster.cores(1)), List.of("g1"), 5, 0))
          .hasValue(2);
    }
  }

  @Nested
  class Memory {

    @Test
    void aSnapshotKeepsGroups() {
      UnaryOperator<PipelineBuilder> parts = each -> each;
      Cluster cluster = pipeline(parts).host("h1", 3);
      cluster.scheduler().submit(ofOneCore(4, 3, OnLoss.RELEASE), 0);
      cluster.pass();
      cluster.started("g1").started("g2").started("g3");
      cluster.completed("g3");
      cluster
          .scheduler()
          .submit(group("f", 1, OnLoss.RESTORE, request("f1", 9).build()), cluster.now());

      Scheduler restored =
          Scheduler.builder()
              .policy("test", context -> parts.apply(context.pipeline()).build())
              .restore(cluster.scheduler().snapshot())
              .build();

      assertThat(restored.groups()).isEqualTo(cluster.scheduler().groups());
      assertThat(restored.digest()).isEqualTo(cluster.scheduler().digest());
      assertThat(restored.snapshot()).isEqualTo(cluster.scheduler().snapshot());
      for (Scheduler each : List.of(restored, cluster.scheduler())) {
        each.failed("g1", 1);
      }
      assertThat(restored.schedule(2).digest()).isEqualTo(cluster.scheduler().schedule(2).digest());
    }

    @Test
    void aRejectedMemberComesBackIfTheRejectionIsUndone() {
      Cluster cluster = Cluster.byHand().host("h1", 4);
      cluster.scheduler().submit(ofOneCore(2, 2, OnLoss.RESTORE), 0);
      GroupStatus before = status(cluster);
      long digest = cluster.scheduler().digest();
      Plan plan =
          cluster.pass(
              pass ->
                  Stream.of("g1", "g2").forEach(each -> pass.reject(cluster.instance(each), WHY)));
      assertThat(cluster.scheduler().group("g")).isEmpty();

      cluster.scheduler().rejected(new ActionId(plan.pass(), 1), "no", 0);
      assertThat(status(cluster).required()).isEqualTo(1);
      cluster.scheduler().rejected(new ActionId(plan.pass(), 0), "no", 0);

      assertThat(status(cluster)).isEqualTo(before);
      assertThat(cluster.scheduler().instances())
          .extracting(Instance::id)
          .containsExactly("g1", "g2");
      assertThat(digest).isNotZero();
    }
  }
}

package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Dimension;
import dev.berth.api.Drain;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Rejection;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.decision.Decision;
import dev.berth.core.decision.DecisionListener;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.StaleReportException;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.state.ClusterState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Actions that a fleet could not carry out are undone, with exactly those that depend on them. */
class RejectionTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "a test");
  private static final OptionalLong NEVER = OptionalLong.empty();

  private final Cluster cluster = Cluster.byHand().host("h1", 4).host("h2", 4);
  private final Scheduler scheduler = cluster.scheduler();

  private Rejection rejected(ActionId id) {
    return scheduler.rejected(id, "no room on disk", cluster.now());
  }

  private static List<String> words(Rejection rejection) {
    return rejection.undone().stream()
        .map(each -> each.id().pass() + ": " + each.action().describe())
        .toList();
  }

  private void assertNotOpen(ActionId id) {
    Snapshot before = cluster.snapshot();
    long stale = scheduler.stats().staleReports();
    assertThatExceptionOfType(StaleReportException.class)
        .isThrownBy(() -> rejected(id))
        .withMessageContaining("is rejected, but it is not open");
    assertThat(cluster.snapshot()).isEqualTo(before);
    assertThat(scheduler.stats().staleReports()).isEqualTo(stale + 1);
  }

  /** The plan that preempts a for b on h1, at 20 s. */
  private Plan preempting() {
    cluster.running("a", "bronze", 3, "h1").at(20).pending("b", 4);
    return place("b", "h1", "a");
  }

  private Plan place(String instance, String host, String... victims) {
    return cluster.pass(
        pass ->
            assertThat(
                    pass.place(
                            cluster.instance(instance),
                            cluster.host(host),
                            List.of(victims).stream().map(cluster::instance).toList())
                        .refusal())
                .isEmpty());
  }

  private Plan pass(Consumer<SchedulingPass> actions) {
    return cluster.pass(actions);
  }

  private int openActions() {
    return StateDump.state(scheduler).openActions().size();
  }

  @Test
  void refusesToReturnMoreThanCanBeCounted() {
    Resources most = Resources.of(Dimension.CPU, Long.MAX_VALUE);
    cluster.host("large", most);
    List<ActionId> preemptions = new ArrayList<>();
    cluster.running(Request.builder("r0", "gold").demand(most), "large");
    for (int i = 1; i <= 3; i++) {
      scheduler.submit(Request.builder("r" + i, "gold").demand(most).build(), cluster.now());
      preemptions.add(place("r" + i, "large", "r" + (i - 1)).id(0));
      cluster.started("r" + i);
    }
    rejected(preemptions.get(0)); // twice the capacity can be counted
    Snapshot before = cluster.snapshot();

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> rejected(preemptions.get(1)))
        .withMessage(
            "action 0 of pass 3 is rejected, but what host large would hold then is too great to"
                + " add up.");
    assertThat(cluster.snapshot()).isEqualTo(before);
  }

  @Test
  void refusesToReturnTheOneUnitThatIsTooMuch() {
    Resources most = Resources.of(Dimension.CPU, Long.MAX_VALUE);
    cluster.host("large", most);
    cluster.running(Request.builder("r0", "gold").demand(Resources.of(Dimension.CPU, 1)), "large");
    List<ActionId> preemptions = new ArrayList<>();
    for (int i = 1; i <= 2; i++) {
      scheduler.submit(Request.builder("r" + i, "gold").demand(most).build(), cluster.now());
      preemptions.add(place("r" + i, "large", "r" + (i - 1)).id(0));
      cluster.started("r" + i);
    }
    rejected(preemptions.get(1));

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> rejected(preemptions.get(0)))
        .withMessageEndingWith("what host large would hold then is too great to add up.");
  }

  @Nested
  class Ids {

    @Test
    void nameThePassAndThePlace() {
      Plan plan = preempting();
      assertThat(plan.id(1)).isEqualTo(new ActionId(2, 1)).hasToString("action 1 of pass 2");
      assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> plan.id(2));
    }

    @Test
    void mustBeInRange() {
      assertThatIllegalArgumentException().isThrownBy(() -> new ActionId(0, 0));
      assertThatIllegalArgumentException().isThrownBy(() -> new ActionId(1, -1));
    }

    @Test
    void ofNoActionAreRefused() {
      cluster.pass();
      assertNotOpen(new ActionId(1, 0));
      assertNotOpen(new ActionId(99, 0));
    }
  }

  @Nested
  class Undoing {

    @Test
    void placementLeavesItsInstancePendingAsItWas() {
      cluster.pending("a", 2).at(5);
      Snapshot before = cluster.snapshot();
      Plan plan = cluster.at(7).pass(pass -> pass.place(cluster.instance("a"), cluster.host("h1")));

      cluster.at(9);
      Rejection rejection = rejected(plan.id(0));

      assertThat(rejection.why()).isEqualTo("no room on disk");
      assertThat(rejection.action()).isEqualTo(plan.id(0));
      assertThat(words(rejection)).containsExactly("1: place a on h1");
      assertThat(cluster.instance("a").stateSince()).isZero();
      assertThat(cluster.instance("a").attempt()).isZero();
      assertThat(cluster.snapshot().hosts()).isEqualTo(before.hosts());
      assertThat(scheduler.nextPassAt()).hasValue(cluster.now());
      assertThat(cluster.pass().triggers()).contains(Trigger.ACTION_REJECTED);
      assertThat(scheduler.stats().actionsUndone()).isEqualTo(1);
      assertNotOpen(plan.id(0));
    }

    @Test
    void preemptionLeavesItsVictimRunningWhereItWas() {
      cluster.pending("b", 4);
      Plan plan = preempting2();
      cluster.at(30);

      Rejection rejection = rejected(plan.id(0));

      assertThat(words(rejection)).containsExactly("2: place b on h1", "2: preempt a on h1 for b");
      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.RUNNING);
      assertThat(cluster.instance("a").host()).contains(cluster.host("h1"));
      assertThat(cluster.instance("a").serviceTime(cluster.now())).isEqualTo(30 * Cluster.SECOND);
      assertThat(cluster.instance("a").preemptions()).isZero();
      assertThat(cluster.host("h1").recentCompletions()).isEmpty();
      assertThat(cluster.instance("b").state()).isEqualTo(InstanceState.PENDING);
      assertThat(openActions()).isZero();
    }

    private Plan preempting2() {
      cluster.running("a", "bronze", 3, "h1").at(20);
      return place("b", "h1", "a");
    }

    @Test
    void placementWithVictimsLeavesThemPreempted() {
      Plan plan = preempting();

      assertThat(words(rejected(plan.id(1)))).containsExactly("2: place b on h1");
      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.PENDING);
      assertThat(cluster.instance("a").preemptions()).isEqualTo(1);

      assertThat(words(rejected(plan.id(0)))).containsExactly("2: preempt a on h1 for b");
      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.RUNNING);
    }

    @Test
    void oneOfTwoVictimsStaysPreempted() {
      cluster.running("a", "bronze", 2, "h1").running("c", "bronze", 2, "h1");
      cluster.at(20).pending("b", 4);
      Plan plan = place("b", "h1", "a", "c");

      assertThat(words(rejected(plan.id(0))))
          .containsExactly("3: place b on h1", "3: preempt a on h1 for b");
      assertThat(cluster.instance("c").state()).isEqualTo(InstanceState.PENDING);
      assertThat(scheduler.explain().whyPreempted("a")).isEmpty();
      assertThat(scheduler.explain().whyPreempted("c")).isPresent();
    }

    @Test
    void migrationLeavesItsInstanceAtHome() {
      cluster.running("a", 2, "h1").at(10);
      Plan plan = pass(p -> p.migrate(cluster.instance("a"), cluster.host("h2"), cores(3), WHY));
      scheduler.usageReported("a", cores(1), cores(0), cluster.now());
      cluster.at(15);

      rejected(plan.id(0));

      assertThat(cluster.instance("a").host()).contains(cluster.host("h1"));
      assertThat(cluster.instance("a").serviceTime(cluster.now())).isEqualTo(15 * Cluster.SECOND);
      assertThat(cluster.instance("a").granted()).isEqualTo(cores(2));
      assertThat(cluster.instance("a").usage()).isPresent();
      assertThat(cluster.instance("a").migrations()).isZero();
    }

    @Test
    void pauseKeepsUsageReportedSince() {
      cluster.running("a", 2, "h1");
      scheduler.usageReported("a", cores(1), cores(0), cluster.now());
      Plan plan = pass(pass -> pass.pause(cluster.instance("a"), WHY));
      scheduler.usageReported("a", cores(2), cores(0), cluster.now());

      rejected(plan.id(0));

      assertThat(cluster.instance("a").usage().orElseThrow().used()).isEqualTo(cores(2));
      assertThat(cluster.instance("a").previousUsage().orElseThrow().used()).isEqualTo(cores(1));
    }

    /** What a fleet reports of an undone start is of the run that the start never ended. */
    @Test
    void preemptionKeepsUsageReportedOfTheNextStart() {
      cluster.running("a", "bronze", 3, "h1");
      used(1);
      cluster.pending("b", 4);
      Plan plan = place("b", "h1", "a");
      place("a", "h2");
      used(2);

      rejected(plan.id(0));

      assertUsed(2, 1);
    }

    @Test
    void preemptionKeepsUsageReportedOnAHostThatHasLeft() {
      cluster.running("a", "bronze", 3, "h1");
      used(1);
      cluster.pending("b", 4);
      Plan plan = place("b", "h1", "a");
      place("a", "h2");
      used(2);
      used(3);
      cluster.pending("c", 4);
      place("c", "h2", "a");
      cluster.removed("h2");

      rejected(plan.id(0));

      assertUsed(3, 2);
    }

    @Test
    void migrationKeepsTheLatestUsageOfBothHosts() {
      cluster.running("a", 3, "h1");
      used(1);
      Plan plan = pass(p -> p.migrate(cluster.instance("a"), cluster.host("h2"), cores(3), WHY));
      used(2);
      rejected(plan.id(0));
      assertUsed(2, 1);

      plan = pass(p -> p.migrate(cluster.instance("a"), cluster.host("h2"), cores(3), WHY));
      used(2.5);
      used(3);
      rejected(plan.id(0));
      assertUsed(3, 2.5);
    }

    private void used(double cores) {
      scheduler.usageReported("a", cores(cores), cores(0), cluster.now());
    }

    private void assertUsed(double latest, double previous) {
      assertThat(cluster.instance("a").host()).contains(cluster.host("h1"));
      assertThat(cluster.instance("a").usage().orElseThrow().used()).isEqualTo(cores(latest));
      assertThat(cluster.instance("a").previousUsage().orElseThrow().used())
          .isEqualTo(cores(previous));
    }

    @Test
    void assignmentLeavesWhatLaterOnesNeed() {
      assertThat(expiries(20, 30)).containsExactly(30L, 10L);
      assertThat(expiries(30, 20)).containsExactly(20L, 10L);
      assertThat(expiries(30, 5)).containsExactly(10L, 10L);
    }

    /** Returns when a host expires after the first and the second assignment were undone. */
    private static List<Long> expiries(long first, long second) {
      Cluster cluster = Cluster.byHand();
      Scheduler scheduler = cluster.scheduler();
      scheduler.offerPool(new PoolSpec("p", cores(1), 1), 0);
      for (String each : List.of("x", "y")) {
        BagSpec bag = new BagSpec(each, List.of(Cluster.request(each + "-1", 1).build()));
        scheduler.submit(bag, 0);
      }
      Plan plan =
          cluster.pass(
              pass -> {
                OptionalLong until = OptionalLong.of(10);
                pass.provision(pass.pools().get(0), 1, Optional.of("k"), until, WHY);
                pass.assign(pass.bags().get(0), "k", OptionalLong.of(first), WHY);
                pass.assign(pass.bags().get(1), "k", OptionalLong.of(second), WHY);
              });
      cluster.host("p-1", 1);
      List<Long> expiries = new ArrayList<>();
      for (int i = 1; i <= 2; i++) {
        scheduler.rejected(plan.id(i), "cannot", 0);
        expiries.add(cluster.host("p-1").expiresAt().orElseThrow());
      }
      return expiries;
    }

    @Test
    void resizingKeepsThatItsInstanceHasStarted() {
      cluster.starting("a", "gold", 2, "h1");
      Plan plan = pass(pass -> pass.resize(cluster.instance("a"), cores(4), WHY));
      cluster.at(5).started("a").at(9);

      rejected(plan.id(0));

      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.RUNNING);
      assertThat(cluster.instance("a").stateSince()).isEqualTo(5 * Cluster.SECOND);
      assertThat(cluster.instance("a").granted()).isEqualTo(cores(2));
      assertThat(cluster.host("h1").free()).isEqualTo(cores(2));
    }

    @Test
    void rejectedRequestIsPendingAgainInOrderOfAdmission() {
      cluster.pending("a", 9).pending("b", 9).pending("c", 9);
      Plan plan = pass(pass -> pass.reject(cluster.instance("b"), WHY));
      assertThat(scheduler.instance("b")).isEmpty();

      rejected(plan.id(0));

      assertThat(scheduler.instances())
          .extracting(each -> each.id())
          .containsExactly("a", "b", "c");
      assertThat(scheduler.pendingCount()).isEqualTo(3);
      cluster.snapshot();
    }

    /** The digest follows what its bag and its group have again. */
    @Test
    void rejectedMemberIsOneAgain() {
      Cluster full = FullCluster.prepared(); // its policy rejects what is doomed
      full.scheduler().submit(new BagSpec("b", FullCluster.requests("doomed1", "m")), full.now());
      full.scheduler()
          .submit(
              new GroupSpec("h", FullCluster.requests("doomed2", "n"), 1, GroupSpec.OnLoss.RESTORE),
              full.now());
      Plan plan = full.pass();
      full.scheduler().digest(); // from now on, what changes is noted

      for (int i = 0; i < plan.actions().size(); i++) {
        if (plan.actions().get(i) instanceof Action.Reject) {
          full.scheduler().rejected(plan.id(i), "cannot", full.now());
        }
      }

      assertThat(full.scheduler().bag("b").orElseThrow().instances()).hasSize(2);
      assertThat(full.scheduler().digest()).isEqualTo(full.scheduler().snapshot().digest());
    }

    @Test
    void cancelledBagGoesOn() {
      scheduler.submit(
          new BagSpec(
              "bag", List.of(Cluster.request("x", 1).build(), Cluster.request("y", 1).build())),
          0);
      cluster.place("x", "h1").started("x").pending("z", 1).at(5);
      Plan plan = pass(pass -> pass.cancel(pass.bags().get(0), WHY));
      cluster.at(9);

      rejected(plan.id(0));

      assertThat(scheduler.bag("bag").orElseThrow().remaining()).isEqualTo(2);
      assertThat(cluster.instance("x").serviceTime(cluster.now())).isEqualTo(9 * Cluster.SECOND);
      assertThat(scheduler.instances())
          .extracting(each -> each.id())
          .containsExactly("x", "y", "z");
    }

    @Test
    void releasedHostComesBackAlthoughItsPlaceIsTaken() {
      Plan asked = provisioned();
      cluster.host("p-1", 4);
      Plan plan = pass(pass -> pass.release(cluster.host("p-1"), WHY));
      cluster.host("h3", 3).pending("a", 4);

      rejected(plan.id(0));

      assertThat(scheduler.hosts())
          .extracting(each -> each.id())
          .containsExactly("h1", "h2", "p-1", "h3");
      assertThat(cluster.host("p-1").free()).isEqualTo(cores(4));
      cluster.place("a", "p-1");
      assertThat(cluster.host("h3").free()).isEqualTo(cores(3));
      assertNotOpen(asked.id(0));
    }

    @Test
    void hostsAreNoLongerRequested() {
      Plan plan = provisioned();
      rejected(plan.id(0));

      Pool pool = scheduler.pools().get(0);
      assertThat(pool.starting()).isEmpty();
      assertThat(pool.failures()).isZero();
      assertThat(provisioned().actions(Action.Provision.class).get(0).hosts())
          .containsExactly("p-1");
    }
  }

  private Plan provisioned() {
    scheduler.offerPool(new PoolSpec("p", cores(4), 3), cluster.now());
    return pass(pass -> pass.provision(pass.pools().get(0), 1, Optional.empty(), NEVER, WHY));
  }

  @Nested
  class Dependents {

    @Test
    void areUndoneLatestFirstAndNoOthers() {
      cluster.running("a", "bronze", 4, "h1").at(20).pending("b", 2);
      Plan preempts = place("b", "h1", "a"); // pass 2
      place("a", "h2"); // 3: the victim is elsewhere
      cluster.pending("c", 2).pending("d", 1).pending("e", 1);
      place("c", "h1"); // 4: in the room of the victim
      cluster.host("h3", 9);
      place("d", "h3"); // 5: has nothing to do with it
      cluster.at(30);

      assertThat(words(rejected(preempts.id(0))))
          .containsExactly(
              "4: place c on h1",
              "3: place a on h2",
              "2: place b on h1",
              "2: preempt a on h1 for b");
      assertThat(cluster.host("h1").free()).isEqualTo(cores(0));
      assertThat(cluster.host("h2").free()).isEqualTo(cores(4));
      assertThat(cluster.instance("d").host()).contains(cluster.host("h3"));
      assertThat(cluster.instance("a").attempt()).isEqualTo(1);
    }

    @Test
    void endWhereEverythingFits() {
      cluster.running("a", "bronze", 2, "h1").at(20).pending("b", 1);
      Plan preempts = place("b", "h1", "a");
      cluster.pending("c", 1).pending("d", 1).pending("e", 1);
      place("c", "h1");
      place("d", "h1");
      place("e", "h1");

      assertThat(words(rejected(preempts.id(0))))
          .containsExactly("5: place e on h1", "2: place b on h1", "2: preempt a on h1 for b");
      assertThat(cluster.host("h1").free()).isEqualTo(cores(0));
    }

    @Test
    void doNotIncludeEarlierDecisions() {
      cluster.running("a", "bronze", 2, "h1").starting("early", "gold", 2, "h1");
      cluster.at(20).pending("b", 2);
      Plan preempts = place("b", "h1", "a");
      rejected(preempts.id(0));

      assertThat(cluster.instance("early").state()).isEqualTo(InstanceState.STARTING);
    }

    @Test
    void thatAreConfirmedStayAndCloseTheHostUntilItFits() {
      cluster.running("a", "bronze", 4, "h1").at(20).pending("b", 2);
      Plan preempts = place("b", "h1", "a");
      cluster.pending("c", 2);
      place("c", "h1");
      cluster.started("c").started("b");

      assertThat(words(rejected(preempts.id(0)))).containsExactly("2: preempt a on h1 for b");
      assertThat(cluster.host("h1").closed())
          .contains(new Reason.OverCapacity(Dimension.CPU, 4 * Cluster.SECOND));

      cluster.completed("b");
      assertThat(cluster.host("h1").closed()).isPresent();
      cluster.completed("c");
      assertThat(cluster.host("h1").closed()).isEmpty();
    }

    @Test
    void includeGrantsThatGrewInTheRoom() {
      cluster.running("a", "bronze", 2, "h1").running("c", "gold", 1, "h1").at(20).pending("b", 1);
      Plan preempts = place("b", "h1", "a");
      pass(pass -> pass.resize(cluster.instance("c"), cores(3), WHY));

      assertThat(words(rejected(preempts.id(0)))).contains("4: resize c on h1 to cpu 3");
      assertThat(cluster.host("h1").free()).isEqualTo(cores(1));
    }

    @Test
    void leaveAStartBesideWhichTheInstanceFitsExactly() {
      cluster.running("a", 2, "h1");
      Plan suspends = pass(pass -> pass.suspend(cluster.instance("a"), WHY));
      cluster.pending("b", 2);
      place("b", "h1");

      assertThat(words(rejected(suspends.id(0)))).containsExactly("2: suspend a on h1");
      assertThat(cluster.host("h1").free()).isEqualTo(cores(0));
    }

    /** The latest actions gave room back, or took what is not scarce. */
    @Test
    void includeOnlyActionsThatTookWhatIsScarce() {
      cluster.host("h3", cores(8, 8));
      for (String each : List.of("a", "c", "e")) {
        cluster.running(Cluster.request(each, 0).demand(cores(2, 1)), "h3");
      }
      pass(pass -> pass.resize(cluster.instance("c"), cores(4, 1), WHY));
      Plan suspends = pass(pass -> pass.suspend(cluster.instance("a"), WHY));
      cluster.pending(Cluster.request("b", 0).demand(cores(2, 1)));
      place("b", "h3");
      pass(pass -> pass.resize(cluster.instance("c"), cores(3, 1), WHY));
      pass(pass -> pass.resize(cluster.instance("e"), cores(2, 2), WHY));

      assertThat(words(rejected(suspends.id(0))))
          .containsExactly("6: place b on h3", "5: suspend a on h3");
    }

    @Test
    void includeTheReleaseOfAHostThatAnInstanceReturnsTo() {
      provisioned();
      cluster.host("p-1", 4).running("a", 2, "p-1").at(5);
      Plan plan =
          pass(
              pass -> {
                pass.migrate(cluster.instance("a"), cluster.host("h1"), cores(2), WHY);
                pass.release(cluster.host("p-1"), WHY);
              });
      assertThat(plan.actions()).hasSize(2);

      assertThat(words(rejected(plan.id(0))))
          .containsExactly("3: release p-1 to p", "3: migrate a from p-1 to h1 with cpu 2");
      assertThat(cluster.instance("a").host()).contains(cluster.host("p-1"));
      assertThat(cluster.host("p-1").free()).isEqualTo(cores(2));
    }

    @Test
    void includeStartsThatAntiAffinityForbids() {
      cluster.running(Cluster.request("a", "bronze", 1).job("j").antiAffinity(true), "h1").at(9);
      cluster.pending("b", 1);
      Plan preempts = place("b", "h1", "a");
      cluster.pending(Cluster.request("sibling", 1).job("j"));
      place("sibling", "h1");

      assertThat(words(rejected(preempts.id(0)))).contains("3: place sibling on h1");
    }

    @Test
    void includeOnlyTheLatestOfTheStartsThatAntiAffinityForbids() {
      cluster.running(Cluster.request("a", "bronze", 1).job("j").antiAffinity(true), "h1").at(9);
      cluster.pending("b", 1);
      Plan preempts = place("b", "h1", "a");
      cluster.pending(Cluster.request("sibling", 1).job("j"));
      place("sibling", "h2");
      cluster.pending("c", 4);
      place("c", "h2", "sibling");
      place("sibling", "h1");

      assertThat(words(rejected(preempts.id(0))))
          .containsExactly(
              "5: place sibling on h1", "2: place b on h1", "2: preempt a on h1 for b");
      assertThat(cluster.instance("c").host()).contains(cluster.host("h2"));
    }

    @Test
    void includeOnlyTheLatestStartThatTookTheRoom() {
      cluster.host("h3", 2).running("a", 3, "h1").at(9);
      Plan moves =
          pass(pass -> pass.migrate(cluster.instance("a"), cluster.host("h2"), cores(3), WHY));
      cluster.pending("b", 2);
      place("b", "h1");
      cluster.pending("c", 2);
      place("c", "h3");
      cluster.pending("d", 2);
      place("d", "h3", "c");
      place("c", "h1"); // of its two starts, only this one took the room

      assertThat(words(rejected(moves.id(0))))
          .containsExactly(
              "6: place c on h1", "3: place b on h1", "2: migrate a from h1 to h2 with cpu 3");
      assertThat(cluster.instance("c").state()).isEqualTo(InstanceState.PENDING);
      assertThat(cluster.instance("d").host()).contains(cluster.host("h3"));
    }

    @Test
    void leaveAStartOfTheSameJobWithoutAntiAffinity() {
      cluster.running(Cluster.request("a", "bronze", 1).job("j"), "h1").at(9).pending("b", 1);
      Plan preempts = place("b", "h1", "a");
      cluster.pending(Cluster.request("sibling", 1).job("j"));
      place("sibling", "h1");

      assertThat(words(rejected(preempts.id(0))))
          .containsExactly("2: place b on h1", "2: preempt a on h1 for b");
    }

    @Test
    void ofAnInstanceOnTheLastHostThatTheTableHasRoomFor() {
      for (int i = 3; i <= 16; i++) {
        cluster.host("h" + i, cores(4, 4));
      }
      cluster.running(Cluster.request("a", 0).demand(cores(1, 1)), "h16");
      Plan suspends = pass(pass -> pass.suspend(cluster.instance("a"), WHY));

      assertThat(words(rejected(suspends.id(0)))).containsExactly("2: suspend a on h16");
    }

    @Test
    void ofAnEvictionGoBack() {
      cluster.running("a", 2, "h1").at(5);
      scheduler.drain("h1", Drain.waiting().until(cluster.now()), cluster.now());
      Plan plan = cluster.pass();
      assertThat(plan.actions(Action.Evict.class)).hasSize(1);
      cluster.at(9);

      rejected(plan.id(0));

      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.RUNNING);
      assertThat(cluster.instance("a").serviceTime(cluster.now())).isEqualTo(9 * Cluster.SECOND);
    }
  }

  @Nested
  class NotOpen {

    @Test
    void startWhoseAttemptWasReported() {
      cluster.pending("a", 1).pending("b", 1).pending("c", 1).pending("d", 1);
      Plan plan =
          pass(
              pass -> {
                for (String each : List.of("a", "b", "c", "d")) {
                  pass.place(cluster.instance(each), cluster.host("h1"));
                }
              });
      cluster.started("a").failed("b").cancel("d");
      scheduler.completed(((Action.Starts) plan.actions().get(2)).toAttempt(), 0, cluster.now());

      for (int i = 0; i < 4; i++) {
        assertNotOpen(plan.id(i));
      }
      assertThat(openActions()).isZero();
    }

    @Test
    void preemptionWhoseVictimHasStartedAgainOrIsDone() {
      Plan plan = preempting();
      place("a", "h2");
      cluster.started("a");
      assertNotOpen(plan.id(0));

      cluster.pending("c", 1);
      Plan second = place("c", "h2", "a");
      cluster.cancel("a");
      assertNotOpen(second.id(0));
    }

    @Test
    void pauseThatAnotherActionReplacedUnlessThatOneIsUndone() {
      cluster.running("a", 2, "h1");
      Plan pauses = pass(pass -> pass.pause(cluster.instance("a"), WHY));
      Plan resumes = pass(pass -> pass.resume(cluster.instance("a"), cores(2), WHY));
      assertNotOpen(pauses.id(0));

      rejected(resumes.id(0));
      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.PAUSED);
      rejected(pauses.id(0));
      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.RUNNING);
    }

    @Test
    void resumptionThatStartedConfirmsThePauseBefore() {
      cluster.running("a", 2, "h1");
      Plan pauses = pass(pass -> pass.pause(cluster.instance("a"), WHY));
      Plan resumes = pass(pass -> pass.resume(cluster.instance("a"), cores(2), WHY));
      cluster.started("a");
      assertNotOpen(pauses.id(0));
      assertNotOpen(resumes.id(0));
      assertThat(openActions()).isZero();
    }

    @Test
    void actionOnHostsThatWereReported() {
      Plan first = provisioned();
      cluster.host("p-1", 4);
      assertNotOpen(first.id(0));
      Plan second = pass(p -> p.provision(p.pools().get(0), 1, Optional.empty(), NEVER, WHY));
      cluster.removed("p-2");
      assertNotOpen(second.id(0));
      Plan released = pass(pass -> pass.release(cluster.host("p-1"), WHY));
      cluster.removed("p-1");
      assertNotOpen(released.id(0));
    }

    @Test
    void rejectionAssignmentAndCancellationAfterTheNextPass() {
      for (String each : List.of("assigned", "cancelled")) {
        BagSpec bag = new BagSpec(each, List.of(Cluster.request(each + "-1", 1).build()));
        scheduler.submit(bag, cluster.now());
      }
      cluster.pending("a", 9);
      Plan plan =
          pass(
              pass -> {
                pass.reject(cluster.instance("a"), WHY);
                pass.assign(pass.bags().get(0), "k", NEVER, WHY);
                pass.cancel(pass.bags().get(1), WHY);
              });
      assertThat(plan.actions()).hasSize(3);
      assertThat(openActions()).isEqualTo(3);
      cluster.pass();
      for (int i = 0; i < 3; i++) {
        assertNotOpen(plan.id(i));
      }
      assertThat(openActions()).isZero();
    }

    @Test
    void rejectionOfAnIdThatIsInUseAgain() {
      cluster.pending("a", 9);
      Plan plan = pass(pass -> pass.reject(cluster.instance("a"), WHY));
      cluster.pending("a", 1);
      assertNotOpen(plan.id(0));
    }

    @Test
    void rejectionOfAMemberOfABagOrGroupWhoseIdIsInUseAgain() {
      for (String each : List.of("bag", "group")) {
        submit(each, "x", "y");
        Plan plan = pass(pass -> pass.reject(cluster.instance("x"), WHY));
        rejected(plan.id(0)); // as long as the others wait
        Plan again = pass(pass -> pass.reject(cluster.instance("x"), WHY));
        if (each.equals("bag")) {
          scheduler.cancelBag(each, WHY, cluster.now());
        } else {
          scheduler.cancelGroup(each, cluster.now());
        }
        submit(each, "z");

        assertNotOpen(again.id(0));
        cluster.cancel("z");
      }
    }

    private void submit(String batch, String... members) {
      List<Request> requests =
          List.of(members).stream().map(each -> Cluster.request(each, 9).build()).toList();
      if (batch.equals("bag")) {
        scheduler.submit(new BagSpec(batch, requests), cluster.now());
      } else {
        scheduler.submit(
            new GroupSpec(batch, requests, 1, GroupSpec.OnLoss.RESTORE), cluster.now());
      }
    }

    /** Neither is open if the former host of an instance had the id of one that is released. */
    @Test
    void migrationWhoseHomeLeftAlthoughAHostOfItsIdIsReleased() {
      cluster.host("p-1", 4).running("a", 2, "p-1");
      Plan plan = pass(p -> p.migrate(cluster.instance("a"), cluster.host("h2"), cores(2), WHY));
      cluster.removed("p-1");
      provisioned();
      cluster.host("p-1", 4);
      pass(pass -> pass.release(cluster.host("p-1"), WHY));

      assertNotOpen(plan.id(0));
    }

    @Test
    void actionWhoseHostLeft() {
      Plan plan = preempting();
      cluster.removed("h1");
      assertNotOpen(plan.id(0));
      assertNotOpen(plan.id(1));
      cluster.host("h1", 4);
      assertNotOpen(plan.id(0));
    }

    @Test
    void migrationWhoseHomeLeft() {
      cluster.running("a", 2, "h1");
      Plan plan = pass(p -> p.migrate(cluster.instance("a"), cluster.host("h2"), cores(2), WHY));
      cluster.removed("h1");
      assertNotOpen(plan.id(0));
    }

    @Test
    void timeInThePastIsRefusedAndKeepsItOpen() {
      cluster.at(5).pending("a", 1);
      Plan plan = place("a", "h1");
      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> scheduler.rejected(plan.id(0), "late", 0))
          .isNotInstanceOf(StaleReportException.class);
      rejected(plan.id(0));
    }
  }

  @Test
  void ledgerDoesNotGrowWithActionsThatNoReportConfirms() {
    cluster.running("a", 1, "h1");
    for (int i = 0; i < 1000; i++) {
      double amount = 1 + i % 2;
      pass(pass -> pass.resize(cluster.instance("a"), cores(amount), WHY));
    }
    assertThat(openActions()).isEqualTo(2);
  }

  @Test
  void ledgerKeepsItsOrderAsItGrowsAndShrinks() {
    scheduler.addHost(new HostSpec("big", cores(1000), Map.of()), 0);
    List<ActionId> open = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      String id = "i" + i;
      cluster.pending(id, 1);
      Plan plan = place(id, "big");
      if (i % 3 == 0) {
        open.add(plan.id(0));
      } else {
        cluster.started(id);
      }
    }
    assertThat(openActions()).isEqualTo(200);
    for (ActionId each : open) {
      assertThat(rejected(each).undone()).hasSize(1);
    }
    assertThat(openActions()).isZero();
  }

  @Test
  void latestPlacementIsTheOneBeforeUndoneOnes() {
    cluster.pending("a", 1).pending("b", 1).pending("c", 1);
    Plan first = place("a", "h1");
    Plan second = place("b", "h2");
    Plan third = place("c", "h1");

    rejected(second.id(0));
    rejected(third.id(0));
    assertThat(StateDump.state(scheduler).latestPlacement()).isEqualTo("h1");
    rejected(first.id(0));
    assertThat(StateDump.state(scheduler).latestPlacement()).isNull();
  }

  @Test
  void listenerLearnsOfUndoneActionsAndTheLogForgetsThem() {
    List<Rejection> told = new ArrayList<>();
    DecisionListener listener =
        new DecisionListener() {
          @Override
          public void decided(Decision decision) {}

          @Override
          public void undone(Rejection rejection) {
            told.add(rejection);
          }
        };
    Cluster listened = Cluster.byHand(Scheduler.builder().onDecision(listener)).host("h1", 1);
    listened.pending("a", 1);
    Plan plan = listened.pass(pass -> pass.place(listened.instance("a"), listened.host("h1")));

    Rejection rejection = listened.scheduler().rejected(plan.id(0), "cannot", 0);

    assertThat(told).containsExactly(rejection);
    assertThat(listened.scheduler().decisions().all()).isEmpty();
  }

  @Test
  void aHostThatHasLeftStaysOutIfAnEarlierActionIsUndone() {
    Cluster fifo =
        Cluster.of(
            parts ->
                parts
                    .preemption(TestParts.victimsBy(Map.of()), TestParts.LESS_IMPORTANT)
                    .preemptStarting(true));
    fifo.host("h1", 1).host("h2", 1).removed("h1").pending("a", "bronze", 1);
    Plan first = fifo.pass();
    fifo.pending("b", "gold", 1).pass();
    fifo.removed("h2").host("h1", 1);

    fifo.scheduler().rejected(first.id(0), "cannot", fifo.now());

    ClusterState state = StateDump.state(fifo.scheduler());
    for (HostRecord each = state.latestChanged(); each != null; each = each.changedBefore()) {
      assertThat(each.isIn(state.table())).as("%s is up", each).isTrue(); // it would be searched
    }
    assertThat(fifo.pass().placements()).extracting(Action.Place::host).containsExactly("h1");
  }

  /** They were left out while the instances had ended. */
  @Test
  void errorsAboutInstancesThatAreBackAreReportedAgain() {
    cluster.pending("a", 1);
    scheduler.submit(new BagSpec("bag", List.of(Cluster.request("m", 1).build())), cluster.now());
    Reason why = new Reason.PolicyChoice("test", "because");
    Plan plan =
        pass(
            pass -> {
              for (String each : List.of("a", "m")) {
                Instance its = cluster.instance(each);
                pass.place(its, cluster.host("h1"), List.of(its)); // it is no victim
              }
              pass.reject(cluster.instance("a"), why);
              pass.cancel(pass.bags().get(0), why);
            });

    rejected(plan.id(0));
    rejected(plan.id(1));

    for (String each : List.of("a", "m")) {
      assertThat(scheduler.explain().whyPending(each, cluster.now()).policyErrors()).hasSize(1);
    }
  }
}

package dev.berth.core;

import static dev.berth.core.Cluster.request;
import static dev.berth.core.Plans.placements;
import static dev.berth.core.Plans.victims;
import static dev.berth.core.TestParts.LESS_IMPORTANT;
import static dev.berth.core.TestParts.queueBy;
import static dev.berth.core.TestParts.victimsBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.VictimCost;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.event.Event;
import dev.berth.core.snapshot.BudgetData;
import dev.berth.core.snapshot.SchedulerSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No action takes more members of a job down than its disruption budget allows. */
class BudgetTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "for a test");
  private static final DisruptionBudget ONE_DOWN = DisruptionBudget.maxDown(1);

  private static Request.Builder web(int number) {
    return request("web-" + number, "bronze", 1).job("web");
  }

  /** Members 1 to 3 run on h1, each with a core; h2 is empty. */
  private static Cluster threeUp(DisruptionBudget budget) {
    Cluster cluster = Cluster.byHand().host("h1", 3).host("h2", 3);
    cluster.scheduler().setBudget("web", budget, 0);
    Stream.of(1, 2, 3).forEach(each -> cluster.running(web(each), "h1"));
    return cluster;
  }

  private static Reason exhausted(
      DisruptionBudget budget, int up, int down, int more, String... firstDown) {
    return new Reason.BudgetExhausted(
        "web", budget, up, down, more, Stream.of(firstDown).findFirst());
  }

  /** Returns the refusals of actions in one pass. */
  @SafeVarargs
  private static List<Optional<Reason>> refusals(
      Cluster cluster, BiFunction<SchedulingPass, Cluster, Optional<Reason>>... actions) {
    List<Optional<Reason>> refusals = new ArrayList<>();
    Plan plan =
        cluster.pass(
            pass -> {
              for (BiFunction<SchedulingPass, Cluster, Optional<Reason>> each : actions) {
                refusals.add(each.apply(pass, cluster));
              }
            });
    assertThat(plan.policyErrors()).as("a refusal is no error of the policy").isEmpty();
    return refusals;
  }

  private static BiFunction<SchedulingPass, Cluster, Optional<Reason>> pause(String id) {
    return (pass, cluster) -> pass.pause(cluster.instance(id), WHY).refusal();
  }

  private static BiFunction<SchedulingPass, Cluster, Optional<Reason>> suspend(String id) {
    return (pass, cluster) -> pass.suspend(cluster.instance(id), WHY).refusal();
  }

  private static BiFunction<SchedulingPass, Cluster, Optional<Reason>> migrate(String id) {
    return (pass, cluster) -> {
      Instance instance = cluster.instance(id);
      return pass.migrate(instance, cluster.host("h2"), instance.granted(), WHY).refusal();
    };
  }

  private static BiFunction<SchedulingPass, Cluster, Optional<Reason>> place(
      String id, String... victims) {
    return (pass, cluster) -> {
      List<Instance> leaving = Stream.of(victims).map(cluster::instance).toList();
      Instance instance = cluster.instance(id);
      Optional<Reason> obstacle = pass.obstacle(instance, cluster.host("h1"), leaving);
      Optional<Reason> refusal = pass.place(instance, cluster.host("h1"), leaving).refusal();
      assertThat(obstacle).isEqualTo(refusal);
      return refusal;
    };
  }

  @Nested
  class Guard {

    @Test
    void eachActionThatTakesAMemberDownCounts() {
      Reason none = exhausted(ONE_DOWN, 2, 1, 1, "web-1");

      assertThat(refusals(threeUp(ONE_DOWN), pause("web-1"), pause("web-2")))
          .containsExactly(Optional.empty(), Optional.of(none));
      assertThat(refusals(threeUp(ONE_DOWN), suspend("web-1"), suspend("web-2")))
          .containsExactly(Optional.empty(), Optional.of(none));
      assertThat(refusals(threeUp(ONE_DOWN), migrate("web-1"), migrate("web-2")))
          .containsExactly(Optional.empty(), Optional.of(none));
      assertThat(none.describe()).isEqualTo("job web may have 1 down, 1 is (web-1)");
    }

    @Test
    void victimsOfOnePlacementCountTogether() {
      Cluster cluster = threeUp(ONE_DOWN).pending("a", 2).pending("b", 1);

      assertThat(refusals(cluster, place("a", "web-1", "web-2"), place("b", "web-1")))
          .containsExactly(Optional.of(exhausted(ONE_DOWN, 3, 0, 2)), Optional.empty());
    }

    @Test
    void victimsOfSeveralPlacementsCount() {
      Cluster cluster = threeUp(ONE_DOWN).pending("a", 1).pending("b", 1);

      assertThat(refusals(cluster, place("a", "web-1"), place("b", "web-2")))
          .containsExactly(Optional.empty(), Optional.of(exhausted(ONE_DOWN, 2, 1, 1, "web-1")));
    }

    @Test
    void membersThatAreDownNeedNoAllowance() {
      Cluster cluster = threeUp(DisruptionBudget.maxDown(0)).starting(web(4), "h2");
      cluster.pass(pass -> {});
      cluster.changed("h1", 4).pending("a", 1);

      assertThat(refusals(cluster, place("a"))).containsExactly(Optional.empty());
      cluster.started("a").failed("a").cancel("a");
      cluster.changed("h2", 1).pending("b", 1);
      Plan plan =
          cluster.pass(
              pass ->
                  pass.place(
                      cluster.instance("b"),
                      cluster.host("h2"),
                      List.of(cluster.instance("web-4"))));
      assertThat(victims(plan)).containsExactly("web-4");
    }

    @Test
    void pausedMembersMayBeSuspendedAndMoved() {
      Cluster cluster = threeUp(ONE_DOWN);
      refusals(cluster, pause("web-1"));
      assertThat(refusals(cluster, suspend("web-1"), pause("web-2")).get(0)).isEmpty();
      assertThat(refusals(cluster, migrate("web-1"), suspend("web-2")))
          .containsExactly(Optional.empty(), Optional.of(exhausted(ONE_DOWN, 2, 1, 1, "web-1")));
    }

    @Test
    void membersStayUp() {
      DisruptionBudget twoUp = DisruptionBudget.minUp(2);

      assertThat(refusals(threeUp(twoUp), pause("web-3"), pause("web-2")))
          .containsExactly(Optional.empty(), Optional.of(exhausted(twoUp, 2, 1, 1, "web-3")));
    }

    @Test
    void otherJobsAndOtherActionsAreFree() {
      Cluster cluster = threeUp(DisruptionBudget.maxDown(0));
      cluster.running(request("x", 1).job("other"), "h2").running(request("y", 1), "h2");

      assertThat(
              refusals(
                  cluster,
                  pause("x"),
                  pause("y"),
                  (pass, c) ->
                      pass.resize(c.instance("web-1"), c.instance("web-1").granted(), WHY)
                          .refusal()))
          .containsOnly(Optional.empty());
    }

    @Test
    void forksGiveBackWhatTheyTook() {
      Cluster cluster = threeUp(ONE_DOWN);
      cluster.pass(
          pass -> {
            try (SchedulingPass.Fork fork = pass.fork()) {
              assertThat(fork.pause(cluster.instance("web-1"), WHY).refusal()).isEmpty();
              assertThat(fork.protection(cluster.instance("web-2"))).isPresent();
            }
            assertThat(pass.protection(cluster.instance("web-2"))).isEmpty();
            assertThat(pass.pause(cluster.instance("web-2"), WHY).refusal()).isEmpty();
            assertThat(pass.protection(cluster.instance("web-2"))).as("is down").isEmpty();
            assertThat(pass.budget("web")).contains(ONE_DOWN);
            assertThat(pass.budget("other")).isEmpty();
          });
    }

    @Test
    void aRejectionGivesBackWhatItsActionTook() {
      Cluster cluster = threeUp(ONE_DOWN);
      Plan plan = cluster.pass(pass -> pass.pause(cluster.instance("web-1"), WHY));
      assertThat(refusals(cluster, pause("web-2")).get(0)).isPresent();

      cluster.scheduler().rejected(plan.id(0), "cannot", 0);

      assertThat(refusals(cluster, pause("web-2"))).containsExactly(Optional.empty());
    }

    @Test
    void aBagIsNotCancelledBelowTheLeastMembers() {
      Cluster cluster = Cluster.byHand().host("h1", 3);
      List<Request> tasks = Stream.of(1, 2).map(each -> web(each).build()).toList();
      cluster.scheduler().submit(new BagSpec("bag", tasks), 0);
      cluster.place("web-1", "h1").place("web-2", "h1").started("web-1").started("web-2");
      DisruptionBudget oneUp = DisruptionBudget.minUp(1);
      BiFunction<SchedulingPass, Cluster, Optional<Reason>> cancel =
          (pass, c) -> pass.cancel(pass.bags().get(0), WHY).refusal();

      cluster.scheduler().setBudget("web", oneUp, 0);
      assertThat(refusals(cluster, cancel)).containsExactly(Optional.of(exhausted(oneUp, 2, 0, 2)));

      cluster.scheduler().setBudget("web", DisruptionBudget.maxDown(0), 0);
      assertThat(refusals(cluster, cancel)).containsExactly(Optional.empty());
      assertThat(cluster.scheduler().instances()).isEmpty();
    }
  }

  @Nested
  class Events {

    @Test
    void failuresCountAndBreakNothing() {
      Cluster cluster = threeUp(ONE_DOWN);
      cluster.failed("web-2");

      assertThat(refusals(cluster, pause("web-1")))
          .containsExactly(Optional.of(exhausted(ONE_DOWN, 2, 1, 1, "web-2")));

      cluster.removed("h1");

      assertThat(cluster.scheduler().budget("web")).contains(ONE_DOWN);
    }

    @Test
    void membersThatEndAreNoMembers() {
      Cluster cluster = threeUp(ONE_DOWN);
      cluster.completed("web-1");
      assertThat(refusals(cluster, pause("web-2"))).containsExactly(Optional.empty());
      cluster.cancel("web-2");
      assertThat(refusals(cluster, pause("web-3"))).containsExactly(Optional.empty());
    }

    @Test
    void budgetsMayBeSetBeforeAndAfterMembersCome() {
      Cluster cluster = threeUp(ONE_DOWN).pending(web(4));
      cluster.scheduler().removeBudget("web", 0);
      assertThat(refusals(cluster, pause("web-1"))).containsExactly(Optional.empty());

      cluster.scheduler().setBudget("web", DisruptionBudget.maxDown(2), 0);

      assertThat(refusals(cluster, pause("web-2")))
          .containsExactly(Optional.of(exhausted(DisruptionBudget.maxDown(2), 2, 2, 1, "web-1")));
      cluster.cancel("web-4");
      assertThat(refusals(cluster, pause("web-2"), pause("web-3")))
          .containsExactly(
              Optional.empty(),
              Optional.of(exhausted(DisruptionBudget.maxDown(2), 1, 2, 1, "web-1")));
    }

    @Test
    void aBudgetOutlivesItsJob() {
      Cluster cluster = threeUp(DisruptionBudget.maxDown(0));
      Stream.of("web-1", "web-2", "web-3").forEach(cluster::cancel);
      assertThat(cluster.scheduler().budget("web")).contains(DisruptionBudget.maxDown(0));

      cluster.running(web(1), "h1");

      assertThat(refusals(cluster, pause("web-1")).get(0)).isPresent();
    }

    @Test
    void changesMakeAPassDue() {
      Cluster cluster = threeUp(ONE_DOWN);
      Scheduler scheduler = cluster.scheduler();
      assertThat(cluster.pass().triggers()).contains(Trigger.BUDGET_CHANGED);
      scheduler.setBudget("web", ONE_DOWN, 0);
      scheduler.removeBudget("other", 0);
      assertThat(scheduler.nextPassAt()).isEmpty();
      scheduler.setBudget("web", DisruptionBudget.minUp(1), 0);
      assertThat(cluster.pass().triggers()).containsExactly(Trigger.BUDGET_CHANGED);
      scheduler.removeBudget("web", 0);
      assertThat(cluster.pass().triggers()).containsExactly(Trigger.BUDGET_CHANGED);
    }

    @Test
    void aStartThatAllowsAnotherDisruptionMakesAPassDue() {
      Cluster cluster = threeUp(ONE_DOWN);
      cluster.failed("web-1").place("web-1", "h1");
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();

      cluster.started("web-1");

      assertThat(cluster.pass().triggers()).containsExactly(Trigger.BUDGET_CHANGED);
      cluster.pending(web(4)).place("web-4", "h2").started("web-4");
      assertThat(cluster.scheduler().nextPassAt()).isPresent();
    }

    @Test
    void invalidEventsAreRefused() {
      Scheduler scheduler = threeUp(ONE_DOWN).at(5).pending("a", 1).scheduler();
      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> scheduler.setBudget(" ", ONE_DOWN, 6))
          .withMessage("the budget of job \" \" is set, but its name must not be blank.");
      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> scheduler.removeBudget("web", 4))
          .withMessageStartingWith(
              "the budget of job web is removed at 4 ns, but time has reached");
    }
  }

  @Nested
  class Drains {

    @Test
    void moveOneMemberAfterTheOther() {
      Cluster cluster = threeUp(ONE_DOWN).drained("h1", Drain.moving());
      assertThat(moved(cluster)).containsExactly("web-1");
      assertThat(moved(cluster)).isEmpty();
      assertThat(cluster.scheduler().explain().whyProtected("web-2"))
          .contains(exhausted(ONE_DOWN, 2, 1, 1, "web-1"));
      assertThat(cluster.scheduler().explain().whyProtected("web-1")).isEmpty();

      assertThat(moved(cluster.started("web-1"))).containsExactly("web-2");
      assertThat(moved(cluster.started("web-2"))).containsExactly("web-3");
      assertThat(cluster.host("h1").closed()).contains(new Reason.Drained());
    }

    private List<String> moved(Cluster cluster) {
      return cluster.pass().actions(Action.Migrate.class).stream()
          .map(Action.Migrate::instance)
          .toList();
    }

    @Test
    void waitForTheBudgetAtTheDeadline() {
      Cluster cluster = threeUp(DisruptionBudget.minUp(2));
      cluster.drained("h1", Drain.waiting().until(0));

      assertThat(cluster.pass().actions())
          .containsExactly(new Action.Evict("web-1", "h1", new Reason.HostDrained("h1", true)));
      assertThat(cluster.pass().actions()).isEmpty();

      cluster.place("web-1", "h2").started("web-1");

      assertThat(cluster.pass().actions(Action.Evict.class)).hasSize(1);
    }

    @Test
    void membersThatFitNowhereMoveWhenTheBudgetAllows() {
      Cluster cluster = threeUp(DisruptionBudget.maxDown(0)).drained("h1", Drain.moving());
      assertThat(moved(cluster)).isEmpty();
      assertThat(moved(cluster)).isEmpty();

      cluster.scheduler().setBudget("web", ONE_DOWN, 0);

      assertThat(moved(cluster)).containsExactly("web-1");
    }
  }

  @Nested
  class Search {

    private final Map<String, Long> order = Map.of("web-1", 4L, "web-2", 3L, "x", 2L, "web-3", 1L);

    private Cluster pipeline() {
      return Cluster.of(parts -> parts.preemption(victimsBy(order), LESS_IMPORTANT));
    }

    @Test
    void skipsMembersBeyondTheAllowance() {
      Cluster cluster = pipeline().host("h1", 3);
      cluster.running(web(1), "h1").running(web(2), "h1");
      cluster.running(request("x", "bronze", 1), "h1");
      cluster.scheduler().setBudget("web", ONE_DOWN, 0);

      assertThat(victims(cluster.pending("a", 2).pass())).containsExactly("web-1", "x");
    }

    @Test
    void choosesAnotherHost() {
      Cluster cluster = pipeline().host("h1", 1).host("h2", 1);
      cluster.running(web(1), "h1").running(request("x", "bronze", 1), "h2");
      cluster.scheduler().setBudget("web", DisruptionBudget.maxDown(0), 0);

      assertThat(placements(cluster.pending("a", 1).pass())).containsExactly("a on h2");
    }

    @Test
    void alikeRequestsOfOnePassShareTheAllowance() {
      Cluster cluster = pipeline().host("h1", 1).host("h2", 1).host("h3", 1);
      cluster.running(web(1), "h1").running(web(2), "h2").running(web(3), "h3");
      cluster.scheduler().setBudget("web", DisruptionBudget.maxDown(2), 0);
      Stream.of("a", "b", "c").forEach(id -> cluster.pending(id, 1));

      Plan plan = cluster.pass();

      assertThat(victims(plan)).hasSize(2);
      assertThat(cluster.scheduler().pendingCount()).isEqualTo(3);
      assertThat(cluster.pass().actions()).isEmpty();
    }

    @Test
    void hostsAreConsideredAgainWhenTheBudgetAllows() {
      Cluster cluster = pipeline().host("h1", 1).running(web(1), "h1");
      cluster.pending(request("web-2", "bronze", 5).job("web"));
      cluster.scheduler().setBudget("web", ONE_DOWN, 0);
      cluster.pending("a", 1).pass();
      assertThat(victims(cluster.pass())).isEmpty();
      assertThat(cluster.scheduler().explain().whyPending("a", 0).describe())
          .contains("1 with victims that a disruption budget protects");

      cluster.cancel("web-2");

      assertThat(victims(cluster.pass())).containsExactly("web-1");
    }

    @Test
    void budgetsAreForgottenWithTheirSupposition() {
      Cluster cluster = pipeline().host("h1", 1).running(web(1), "h1").pending("a", 1);
      Scheduler scheduler = cluster.scheduler();
      long before = scheduler.digest();

      assertThat(victims(scheduler.whatIf().plan(0).plan())).containsExactly("web-1");
      Plan without =
          scheduler
              .whatIf()
              .suppose(new Event.BudgetSet("web", DisruptionBudget.maxDown(0)))
              .plan(0)
              .plan();
      assertThat(without.actions()).isEmpty();
      assertThat(without.triggers()).contains(Trigger.BUDGET_CHANGED);

      assertThat(scheduler.digest()).isEqualTo(before);
      assertThat(scheduler.budget("web")).isEmpty();
      scheduler.setBudget("web", DisruptionBudget.maxDown(0), 0);
      assertThat(cluster.pass().actions()).isEmpty();
      long kept = scheduler.digest();
      assertThat(victims(scheduler.whatIf().suppose(new Event.BudgetRemoved("web")).plan(0).plan()))
          .containsExactly("web-1");
      assertThat(scheduler.digest()).isEqualTo(kept);
      assertThat(cluster.pass().actions()).isEmpty();
    }

    @Test
    void aRestoredSchedulerHasTheBudgets() {
      Cluster cluster = pipeline().host("h1", 1).running(web(1), "h1");
      Scheduler scheduler = cluster.scheduler();
      scheduler.setBudget("web", DisruptionBudget.maxDown(0), 0);
      scheduler.setBudget("none", DisruptionBudget.minUp(7), 0);
      cluster.pending("a", 1).pass();

      Scheduler restored =
          Scheduler.builder()
              .policy(
                  "test",
                  context ->
                      context.pipeline().preemption(victimsBy(order), LESS_IMPORTANT).build())
              .restore(scheduler.snapshot())
              .build();

      assertThat(restored.digest()).isEqualTo(scheduler.digest());
      assertThat(restored.budget("none")).contains(DisruptionBudget.minUp(7));
      assertThat(restored.schedule(0).actions()).isEmpty();
      restored.removeBudget("web", 0);
      assertThat(victims(restored.schedule(0))).containsExactly("web-1");
    }

    @Test
    void damagedBudgetsAreRefused() {
      Scheduler scheduler = pipeline().host("h1", 1).scheduler();
      scheduler.setBudget("web", DisruptionBudget.maxDown(0), 0);
      SchedulerSnapshot good = scheduler.snapshot();
      SchedulerSnapshot bad =
          new SchedulerSnapshot(
              good.format(),
              good.settings(),
              good.progress(),
              good.dimensions(),
              good.pools(),
              good.hosts(),
              good.bags(),
              good.instances(),
              good.endedBags(),
              good.latestPlan(),
              good.policyMemory(),
              good.limits(),
              List.of(new BudgetData("web", "MAX_DOWN", -1), new BudgetData("app", "NO_LIMIT", 1)),
              good.groups(),
              good.completions(),
              good.ended());
      Scheduler.Builder builder =
          Scheduler.builder().policy("test", context -> context.pipeline().build()).restore(bad);

      assertThatExceptionOfType(SnapshotException.class)
          .isThrownBy(builder::build)
          .satisfies(
              refused ->
                  assertThat(refused.problems())
                      .contains(
                          "budget of job web: a disruption budget had a limit of -1 members, must"
                              + " be 0 or more",
                          "the budget of job app follows that of web, must be in order of job")
                      .anyMatch(each -> each.startsWith("budget of job app: ")));
    }

    @Test
    void explanationsCountTheHosts() {
      Cluster cluster = pipeline().host("h1", 1).host("h2", 1).host("h3", 1);
      cluster.running(web(1), "h1").running(web(2), "h2").running("g", 1, "h3");
      cluster.scheduler().setBudget("web", DisruptionBudget.maxDown(0), 0);
      cluster.pending("a", 1).pass();

      assertThat(cluster.scheduler().explain().whyPending("a", 0).describe())
          .isEqualTo(
              "0 of 3 hosts: 3 full (cpu short by 1), 1 with no eligible victim (1 as important),"
                  + " 2 with victims that a disruption budget protects");
    }

    /**
     * On each host, a small and a large victim of one job, of which one may leave. For a low value,
     * both are eligible, and without sparing the small one uses up the allowance.
     *
     * @param free whether another host has an eligible victim for the first request
     * @param alike the number of requests of a low value; few do not share candidates
     */
    @ParameterizedTest
    @CsvSource({"1, false, 1", "1, false, 4", "1, true, 4", "70, false, 4", "70, true, 4"})
    void fewerEligibleVictimsMayBeBetterOnes(int hosts, boolean free, int alike) {
      Map<String, Long> values = new HashMap<>(Map.of("high", 8L, "higher", 11L));
      for (int i = 0; i < hosts; i++) {
        values.put("small-" + i, 2L);
        values.put("large-" + i, 1L);
      }
      List<String> low = List.of("low-1", "low-2", "low-3", "low-4").subList(0, alike);
      low.forEach(id -> values.put(id, 5L));
      Cluster cluster =
          Cluster.of(
              parts ->
                  parts
                      .queue(queueBy(values))
                      .preemption(victimsBy(values), new UpToLimit())
                      .minimizeVictims(false)
                      .preemptionCost(new NumberOfVictims()));
      for (int i = 0; i < hosts; i++) {
        String job = "job-" + i;
        cluster.host("h" + i, 3);
        cluster.running(request("small-" + i, "bronze", 1).job(job), "h" + i);
        cluster.running(request("large-" + i, "bronze", 2).job(job), "h" + i);
        cluster.scheduler().setBudget(job, ONE_DOWN, 0);
      }
      if (free) {
        cluster.host("free", 2).running(request("other", "bronze", 2), "free");
      }
      low.forEach(id -> cluster.pending(id, 2));
      cluster.pending("high", 2).pending("higher", 2);

      Plan plan = cluster.pass();

      assertThat(Plans.instances(plan))
          .isEqualTo(free ? List.of("low-1", "high") : List.of("high"));
      assertThat(victims(plan).get(free ? 1 : 0)).startsWith("large-");
      cluster.started("high");
      assertThat(cluster.pending("high-2", 2).pass().actions()).as("of value 0").isEmpty();
    }

    @Test
    void theVictimThatFreesEnoughSpendsTheAllowance() {
      Map<String, Long> values = Map.of("small", 2L, "large", 1L, "low", 5L);
      Cluster cluster =
          Cluster.of(
              parts ->
                  parts
                      .queue(queueBy(values))
                      .preemption(victimsBy(values), new UpToLimit())
                      .preemptionCost(new NumberOfVictims()));
      cluster.host("h", 3);
      cluster.running(request("small", "bronze", 1).job("job"), "h");
      cluster.running(request("large", "bronze", 2).job("job"), "h");
      cluster.scheduler().setBudget("job", ONE_DOWN, 0);

      Plan plan = cluster.pending("low", 2).pass();

      assertThat(victims(plan)).containsExactly("large");
    }

    /** Small victims are eligible up to value 6, all others up to 10. */
    private static final class UpToLimit implements MonotonePreemptionRule {
      @Override
      public Verdict judge(PreemptionPair pair) {
        if (pair.victimClassRank() <= pair.beneficiaryClassRank()) {
          return Verdict.refuseRest("as-important", "as important");
        }
        return pair.beneficiaryValue() <= allowedUpTo(pair)
            ? Verdict.allow("below", "below the limit")
            : Verdict.refuse("above", "above the limit");
      }

      @Override
      public long allowedUpTo(PreemptionPair pair) {
        return pair.victim().id().startsWith("small") ? 6 : 10;
      }

      @Override
      public long refusedUntil(PreemptionPair pair) {
        return Long.MAX_VALUE;
      }
    }

    private static final class NumberOfVictims implements VictimCost {
      @Override
      public int width(int classes) {
        return 1;
      }

      @Override
      public void add(PreemptionPair pair, double[] tuple) {
        tuple[0]++;
      }
    }

    @Test
    void startingMembersAreDownAlready() {
      Cluster cluster =
          Cluster.of(
                  parts -> parts.preemption(victimsBy(order), LESS_IMPORTANT).preemptStarting(true))
              .host("h1", 2);
      cluster.starting(web(1), "h1").running(web(2), "h1");
      cluster.scheduler().setBudget("web", DisruptionBudget.maxDown(0), 0);

      assertThat(victims(cluster.pending("a", 1).pass())).containsExactly("web-1");
    }
  }
}

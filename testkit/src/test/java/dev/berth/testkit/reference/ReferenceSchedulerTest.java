package dev.berth.testkit.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.core.event.Event;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The reference model on small cases, worked out by hand. Times are in seconds. */
class ReferenceSchedulerTest {

  private static final Dimension CPU = new Dimension("cpu", 1);
  private static final Dimension MEMORY = new Dimension("memory", 1);

  private static final ServiceClass GOLD = serviceClass("gold", 1, 1);
  private static final ServiceClass SILVER = serviceClass("silver", 0.9, 2);
  private static final ServiceClass SILVER_TOO = serviceClass("silver-too", 0.9, 2);
  private static final ServiceClass BRONZE = serviceClass("bronze", 0.5, 3);

  private final ReferenceScheduler qos = scheduler(QosDriven.PAPER);
  private final ReferenceScheduler priority = scheduler(PriorityBased.PAPER);

  // ---- Accounting

  @Nested
  class Accounting {

    @Test
    void onlyRunningTimeIsService() {
      host(qos, "h1", 1);
      submit(qos, "r1", SILVER, 1, 0);
      pass(qos, 10); // pending until here, starting from here
      qos.apply(new Event.StartedNow("r1"), at(13));
      assertThat(r1().serviceTime(at(13))).isZero();
      assertThat(r1().serviceTime(at(58))).isEqualTo(at(45));
      assertThat(r1().waitingTime(at(58))).isEqualTo(at(13));
      assertThat(r1().qos(at(58), 0)).isEqualTo(at(50) - at(58)); // 45 s / 0.9 = 50 s
      assertThat(r1().qos(at(58), at(2))).isEqualTo(at(50) - at(58) - at(2));

      qos.apply(new Event.HostRemoved("h1"), at(58));
      assertThat(r1().state()).isEqualTo(InstanceState.PENDING);
      assertThat(r1().serviceTime(at(60))).isEqualTo(at(45));
      assertThat(r1().waitingTime(at(60))).isEqualTo(at(15));
      assertThat(qos.apply(new Event.Cancelled("r1"), at(60)))
          .isEqualTo(new InstanceReport("r1", SILVER, 0, at(60), at(45), at(15), 0, 1, 0));
    }

    @Test
    void onlyPlacementsRightAfterPreemptionCountAsRestarts() {
      ReferenceCluster cluster = new ReferenceCluster(List.of(BRONZE));
      cluster.apply(new Event.HostAdded(new HostSpec("h1", Resources.of(CPU, 1))), 0);
      cluster.apply(new Event.Submitted(request("r1", BRONZE, Resources.of(CPU, 1)).build()), 0);
      ReferenceInstance r1 = cluster.instance("r1").orElseThrow();

      LedgerCalls.place(cluster, "r1", "h1", 1, at(0));
      cluster.started("r1", at(1)); // first placement: no restart
      LedgerCalls.preempt(cluster, "r1", at(10));
      LedgerCalls.place(cluster, "r1", "h1", 2, at(20));
      assertThat(r1.restartOverhead()).isZero(); // not measured yet
      cluster.started("r1", at(22));
      assertThat(r1.restartOverhead()).isEqualTo(at(2));
      cluster.apply(new Event.FailedNow("r1"), at(30));
      LedgerCalls.place(cluster, "r1", "h1", 3, at(40));
      cluster.started("r1", at(44)); // after a failure: no restart after preemption
      assertThat(r1.restartOverhead()).isEqualTo(at(2));
      LedgerCalls.preempt(cluster, "r1", at(50));
      LedgerCalls.place(cluster, "r1", "h1", 4, at(60));
      cluster.apply(new Event.FailedNow("r1"), at(61)); // failed before it was ready
      LedgerCalls.place(cluster, "r1", "h1", 5, at(62));
      cluster.started("r1", at(65)); // does not directly follow the preemption
      assertThat(r1.restartOverhead()).isEqualTo(at(2));
      LedgerCalls.preempt(cluster, "r1", at(65));
      LedgerCalls.place(cluster, "r1", "h1", 6, at(70));
      LedgerCalls.preempt(cluster, "r1", at(71)); // again, while starting
      LedgerCalls.place(cluster, "r1", "h1", 7, at(72));
      cluster.started("r1", at(73));
      assertThat(r1.restartOverhead()).isEqualTo(at(3));
      assertThat(r1.preemptions()).isEqualTo(4);
      assertThat(r1.placements()).isEqualTo(7);
      assertThat(r1.serviceTime(at(73))).isEqualTo(at(9 + 8 + 6));
      assertThat(r1.preemptionOverhead(at(73))).isEqualTo(3.0 / 26);
    }

    @Test
    void refusesImpossibleEvents() {
      host(qos, "h1", 1);
      submit(qos, "r1", SILVER, 1, 0);
      assertThatThrownBy(() -> qos.apply(new Event.StartedNow("r1"), 0))
          .hasMessageContaining("must be STARTING");
      assertThatThrownBy(() -> host(qos, "h1", 1)).hasMessageContaining("is present");
    }

    private ReferenceInstance r1() {
      return qos.cluster().instance("r1").orElseThrow();
    }
  }

  // ---- Queue

  @Nested
  class Queue {

    @Test
    void qosDrivenServesTheSmallestQFirst() {
      submit(qos, "late-gold", GOLD, 1, 5);
      submit(qos, "bronze", BRONZE, 1, 0);
      submit(qos, "silver", SILVER, 1, 3);
      host(qos, "h1", 10);
      assertThat(placed(pass(qos, 9))).containsExactly("bronze", "silver", "late-gold");
    }

    @Test
    void qosDrivenBreaksTiesByImportanceThenId() {
      submit(qos, "b", SILVER, 1, 0);
      submit(qos, "a", BRONZE, 1, 0);
      submit(qos, "d", GOLD, 1, 0);
      submit(qos, "c", GOLD, 1, 0);
      host(qos, "h1", 10);
      assertThat(placed(pass(qos, 9))).containsExactly("c", "d", "b", "a");
    }

    @Test
    void priorityServesTheMostImportantFirst() {
      submit(priority, "bronze", BRONZE, 1, 0);
      submit(priority, "silver", SILVER, 1, 4);
      submit(priority, "older-silver", SILVER_TOO, 1, 3);
      submit(priority, "gold", GOLD, 1, 5);
      host(priority, "h1", 10);
      assertThat(placed(pass(priority, 9)))
          .containsExactly("gold", "older-silver", "silver", "bronze");
    }

    @Test
    void requestThatDoesNotFitBlocksNoOther() {
      submit(qos, "large", GOLD, 11, 0);
      submit(qos, "small", BRONZE, 1, 5);
      host(qos, "h1", 10);
      assertThat(placed(pass(qos, 9))).containsExactly("small");
    }
  }

  // ---- Rules

  /** The host has room for one. */
  @Nested
  class Rules {

    /** After 60 s of service bronze has Q = 120 − 60 = 60, above its margin of 10. */
    @Test
    void ruleAPreemptsForLessSlack() {
      running(qos, "k", BRONZE, 0);
      submit(qos, "j", GOLD, 1, 60);
      assertThat(pass(qos, 60).actions())
          .containsExactly(
              new Action.Preempt("k", "h1", "j"), new Action.Place("j", "h1", List.of("k")));
      assertThat(qos.coverage().of(CaseCoverage.Mark.PREEMPTION_BY_RULE_A)).isEqualTo(1);
    }

    /** Rule (A) ignores importance: bronze may preempt silver. */
    @Test
    void ruleAIgnoresImportance() {
      running(qos, "k", SILVER, 0); // Q(900) = 1000 − 900 = 100
      submit(qos, "j", BRONZE, 1, 850); // Q(900) = −50
      assertThat(victims(pass(qos, 900))).containsExactly("k");
    }

    /** After 9 s bronze has Q = 9 < 10, and gold Q = 0 < 10. */
    @Test
    void ruleBPreemptsForMoreImportance() {
      running(qos, "k", BRONZE, 0);
      submit(qos, "j", GOLD, 1, 9);
      assertThat(victims(pass(qos, 9))).containsExactly("k");
      assertThat(qos.coverage().of(CaseCoverage.Mark.PREEMPTION_BY_RULE_B)).isEqualTo(1);
    }

    /** Rule (B) does not compare Q: Q_j = −1 > Q_k = −5. */
    @Test
    void ruleBIgnoresSlack() {
      submit(qos, "k", BRONZE, 1, 0);
      host(qos, "h1", 1);
      pass(qos, 10);
      qos.apply(new Event.StartedNow("k"), at(10)); // Q(15) = 10 − 15 = −5
      submit(qos, "j", GOLD, 1, 14);
      assertThat(victims(pass(qos, 15))).containsExactly("k");
    }

    @Test
    void victimWithinItsMarginDoesNotYieldToLessImportance() {
      running(qos, "k", SILVER, 0); // Q(18) = 20 − 18 = 2
      submit(qos, "j", BRONZE, 1, 0); // Q(18) = −18
      assertThat(pass(qos, 18).isEmpty()).isTrue();
    }

    @Test
    void victimWithinItsMarginDoesNotYieldToSlack() {
      // Bronze with much slack loses its host and is pending.
      host(qos, "h1", 1);
      submit(qos, "j", SILVER, 1, 0);
      pass(qos, 0);
      qos.apply(new Event.StartedNow("j"), 0);
      qos.apply(new Event.HostRemoved("h1"), at(900)); // Q(900) = 100, above its margin
      running(qos, "k", BRONZE, 900); // Q(905) = 5, within its margin
      assertThat(qos.cluster().instance("j").orElseThrow().qos(at(905), 0)).isEqualTo(at(95));
      assertThat(pass(qos, 905).isEmpty()).isTrue();
    }

    @Test
    void ruleCDecidesAmongEqualImportance() {
      running(qos, "k", SILVER, 0); // Q(18) = 2
      submit(qos, "j", SILVER_TOO, 1, 17); // Q(18) = −1
      assertThat(victims(pass(qos, 18))).containsExactly("k");
      assertThat(qos.coverage().of(CaseCoverage.Mark.PREEMPTION_BY_RULE_C)).isEqualTo(1);
    }

    @Test
    void equalQDoesNotPreempt() {
      running(qos, "k", GOLD, 0); // Q is always 0
      submit(qos, "j", GOLD, 1, 20);
      assertThat(pass(qos, 20).isEmpty()).isTrue();
      assertThat(victims(pass(qos, 21))).containsExactly("k");
    }

    /** k has lost 2 of 10 s to a restart, more than the 0.1 that silver allows. */
    @Test
    void overheadLimitProtectsFromTheOwnClassOnly() {
      submit(qos, "k", SILVER, 1, 0);
      host(qos, "h1", 1);
      pass(qos, 0);
      qos.apply(new Event.StartedNow("k"), 0);
      submit(qos, "gold", GOLD, 1, 1);
      assertThat(victims(pass(qos, 1))).containsExactly("k");
      qos.apply(new Event.Cancelled("gold"), at(1));
      pass(qos, 1);
      qos.apply(new Event.StartedNow("k"), at(3)); // S = 2 s
      assertThat(qos.cluster().instance("k").orElseThrow().preemptionOverhead(at(10)))
          .isEqualTo(0.2);

      submit(qos, "j", SILVER, 1, 4); // Q(10) = −6; Q_k(10) = 8/0.9 − 10 ≈ −1.1
      assertThat(pass(qos, 10).isEmpty()).isTrue();
      assertThat(qos.coverage().of(CaseCoverage.Mark.REFUSAL_BY_OVERHEAD_LIMIT)).isEqualTo(1);
      submit(qos, "j2", SILVER_TOO, 1, 10);
      assertThat(victims(pass(qos, 15))).containsExactly("k");
    }

    @Test
    void priorityPreemptsStrictlyLowerPriorityOnly() {
      running(priority, "k", SILVER, 0);
      submit(priority, "bronze", BRONZE, 1, 500);
      submit(priority, "silver", SILVER_TOO, 1, 500);
      assertThat(pass(priority, 500).isEmpty()).isTrue();
      submit(priority, "gold", GOLD, 1, 500);
      assertThat(victims(pass(priority, 500))).containsExactly("k");
    }
  }

  // ---- Feasibility

  @Nested
  class Feasibility {

    @Test
    void qosDrivenTakesTheMostSlackFirst() {
      host(qos, "h1", 2);
      submit(qos, "rich", BRONZE, 1, 0);
      pass(qos, 0);
      qos.apply(new Event.StartedNow("rich"), 0);
      submit(qos, "poor", BRONZE, 1, 50);
      pass(qos, 50);
      qos.apply(new Event.StartedNow("poor"), at(50));
      submit(qos, "j", GOLD, 1, 100);
      assertThat(victims(pass(qos, 100))).containsExactly("rich");
    }

    @Test
    void priorityTakesTheLowestClassThenTheLatestFirst() {
      host(priority, "h1", 3);
      submit(priority, "silver", SILVER, 1, 2);
      submit(priority, "old", BRONZE, 1, 0);
      submit(priority, "young", BRONZE, 1, 1);
      pass(priority, 2);
      List.of("silver", "old", "young")
          .forEach(each -> priority.apply(new Event.StartedNow(each), at(3)));
      submit(priority, "j", GOLD, 3, 3);
      assertThat(victims(pass(priority, 3))).containsExactly("young", "old", "silver");
    }

    @Test
    void sparesUnneededVictims() {
      ReferenceScheduler asInPaper =
          scheduler(new QosDriven(0, ReferenceScore.MEAN, QosDriven.Cost.SLACK_SUMS, false, false));
      for (ReferenceScheduler each : List.of(qos, asInPaper)) {
        host(each, "h1", 3);
        submit(each, "small", BRONZE, 1, 0);
        pass(each, 0);
        each.apply(new Event.StartedNow("small"), 0);
        submit(each, "large", BRONZE, 2, 50);
        pass(each, 50);
        each.apply(new Event.StartedNow("large"), at(50));
        submit(each, "j", GOLD, 2, 100);
      }
      assertThat(victims(pass(qos, 100))).containsExactly("large");
      assertThat(victims(pass(asInPaper, 100))).containsExactly("small", "large");
    }

    @Test
    void startingInstancesAreVictimsOnlyIfConfigured() {
      ReferenceScheduler ruthless = scheduler(new PriorityBased(ReferenceScore.MEAN, true, true));
      for (ReferenceScheduler each : List.of(priority, ruthless)) {
        host(each, "h1", 1);
        submit(each, "k", BRONZE, 1, 0);
        pass(each, 0);
        submit(each, "j", GOLD, 1, 1);
      }
      assertThat(pass(priority, 1).isEmpty()).isTrue();
      assertThat(victims(pass(ruthless, 1))).containsExactly("k");
    }

    @Test
    void victimsWaitForTheNextPass() {
      host(qos, "h1", 2);
      submit(qos, "k", BRONZE, 1, 0);
      pass(qos, 0);
      qos.apply(new Event.StartedNow("k"), 0);
      host(qos, "h2", 1); // room for k, not for j
      submit(qos, "j", GOLD, 2, 60);
      assertThat(pass(qos, 60).actions())
          .containsExactly(
              new Action.Preempt("k", "h1", "j"), new Action.Place("j", "h1", List.of("k")));
      assertThat(placed(pass(qos, 60))).containsExactly("k");
    }

    @Test
    void sparesInstancesPlacedInThisPass() {
      ReferenceScheduler ruthless =
          scheduler(new QosDriven(0, ReferenceScore.MEAN, QosDriven.Cost.SLACK_SUMS, true, true));
      host(ruthless, "h1", 1);
      submit(ruthless, "k", BRONZE, 1, 0);
      submit(ruthless, "j", GOLD, 1, 5);
      assertThat(pass(ruthless, 9).actions())
          .containsExactly(new Action.Place("k", "h1", List.of()));
      assertThat(victims(pass(ruthless, 9))).containsExactly("k");
    }

    @Test
    void preemptionDoesNotCureAntiAffinity() {
      host(qos, "h1", 1);
      qos.apply(
          new Event.Submitted(request("k", BRONZE, Resources.of(CPU, 1)).job("web").build()), 0);
      pass(qos, 0);
      qos.apply(new Event.StartedNow("k"), 0);
      qos.apply(
          new Event.Submitted(
              request("j", GOLD, Resources.of(CPU, 1)).job("web").antiAffinity(true).build()),
          at(60));
      assertThat(pass(qos, 60).isEmpty()).isTrue();
      submit(qos, "other", GOLD, 1, 60);
      assertThat(victims(pass(qos, 60))).containsExactly("k");
    }

    @Test
    void requiresConstraintsToHold() {
      qos.apply(
          new Event.HostAdded(
              new HostSpec("h1", Resources.of(CPU, 1), Map.of("zone", "a", "level", "2"))),
          0);
      assertThat(admits(new Constraint.Equal("zone", "a"))).isTrue();
      assertThat(admits(new Constraint.Equal("rack", "a"))).isFalse();
      assertThat(admits(new Constraint.NotEqual("zone", "a"))).isFalse();
      assertThat(admits(new Constraint.NotEqual("rack", "a"))).isTrue();
      assertThat(admits(new Constraint.LessThan("level", 3))).isTrue();
      assertThat(admits(new Constraint.LessThan("level", 2))).isFalse();
      assertThat(admits(new Constraint.LessThan("zone", 3))).isFalse();
      assertThat(admits(new Constraint.GreaterThan("level", 1))).isTrue();
      assertThat(admits(new Constraint.GreaterThan("rack", 1))).isFalse();
      assertThat(admits(new Constraint.Exists("level"))).isTrue();
      assertThat(admits(new Constraint.In("zone", Set.of("b", "c")))).isFalse();
    }

    private boolean admits(Constraint constraint) {
      qos.apply(
          new Event.Submitted(request("r", GOLD, Resources.none()).constraint(constraint).build()),
          0);
      boolean placed = !pass(qos, 0).isEmpty();
      qos.apply(new Event.Cancelled("r"), 0);
      return placed;
    }
  }

  // ---- Ranking

  @Nested
  class Ranking {

    @Test
    void prefersHostsWithoutPreemption() {
      running(qos, "k", BRONZE, 0);
      host(qos, "h2", 1);
      submit(qos, "j", GOLD, 1, 60);
      assertThat(pass(qos, 60).actions()).containsExactly(new Action.Place("j", "h2", List.of()));
    }

    @Test
    void choosesTheGreatestAllocationScore() {
      ReferenceScheduler leastRequested = scheduler(withScore(new ReferenceScore(1, 0)));
      ReferenceScheduler balanced = scheduler(withScore(new ReferenceScore(0, 1)));
      for (ReferenceScheduler each : List.of(leastRequested, balanced)) {
        each.apply(new Event.HostAdded(new HostSpec("even", Resources.of(CPU, 4, MEMORY, 4))), 0);
        each.apply(
            new Event.HostAdded(new HostSpec("uneven", Resources.of(CPU, 16, MEMORY, 3))), 0);
        each.apply(
            new Event.Submitted(request("j", GOLD, Resources.of(CPU, 1, MEMORY, 1)).build()), 0);
      }
      // least requested: 3/4 against (15/16 + 2/3) / 2 ≈ 0.80
      assertThat(pass(leastRequested, 0).placements().get(0).host()).isEqualTo("uneven");
      // balanced: 1 against 1 − (1/3 − 1/16) ≈ 0.73
      assertThat(pass(balanced, 0).placements().get(0).host()).isEqualTo("even");
    }

    /** Margins are 10 s. In service since 0, silver has Q = 100 at 900 s, and gold 0. */
    @Test
    void costIsATupleOfSums() {
      ReferenceCluster cluster = new ReferenceCluster(List.of(GOLD, SILVER, SILVER_TOO, BRONZE));
      cluster.apply(new Event.HostAdded(new HostSpec("h1", Resources.none())), 0);
      List<ReferenceInstance> victims =
          List.of(
              resident(cluster, "gold", GOLD, 0, 0), // Q = 0
              resident(cluster, "silver", SILVER, 0, 0), // Q = 100
              resident(cluster, "bronze", BRONZE, 890, 895), // Q = 0
              resident(cluster, "newer", BRONZE, 895, 895)); // Q = 5
      List<ServiceClass> classes = cluster.serviceClasses();
      assertThat(classes).containsExactly(GOLD, SILVER, SILVER_TOO, BRONZE);
      assertThat(seconds(QosDriven.PAPER.preemptionCost(victims, classes, at(900))))
          .containsExactly(10.0, 0.0, 0.0, 10.0 + 5, -90.0);
      assertThat(perSecond(asPrinted().preemptionCost(victims, classes, at(900))))
          .containsExactly(1 / -10.0, 0.0, 0.0, 1 / -15.0, 1 / 90.0);
      assertThat(PriorityBased.PAPER.preemptionCost(victims, classes, at(900)))
          .containsExactly(1.0, 1.0, 0.0, 2.0);
    }

    /**
     * An instance with Q = φ belongs to P⁺ and has no slack: the printed formula makes it the most
     * expensive victim.
     */
    @Test
    void printedCostOfNoSlackIsInfinite() {
      ReferenceCluster cluster = new ReferenceCluster(List.of(BRONZE));
      cluster.apply(new Event.HostAdded(new HostSpec("h1", Resources.none())), 0);
      List<ReferenceInstance> victims = List.of(resident(cluster, "k", BRONZE, 0, 0));
      assertThat(asPrinted().preemptionCost(victims, cluster.serviceClasses(), at(10)))
          .containsExactly(0.0, Double.POSITIVE_INFINITY);
      assertThat(asPrinted().preemptionCost(List.of(), cluster.serviceClasses(), at(10)))
          .containsExactly(0.0, 0.0);
    }

    /**
     * Erratum 1: one host has a victim that is close to a violation, the other a victim with much
     * slack.
     */
    @Test
    void printedCostPrefersABareViolationToNone() {
      ReferenceScheduler bySums = scheduler(QosDriven.PAPER);
      ReferenceScheduler byText = scheduler(asPrinted());
      for (ReferenceScheduler each : List.of(bySums, byText)) {
        host(each, "h1", 1);
        submit(each, "rich", BRONZE, 1, 0);
        pass(each, 0);
        each.apply(new Event.StartedNow("rich"), 0);
        host(each, "h2", 1);
        submit(each, "poor", BRONZE, 1, 100);
        pass(each, 100);
        each.apply(new Event.StartedNow("poor"), at(100));
        submit(each, "j", GOLD, 1, 105);
      }
      assertThat(victims(pass(bySums, 105))).containsExactly("rich"); // ⟨0, …, −95⟩
      assertThat(victims(pass(byText, 105))).containsExactly("poor"); // ⟨…, 1/−5, 0⟩
    }

    @Test
    void preemptsTheMostSlackIfNoneIsWithinItsMargin() {
      for (QosDriven policy : List.of(QosDriven.PAPER, asPrinted())) {
        ReferenceScheduler each = scheduler(policy);
        host(each, "h1", 1);
        submit(each, "poorer", BRONZE, 1, 0);
        pass(each, 50); // Q(100) = 0
        each.apply(new Event.StartedNow("poorer"), at(50));
        host(each, "h2", 1);
        submit(each, "richer", BRONZE, 1, 60);
        pass(each, 60);
        each.apply(new Event.StartedNow("richer"), at(60)); // Q(100) = 40
        submit(each, "j", GOLD, 1, 200); // by then, 100 and 140
        assertThat(victims(pass(each, 200))).containsExactly("richer");
      }
    }

    @Test
    void priorityCountsVictimsOfTheMostImportantClassFirst() {
      host(priority, "h1", 2);
      submit(priority, "silver", SILVER, 2, 0);
      pass(priority, 0);
      host(priority, "h2", 2);
      submit(priority, "bronze1", BRONZE, 1, 1);
      submit(priority, "bronze2", BRONZE, 1, 1);
      pass(priority, 1);
      List.of("silver", "bronze1", "bronze2")
          .forEach(each -> priority.apply(new Event.StartedNow(each), at(2)));
      submit(priority, "j", GOLD, 2, 2);
      assertThat(victims(pass(priority, 2))).containsExactlyInAnyOrder("bronze1", "bronze2");
    }

    /** Eq. 9. */
    @Test
    void comparesTuplesEntryByEntry() {
      assertThat(ReferenceScheduler.compare(List.of(1.0, 9.0), List.of(2.0, 0.0))).isNegative();
      assertThat(ReferenceScheduler.compare(List.of(1.0, 9.0), List.of(1.0, 8.0))).isPositive();
      assertThat(ReferenceScheduler.compare(List.of(-0.0, 1.0), List.of(0.0, 1.0))).isZero();
    }
  }

  @Test
  void planNamesItsTriggers() {
    host(qos, "h1", 1);
    assertThat(pass(qos, 0).triggers()).containsExactly(Trigger.HOST_ADDED);
    assertThat(pass(qos, 9).triggers()).containsExactly(Trigger.EMBEDDER);
    submit(qos, "r1", GOLD, 1, 19);
    assertThat(pass(qos, 19).triggers())
        .containsExactlyInAnyOrder(Trigger.REQUEST_ADMITTED, Trigger.WATCHDOG);
  }

  // ---- Shorthand

  private static QosDriven asPrinted() {
    return new QosDriven(0, ReferenceScore.MEAN, QosDriven.Cost.AS_PRINTED, true, false);
  }

  private static QosDriven withScore(ReferenceScore score) {
    return new QosDriven(0, score, QosDriven.Cost.SLACK_SUMS, true, false);
  }

  private static ReferenceScheduler scheduler(ReferencePolicy policy) {
    return new ReferenceScheduler(
        policy, List.of(BRONZE, SILVER_TOO, GOLD, SILVER), 7, Optional.of(Duration.ofSeconds(10)));
  }

  private static ServiceClass serviceClass(String name, double slo, int importance) {
    return ServiceClass.builder(name).slo(slo).importance(importance).build();
  }

  private static Request.Builder request(String id, ServiceClass serviceClass, Resources demand) {
    return Request.builder(id, serviceClass.name()).demand(demand);
  }

  private static void host(ReferenceScheduler scheduler, String id, int cpu) {
    scheduler.apply(new Event.HostAdded(new HostSpec(id, Resources.of(CPU, cpu))), 0);
  }

  private static void submit(
      ReferenceScheduler scheduler, String id, ServiceClass serviceClass, int cpu, int second) {
    scheduler.apply(
        new Event.Submitted(request(id, serviceClass, Resources.of(CPU, cpu)).build()), at(second));
  }

  /** A host h1 with room for one, and an instance in service there since its admission. */
  private static void running(
      ReferenceScheduler scheduler, String id, ServiceClass serviceClass, int second) {
    host(scheduler, "h1", 1);
    submit(scheduler, id, serviceClass, 1, second);
    pass(scheduler, second);
    scheduler.apply(new Event.StartedNow(id), at(second));
  }

  private static ReferenceInstance resident(
      ReferenceCluster cluster, String id, ServiceClass serviceClass, int admitted, int ready) {
    cluster.apply(
        new Event.Submitted(request(id, serviceClass, Resources.none()).build()), at(admitted));
    LedgerCalls.place(cluster, id, "h1", 1, at(admitted));
    cluster.started(id, at(ready));
    return cluster.instance(id).orElseThrow();
  }

  private static Plan pass(ReferenceScheduler scheduler, int second) {
    return scheduler.schedule(at(second));
  }

  private static List<String> placed(Plan plan) {
    return plan.placements().stream().map(Action.Place::instance).toList();
  }

  private static List<String> victims(Plan plan) {
    return plan.preemptions().stream().map(Action.Preempt::instance).toList();
  }

  private static long at(int second) {
    return Duration.ofSeconds(second).toNanos();
  }

  /** Entries in seconds; adding zero makes one of the two zeros. */
  private static List<Double> seconds(List<Double> nanoseconds) {
    return nanoseconds.stream().map(each -> each / at(1) + 0.0).toList();
  }

  /** Entries per second. */
  private static List<Double> perSecond(List<Double> perNanosecond) {
    return perNanosecond.stream().map(each -> 1 / (1 / each / at(1))).toList();
  }
}

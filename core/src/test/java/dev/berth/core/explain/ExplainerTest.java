package dev.berth.core.explain;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Domain;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Peers;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Reason;
import dev.berth.api.Reason.PolicyChoice;
import dev.berth.api.Taint;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.Cluster;
import dev.berth.core.Scheduler;
import dev.berth.core.Snapshot;
import dev.berth.core.TestParts;
import dev.berth.core.decision.Decision;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.explain.WhyPending.Obstacle;
import dev.berth.core.explain.WhyPending.VictimRefusal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ExplainerTest {

  /** Refuses victims whose id starts with {@code m} (margin) or {@code o} (overhead). */
  private static final PreemptionRule BY_LETTER =
      pair ->
          switch (pair.victim().id().charAt(0)) {
            case 'm' -> Verdict.refuseRest("within-margin", "within margin");
            case 'o' -> Verdict.refuse("over-limit", "over their preemption-overhead limit");
            default -> Verdict.allow("ahead", "ahead of its objective");
          };

  private static Cluster preempting() {
    return preempting(Scheduler.builder());
  }

  private static Cluster preempting(Scheduler.Builder settings) {
    return Cluster.of(settings, parts -> parts.preemption(TestParts.latestFirst(), BY_LETTER));
  }

  private static WhyPending why(Cluster cluster, String id) {
    return cluster.scheduler().explain().whyPending(id, cluster.now());
  }

  @Nested
  class WhyPendingTest {

    @Test
    void countsHostsPerObstacle() {
      Cluster cluster = preempting();
      for (int h = 0; h < 20; h++) {
        cluster.host("h" + h, cores(3.75, 3.75));
        for (int i = 0; i < 10; i++) {
          String id = (h < 12 ? "m" : "o") + h + "-" + i;
          cluster.running(request(id, 0).demand(cores(0.375, 0.375)), "h" + h);
        }
      }
      cluster.at(60).pending(request("a", 0).demand(cores(0.375, 0.375))).pass();

      WhyPending why = why(cluster, "a");

      assertThat(why.describe())
          .isEqualTo(
              "0 of 20 hosts: 20 full (cpu short by 0.375), 20 with no eligible victim"
                  + " (12 within margin, 8 over their preemption-overhead limit)");
      assertThat(why.hosts()).isEqualTo(20);
      assertThat(why.roomyHosts()).isZero();
      assertThat(why.contestedHosts()).isZero();
      assertThat(why.obstacles())
          .containsExactly(
              new Obstacle(
                  "short-of-capacity",
                  Reason.Kind.CURABLE_BY_PREEMPTION,
                  20,
                  "full (cpu short by 0.375)",
                  new Reason.ShortOfCapacity(Dimension.CPU, 375_000_000)));
      assertThat(why.victims())
          .containsExactly(
              new VictimRefusal("within-margin", "within margin", 12),
              new VictimRefusal("over-limit", "over their preemption-overhead limit", 8));
    }

    @Test
    void reportsHostsExcludedByAFilter() {
      Cluster cluster =
          Cluster.of(parts -> parts.filter((a, host, time) -> notOn(host.id(), "h1")));
      cluster.host("h1", 4).host("h2", 1).pending("a", 2).pass();

      assertThat(why(cluster, "a").describe())
          .isEqualTo(
              "0 of 2 hosts: 1 kept free, 1 too small (cpu exceeds them by 1)"
                  + "; the policy says: kept free");
    }

    @Test
    void expectsNoVictimsOnAFilteredHost() {
      Cluster cluster =
          Cluster.of(
              parts ->
                  parts
                      .preemption(TestParts.latestFirst(), TestParts.ALLOW_ALL)
                      .filter(
                          (instance, host, time) ->
                              instance.id().equals("a")
                                  ? notOn(host.id(), "h1")
                                  : notOn("", "h1")));
      cluster.host("h1", 1).running("b", 1, "h1").pending("a", 1);

      WhyPending why = why(cluster, "a");

      assertThat(why.contestedHosts()).isZero();
      assertThat(why.describe()).isEqualTo("0 of 1 hosts: 1 kept free");
      assertThat(cluster.pass().actions()).isEmpty();
    }

    @Test
    void checksRoomForTheGrant() {
      Cluster cluster = Cluster.of(parts -> parts.grants((instance, host) -> cores(3)));
      cluster.host("h1", 5).running("b", 1, "h1").host("h2", 2).pending("a", 1).pass();

      assertThat(why(cluster, "a").describe())
          .isEqualTo("0 of 2 hosts: 1 full (cpu short by 1), 1 too small (cpu exceeds them by 1)");
    }

    @Test
    void reportsAGrantThatIsTooSmall() {
      Cluster cluster = Cluster.of(parts -> parts.grants((instance, host) -> cores(0.5)));
      cluster.host("h1", 5).pending("a", 1).pass();

      WhyPending why = why(cluster, "a");

      assertThat(why.roomyHosts()).isZero();
      assertThat(why.describe())
          .isEqualTo(
              "0 of 1 hosts: 1 cpu granted would be 0.5, must be at least 1, unless the policy's oversubscribes() names cpu and the request guarantees less");
    }

    @Test
    void namesTheHeadOfTheQueue() {
      Cluster cluster = Cluster.of(parts -> parts.backfill(Backfill.NONE));
      cluster.host("h1", 2).running("b", 1, "h1").pending("a", 2).pending("c", 1).pass();

      assertThat(why(cluster, "c").describe())
          .isEqualTo(
              "1 of 1 hosts; the next pass may place it; the policy says: waits its turn behind a");
      assertThat(why(cluster, "a").describe()).isEqualTo("0 of 1 hosts: 1 full (cpu short by 1)");
    }

    private static Optional<Reason> notOn(String host, String kept) {
      return host.equals(kept)
          ? Optional.of(new PolicyChoice("kept-free", "kept free"))
          : Optional.empty();
    }

    @Test
    void groupsObstaclesByKindCurableFirst() {
      Cluster cluster = Cluster.of(parts -> parts);
      Constraint zone = new Constraint.Equal("zone", "a");
      cluster.host("full1", 4, "zone", "a").running("b", 3, "full1");
      cluster.host("full2", 4, "zone", "a").running("c", 3.5, "full2");
      cluster.host("small", 1.5, "zone", "a");
      cluster.host("elsewhere", 4, "zone", "b").host("nowhere", 4);
      cluster.host("shared", 4, "zone", "a").running(request("s", 1).job("j"), "shared");
      cluster.pending(request("a", 2).constraint(zone).job("j").antiAffinity(true)).pass();

      WhyPending why = why(cluster, "a");

      assertThat(why.describe())
          .isEqualTo(
              "0 of 6 hosts: 2 full (cpu short by 1 to 1.5), 1 too small (cpu exceeds them by 0.5),"
                  + " 2 where zone == a does not hold, 1 with another instance of job j");
      assertThat(why.obstacles())
          .extracting(Obstacle::kind)
          .containsExactly(
              Reason.Kind.CURABLE_BY_PREEMPTION,
              Reason.Kind.NOT_CURABLE,
              Reason.Kind.NOT_CURABLE,
              Reason.Kind.NOT_CURABLE);
      assertThat(why.victims()).as("a policy that never preempts").isEmpty();
    }

    @Test
    void groupsObstaclesByDimensionAndConstraint() {
      Cluster cluster = Cluster.of(parts -> parts);
      cluster.host("h1", cores(1, 4)).running(request("b", 0).demand(cores(1, 0)), "h1");
      cluster.host("h2", cores(4, 1)).running(request("c", 0).demand(cores(0, 1)), "h2");
      cluster.host("h3", cores(4, 4), "old", "yes");
      cluster.pending(
          request("a", 0).demand(cores(1, 1)).constraint(new Constraint.NotEqual("old", "yes")));

      assertThat(why(cluster, "a").describe())
          .isEqualTo(
              "0 of 3 hosts: 1 full (cpu short by 1), 1 full (memory short by 1),"
                  + " 1 where old != yes does not hold");
    }

    @Test
    void groupsObstaclesByConstraintAndTooSmallDimension() {
      Cluster cluster = Cluster.of(parts -> parts);
      cluster.host("h1", cores(1, 9), "zone", "a", "ssd", "yes");
      cluster.host("h2", cores(9, 1), "zone", "a", "ssd", "yes");
      cluster.host("h3", cores(9, 9), "zone", "b", "ssd", "yes");
      cluster.host("h4", cores(9, 9), "zone", "a");
      cluster.pending(
          request("a", 0)
              .demand(cores(2, 3))
              .constraint(new Constraint.Equal("zone", "a"))
              .constraint(new Constraint.Equal("ssd", "yes")));

      assertThat(why(cluster, "a").describe())
          .isEqualTo(
              "0 of 4 hosts: 1 too small (cpu exceeds them by 1),"
                  + " 1 too small (memory exceeds them by 2), 1 where ssd == yes does not hold,"
                  + " 1 where zone == a does not hold");
    }

    @Test
    void expectsPlacementOnAHostWithRoom() {
      Cluster cluster = Cluster.of(parts -> parts).host("h1", 1).host("h2", 1);
      cluster.running("b", 1, "h2").pending("a", 1);

      assertThat(why(cluster, "a").describe())
          .isEqualTo("1 of 2 hosts: 1 full (cpu short by 1); the next pass may place it");
      assertThat(why(cluster, "a").roomyHosts()).isEqualTo(1);
    }

    @Test
    void expectsPlacementWithEligibleVictims() {
      Cluster cluster = preempting().host("h1", 1).host("h2", 1);
      cluster.running("v", "bronze", 1, "h1").running("m", "bronze", 1, "h2").pending("a", 1);

      WhyPending why = why(cluster, "a");

      assertThat(why.describe())
          .isEqualTo(
              "1 of 2 hosts: 2 full (cpu short by 1), 1 with no eligible victim (1 within margin),"
                  + " 1 with eligible victims; the next pass may place it");
      assertThat(why.contestedHosts()).isEqualTo(1);
      assertThat(cluster.pass().placements()).hasSize(1);
    }

    @Test
    void expectsPlacementWithVictimsThatARuleRefuses() {
      Cluster cluster = preempting().host("h1", 2);
      cluster.running(request("v", "bronze", 1).job("batch"), "h1");
      PlacementSpec rule = PlacementSpec.builder().apart(Peers.ofJob("batch"), Domain.HOST).build();
      cluster.pending(request("a", 1).placement(rule));

      assertThat(why(cluster, "a").contestedHosts()).isEqualTo(1);
      assertThat(cluster.pass().placements()).hasSize(1);
    }

    @Test
    void reportsTooFewOrNoVictims() {
      Cluster cluster = preempting().host("h1", 2).host("h2", 2);
      cluster.running("v", 1, "h1").starting("s1", "gold", 1, "h1");
      cluster.starting("s2", "gold", 2, "h2").at(1).pending("a", 2);

      assertThat(why(cluster, "a").victims())
          .containsExactlyInAnyOrder(
              new VictimRefusal("too-little", "eligible victims free too little", 1),
              new VictimRefusal("no-candidates", "no instance to preempt", 1));
      assertThat(why(cluster, "a").describe())
          .endsWith(
              "1 with no eligible victim (1 no instance to preempt), 1 where eligible victims free too"
                  + " little");
    }

    @Test
    void namesWhatProtectsTheFirstVictim() {
      Cluster cluster = preempting().host("h1", 2);
      cluster.running("m1", 1, "h1").at(1).running("o1", 1, "h1").at(2).pending("a", 2);

      assertThat(why(cluster, "a").victims())
          .containsExactly(
              new VictimRefusal("over-limit", "over their preemption-overhead limit", 1));
    }

    @Test
    void judgesAtTheGivenTime() {
      PreemptionRule later =
          pair ->
              pair.now() >= 10 * Cluster.SECOND
                  ? Verdict.allow("late", "late")
                  : Verdict.refuse("early", "early");
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(TestParts.latestFirst(), later))
              .host("h1", 1)
              .running("v", 1, "h1")
              .pending("a", 1);
      Explainer explainer = cluster.scheduler().explain();

      assertThat(explainer.whyPending("a", 9 * Cluster.SECOND).contestedHosts()).isZero();
      assertThat(explainer.whyPending("a", 10 * Cluster.SECOND).contestedHosts()).isEqualTo(1);
    }

    @Test
    void judgesForTheGivenInstance() {
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(TestParts.latestFirst(), TestParts.LESS_IMPORTANT))
              .host("h1", 1)
              .running("s", "silver", 1, "h1");
      cluster.pending("g", "gold", 1).pending("b", "bronze", 1);

      assertThat(why(cluster, "g").contestedHosts()).isEqualTo(1);
      assertThat(why(cluster, "b").contestedHosts()).isZero();
    }

    @Test
    void predictsTheNextPass() {
      for (boolean room : List.of(true, false)) {
        Cluster cluster = preempting().host("h1", 1).running(room ? "v" : "m", 1, "h1");
        cluster.pending("a", 1);

        WhyPending why = why(cluster, "a");

        assertThat(cluster.pass().placements())
            .hasSize(why.roomyHosts() + why.contestedHosts() > 0 ? 1 : 0);
      }
    }

    @Test
    void reportsAClusterWithoutHosts() {
      Cluster cluster = Cluster.of(parts -> parts).pending("a", 1);

      assertThat(why(cluster, "a").describe()).isEqualTo("0 of 0 hosts");
    }

    @Test
    void reportsTheHostOfAnInstanceThatIsNotPending() {
      Cluster cluster = Cluster.of(parts -> parts).host("h1", 2);
      cluster.running("a", 1, "h1").starting("b", "gold", 1, "h1");

      assertThat(why(cluster, "a").describe()).isEqualTo("a is not pending: it is RUNNING on h1");
      assertThat(why(cluster, "b").describe()).isEqualTo("b is not pending: it is STARTING on h1");
      assertThat(why(cluster, "a").state()).isEqualTo(InstanceState.RUNNING);
      assertThat(why(cluster, "a").host()).contains("h1");
      assertThat(why(cluster, "a").obstacles()).isEmpty();
    }

    @Test
    void repeatsTheDeferralOfAHandWrittenPolicy() {
      Cluster cluster = Cluster.byHand().host("h1", 1).running("b", 1, "h1").pending("a", 1);
      PolicyChoice choice = new PolicyChoice("night", "it waits for the night");
      cluster.pass(pass -> pass.defer(pass.pending().get(0), choice));

      assertThat(why(cluster, "a").describe())
          .isEqualTo(
              "0 of 1 hosts: 1 full (cpu short by 1); the policy says: it waits for the night");
      assertThat(why(cluster, "a").deferral()).contains(choice);
    }

    @Test
    void namesPolicyErrors() {
      Cluster cluster = Cluster.byHand().host("h1", 1).pending("a", 1).pending("b", 1);
      cluster.pass(
          pass ->
              pass.place(
                  cluster.instance("a"), cluster.host("h1"), List.of(cluster.instance("b"))));

      assertThat(why(cluster, "a").describe())
          .isEqualTo(
              "1 of 1 hosts; the next pass may place it; errors of the"
                  + " policy: instance b must be on h1 to leave it, is PENDING");
      assertThat(why(cluster, "b").policyErrors()).isEmpty();
    }

    /** Two obstacles may have the same code but different subjects; both are listed. */
    @Test
    void countsHostsPerTaintAndPerDimensionOfForeignLoad() {
      Cluster cluster = Cluster.of(parts -> parts).host("h1", cores(2, 2)).host("h2", cores(2, 2));
      for (String host : List.of("disk-1", "gpu-1", "gpu-2")) {
        Taint taint = Taint.noNew(host.substring(0, 3), "full");
        cluster.scheduler().addHost(new HostSpec(host, cores(2, 2)).withTaints(taint), 0);
      }
      cluster.scheduler().foreignLoad("h1", cores(1, 0), 0);
      cluster.scheduler().foreignLoad("h2", cores(0, 1), 0);
      cluster.pending(request("a", 0).demand(cores(2, 2)));

      assertThat(why(cluster, "a").obstacles())
          .extracting(Obstacle::hosts)
          .containsExactlyInAnyOrder(1, 1, 1, 2);
    }

    @Test
    void namesTheTextOfTheFirstHostIfTextsVary() {
      PreemptionRule byVictim =
          pair -> Verdict.refuse(pair.victim().id().substring(0, 1), pair.victim().id());
      Cluster cluster = Cluster.of(parts -> parts.preemption(TestParts.latestFirst(), byVictim));
      for (String victim : List.of("a1", "a1b", "b1")) {
        cluster.host("h" + victim, 1).running(victim, 1, "h" + victim);
      }
      cluster.pending("p", 1);

      assertThat(why(cluster, "p").victims())
          .containsExactly(
              new VictimRefusal("a", "a1 on the first of them", 2),
              new VictimRefusal("b", "b1", 1));
    }

    @Test
    void budgetDecidesIfItProtectsAnyOfTheVictims() {
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(TestParts.latestFirst(), TestParts.LESS_IMPORTANT))
              .host("h1", 2);
      cluster.scheduler().setBudget("web", DisruptionBudget.maxDown(0), 0);
      cluster.running(request("w", "bronze", 1).job("web"), "h1").at(1);
      cluster.running("other", "bronze", 1, "h1").pending("a", 2);

      assertThat(why(cluster, "a").victims())
          .extracting(VictimRefusal::code)
          .containsExactly(WhyPending.PROTECTED);
    }

    /** A limit is an obstacle only where the instance fits. */
    @Test
    void namesWhatIsShortBeforeLimitsAndAfterPeers() {
      Cluster cluster = Cluster.of(parts -> parts);
      cluster.host("h1", 1).running("r", 1, "h1").host("h2", 1).host("h3", 1);
      cluster.running(request("w", 0).job("web"), "h3");
      Peers web = Peers.ofJob("web");
      PlacementSpec placement =
          PlacementSpec.builder().use("licence", 1).apart(web, Domain.HOST).build();
      cluster.pending(request("a", 1).placement(placement));

      assertThat(why(cluster, "a").obstacles())
          .extracting(Obstacle::code, Obstacle::hosts)
          .containsExactlyInAnyOrder(
              tuple("short-of-capacity", 1), tuple("limit-reached", 1), tuple("kept-apart", 1));
    }

    /** The pipeline decided again in a fork that was discarded: its head there is not that here. */
    @Test
    void ignoresTheHeadOfADiscardedFork() {
      Cluster cluster =
          Cluster.withPolicy(
              Scheduler.builder(),
              context -> {
                Policy pipeline = context.pipeline().backfill(Backfill.NONE).build();
                return pass -> {
                  pipeline.schedule(pass);
                  try (SchedulingPass.Fork fork = pass.fork()) {
                    fork.instance("r").ifPresent(r -> fork.suspend(r, new PolicyChoice("x", "y")));
                    pipeline.schedule(fork);
                  }
                };
              });
      cluster.host("h1", 4).running("r", 4, "h1");
      cluster.at(1).pending("a", 4).pending("b", 4).pending("c", 4);

      assertThat(cluster.pass().blockedHead()).contains("a");

      assertThat(why(cluster, "c").deferral()).isEmpty();
    }

    @Test
    void countsHostsPerLimit() {
      Cluster cluster = Cluster.of(parts -> parts).host("h1", 4).host("h2", 4);
      cluster.scheduler().setLimit("a", 1, 0);
      PlacementSpec perHost = PlacementSpec.builder().usePerHost("a", 1).build();
      cluster.running(request("user", 1).placement(perHost), "h1");
      PlacementSpec both = PlacementSpec.builder().usePerHost("a", 1).use("b", 1).build();
      cluster.pending(request("p", 1).placement(both));

      assertThat(why(cluster, "p").obstacles())
          .extracting(Obstacle::code, Obstacle::hosts)
          .containsExactly(tuple("limit-reached", 1), tuple("limit-reached", 1));
    }

    @Test
    void usesAWrappedPipeline() {
      Cluster cluster =
          Cluster.withPolicy(
                  Scheduler.builder(),
                  context -> {
                    Policy pipeline =
                        context.pipeline().preemption(TestParts.latestFirst(), BY_LETTER).build();
                    return pass -> pipeline.schedule(pass);
                  })
              .host("h1", 1)
              .running("m", 1, "h1")
              .pending("a", 1);

      assertThat(why(cluster, "a").victims())
          .containsExactly(new VictimRefusal("within-margin", "within margin", 1));
    }

    @Test
    void forgetsDeferralsWithTheNextPass() {
      Cluster cluster = Cluster.byHand().pending("a", 1);
      cluster.pass(pass -> pass.defer(pass.pending().get(0), new PolicyChoice("x", "y")));

      cluster.pass();

      assertThat(why(cluster, "a").deferral()).isEmpty();
    }

    @Test
    void ignoresDeferralsOfAnEarlierInstanceOfTheId() {
      Cluster cluster = Cluster.byHand().pending("a", 1);
      cluster.pass(pass -> pass.defer(pass.pending().get(0), new PolicyChoice("x", "y")));

      cluster.cancel("a");
      cluster.pending("a", 1);

      assertThat(why(cluster, "a").deferral()).isEmpty();
    }

    @Test
    void ignoresErrorsAboutAnEarlierInstanceOfTheId() {
      Cluster cluster = Cluster.byHand().host("h1", 1).running("b", 1, "h1");
      cluster.pass(pass -> pass.place(cluster.instance("b"), cluster.host("h1")));
      assertThat(why(cluster, "b").policyErrors()).hasSize(1);

      cluster.cancel("b");
      cluster.pending("b", 1);

      assertThat(why(cluster, "b").policyErrors()).isEmpty();
    }

    @Test
    void reportsDeferralOfANewInstanceOfTheId() {
      Cluster cluster = Cluster.byHand().pending("a", 1);
      PolicyChoice choice = new PolicyChoice("x", "y");
      cluster.pass(pass -> pass.defer(pass.pending().get(0), choice));
      cluster.cancel("a");
      cluster.pending("a", 1);

      cluster.pass(pass -> pass.defer(pass.pending().get(0), choice));

      assertThat(why(cluster, "a").deferral()).contains(choice);
    }

    @Test
    void refusesUnknownInstanceAndPastTime() {
      Cluster cluster = Cluster.byHand().at(10).pending("a", 1);
      Explainer explainer = cluster.scheduler().explain();

      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> explainer.whyPending("x", 10 * Cluster.SECOND))
          .withMessage("cannot explain instance x: there is no such instance, or it is done.");
      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> explainer.whyPending("a", 9 * Cluster.SECOND))
          .withMessage(
              "cannot explain instance a at 9000000000 ns: time has reached 10000000000" + " ns.");
    }

    @Test
    void changesNoLaterPlan() {
      Cluster asked = preempting().host("h1", 2).host("h2", 2);
      Cluster unasked = preempting().host("h1", 2).host("h2", 2);
      for (Cluster each : List.of(asked, unasked)) {
        each.running("v", 2, "h1").running("o", 2, "h2").at(1).pending("a", 1).pending("b", 2);
      }
      Snapshot before = asked.snapshot();

      why(asked, "a");
      asked.scheduler().explain().whyPending("b", 99 * Cluster.SECOND);

      assertThat(asked.snapshot()).isEqualTo(before);
      assertThat(asked.pass()).isEqualTo(unasked.pass());
    }
  }

  @Nested
  class WhyPreemptedTest {

    @Test
    void namesBeneficiaryRuleAndChoice() {
      Cluster cluster = preempting().host("h1", 1).host("h2", 1);
      cluster.running("v", "bronze", 1, "h1").running("m", "bronze", 1, "h2");
      cluster.at(90).pending("a", 1).pass();

      WhyPreempted why = cluster.scheduler().explain().whyPreempted("v").orElseThrow();

      assertThat(why.describe())
          .isEqualTo(
              "v was preempted at 1m30s, in pass 3, for a on h1: ahead of its objective; no host had room, and"
                  + " of those with eligible victims this one was cheapest");
      assertThat(why.history()).contains(new PreemptionHistory(1, 90 * Cluster.SECOND, 0));
      assertThat(why.victim().rule()).isEqualTo("ahead");
    }

    @Test
    void namesWhatIsKnownForAHandWrittenPolicy() {
      Cluster cluster = Cluster.byHand().host("h1", 1).running("v", 1, "h1");
      cluster.at(1.5).pending("a", 1).place("a", "h1", "v");

      assertThat(cluster.scheduler().explain().whyPreempted("v").orElseThrow().describe())
          .isEqualTo("v was preempted at 1.5s, in pass 2, for a on h1");
    }

    @Test
    void countsThePreemptionsOfAVictimThatWaits() {
      Cluster cluster = Cluster.byHand().host("h1", 1).running("v", 1, "h1");
      cluster.at(3).pending("a", 1).place("a", "h1", "v").cancel("a");
      cluster.place("v", "h1").at(5).started("v").at(9).pending("b", 1).place("b", "h1", "v");

      assertThat(why(cluster, "v").history())
          .contains(new PreemptionHistory(2, 7 * Cluster.SECOND, 2 * Cluster.SECOND));
      assertThat(why(cluster, "v").describe())
          .contains("; it was preempted 2 times so far, in 7s of service; restarts took 2s");
      assertThat(why(cluster, "b").history()).as("never preempted").isEmpty();
      assertThat(cluster.scheduler().explain().whyPreempted("v").orElseThrow().describe())
          .endsWith(
              "for b on h1; it was preempted 2 times so far, in 7s of service; restarts took 2s");
    }

    @Test
    void describesTheGivenVictimAmongSeveral() {
      Cluster cluster =
          preempting().host("h1", 2).running("v1", 1, "h1").at(1).running("v2", 1, "h1");
      cluster.at(2).pending("a", 2).pass();

      for (String victim : List.of("v1", "v2")) {
        WhyPreempted why = cluster.scheduler().explain().whyPreempted(victim).orElseThrow();
        assertThat(why.victim().instance()).isEqualTo(victim);
        assertThat(why.describe()).startsWith(victim + " was preempted at ");
      }
    }

    @Test
    void describesTheLatestPreemption() {
      Cluster cluster = Cluster.byHand().host("h1", 1).running("v", 1, "h1").pending("a", 1);
      cluster.place("a", "h1", "v").cancel("a");
      cluster.place("v", "h1").pending("b", 1).place("b", "h1", "v");

      assertThat(cluster.scheduler().explain().whyPreempted("v"))
          .map(WhyPreempted::decision)
          .map(Decision::instance)
          .contains("b");
    }

    @Test
    void isEmptyWithoutAPreemptionOrItsDecision() {
      Cluster cluster = Cluster.byHand(Scheduler.builder().decisionLog(1)).host("h1", 2);
      cluster.running("v", 1, "h1").pending("a", 1).pending("b", 1);
      cluster.place("a", "h1", "v");
      assertThat(cluster.scheduler().explain().whyPreempted("v")).isPresent();
      assertThat(cluster.scheduler().explain().whyPreempted("a")).isEmpty();

      cluster.place("b", "h1");

      assertThat(cluster.scheduler().explain().whyPreempted("v")).isEmpty();
    }

    @Test
    void isEmptyIfThePreemptionWasUndone() {
      Cluster cluster = Cluster.byHand().host("h1", 1).running("v", 1, "h1").pending("a", 1);
      cluster.pass(
          pass ->
              pass.fork()
                  .place(
                      cluster.instance("a"), cluster.host("h1"), List.of(cluster.instance("v"))));

      assertThat(cluster.scheduler().explain().whyPreempted("v")).isEmpty();
    }
  }

  @Nested
  class WhyHereTest {

    @Test
    void namesTheScore() {
      Cluster cluster = Cluster.of(parts -> parts).host("h1", 4).host("h2", 1).host("h3", 0.5);
      cluster.at(60).pending("a", 1).pass();

      WhyHere why = cluster.scheduler().explain().whyHere("a").orElseThrow();

      // Least requested .75, balanced 1.
      assertThat(why.describe())
          .isEqualTo(
              "a was placed on h1 at 1m, in pass 1: best allocation score (0.8750) of those with room");
      assertThat(why.hosts()).isEqualTo(3);
    }

    @Test
    void listsTheBestHostsIfRecorded() {
      Cluster cluster =
          Cluster.of(Scheduler.builder().topScores(2), parts -> parts)
              .host("h1", 4)
              .host("h2", 1)
              .host("h3", 2)
              .pending("a", 1);
      cluster.pass();

      assertThat(cluster.scheduler().explain().whyHere("a").orElseThrow().describe())
          .isEqualTo(
              "a was placed on h1 at 0s, in pass 1: best allocation score (0.8750) of the 3 with room;"
                  + " best hosts: h1 0.8750, h3 0.7500");
    }

    @Test
    void namesVictimsAndCosts() {
      Cluster cluster = preempting(Scheduler.builder().topScores(3)).host("h1", 2).host("h2", 2);
      cluster.running("v1", 1, "h1").running("v2", 1, "h1").running("w", 2, "h2");
      cluster.at(1).pending("a", 2).pass();

      assertThat(cluster.scheduler().explain().whyHere("a").orElseThrow().describe())
          .isEqualTo(
              "a was placed on h2 at 1s, in pass 4: no host had room, and of the 2 with eligible victims"
                  + " it had the least preemption cost (allocation score 0.5000); preempting w"
                  + " (ahead of its objective); best hosts: h2 cost [1.0] 0.5000,"
                  + " h1 cost [2.0] 0.5000");
    }

    @Test
    void namesWhatIsKnownForAHandWrittenPolicy() {
      Cluster cluster = Cluster.byHand().host("h1", 1).running("v", 1, "h1").pending("a", 1);
      cluster.place("a", "h1", "v");

      assertThat(cluster.scheduler().explain().whyHere("a").orElseThrow().describe())
          .isEqualTo("a was placed on h1 at 0s, in pass 2; preempting v");
    }

    @Test
    void describesTheGivenInstanceAmongSeveral() {
      Cluster cluster = Cluster.of(parts -> parts).host("h1", 2).pending("a", 1).pending("b", 1);
      cluster.pass();

      for (String instance : List.of("a", "b")) {
        assertThat(cluster.scheduler().explain().whyHere(instance))
            .map(WhyHere::decision)
            .map(Decision::instance)
            .contains(instance);
      }
    }

    @Test
    void isEmptyForAnInstanceOnNoHost() {
      Cluster cluster = Cluster.byHand().host("h1", 1).running("a", 1, "h1").pending("b", 1);
      assertThat(cluster.scheduler().explain().whyHere("b")).isEmpty();
      assertThat(cluster.scheduler().explain().whyHere("x")).isEmpty();

      cluster.failed("a");

      assertThat(cluster.scheduler().explain().whyHere("a")).isEmpty();
    }
  }
}

package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.Constraint;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.History;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Attempt;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.core.error.StaleReportException;
import dev.berth.core.event.Event;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Hosts with taints keep instances away, and make them leave. */
class TaintsTest {

  private static final Taint FULL = Taint.noNew("disk", "full");
  private static final Taint HALF = Taint.preferNot("disk", "half");
  private static final Taint BROKEN = Taint.leaveAfter("gpu", "broken", Duration.ofSeconds(10));

  private static HostSpec spec(String id, double cores, Taint... taints) {
    return new HostSpec(id, cores(cores), Map.of("name", id)).withTaints(taints);
  }

  private static void add(Cluster cluster, String id, double cores, Taint... taints) {
    cluster.scheduler().addHost(spec(id, cores, taints), cluster.now());
  }

  private static void change(Cluster cluster, String id, double cores, Taint... taints) {
    cluster.scheduler().changeHost(spec(id, cores, taints), cluster.now());
  }

  private static Request.Builder tolerant(String id, double cores, Toleration... tolerations) {
    PlacementSpec.Builder placement = PlacementSpec.builder();
    for (Toleration each : tolerations) {
      placement.tolerate(each);
    }
    return request(id, cores).placement(placement.build());
  }

  private static Toleration staying(String key, double seconds) {
    return new Toleration(
        Optional.of(key),
        Optional.empty(),
        Optional.empty(),
        Optional.of(Duration.ofMillis(Math.round(seconds * 1000))));
  }

  private static List<String> words(Plan plan) {
    return plan.actions().stream().map(Action::describe).toList();
  }

  @Nested
  class Coming {

    @ParameterizedTest
    @MethodSource("dev.berth.core.CordonTest#pipelines")
    void onlyToleratingInstancesCome(UnaryOperator<PipelineBuilder> parts) {
      Cluster cluster = Cluster.of(parts);
      add(cluster, "h1", 4, FULL);
      add(cluster, "h2", 1, BROKEN);
      cluster
          .pending(tolerant("a", 1, Toleration.of("disk")))
          .pending("b", 1)
          .pending(tolerant("c", 1, Toleration.of("gpu", "broken")))
          .pending(tolerant("d", 1, Toleration.of("disk", "half")));

      assertThat(Plans.placements(cluster.pass())).containsExactly("a on h1", "c on h2");

      change(cluster, "h1", 4);

      assertThat(Plans.placements(cluster.pass())).containsExactly("b on h1", "d on h1");
    }

    @ParameterizedTest
    @MethodSource("dev.berth.core.CordonTest#pipelines")
    void thoseThatAreThereStay(UnaryOperator<PipelineBuilder> parts) {
      Cluster cluster = Cluster.of(parts).host("h1", 2).running("a", 1, "h1");
      change(cluster, "h1", 2, FULL, HALF);
      cluster.pending("b", 1);

      assertThat(cluster.pass().actions()).isEmpty();
      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.RUNNING);
      assertThat(cluster.host("h1").taints()).containsExactly(FULL, HALF);
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
    }

    @Test
    void aTaintThatDiscouragesKeepsNothingAway() {
      Cluster cluster = Cluster.of(UnaryOperator.identity());
      add(cluster, "h1", 1, HALF);
      cluster.pending("a", 1);

      assertThat(Plans.placements(cluster.pass())).containsExactly("a on h1");
    }

    @Test
    void anUntaintedHostIsPreferred() {
      Cluster cluster = Cluster.of(UnaryOperator.identity());
      add(cluster, "h1", 8, HALF);
      add(cluster, "h2", 2);
      cluster.pending("a", 1).pending("b", 1).pending("c", 1);

      assertThat(Plans.placements(cluster.pass())).containsExactly("a on h2", "b on h2", "c on h1");
    }

    @Test
    void noVictimLeavesAHostThatRepelsTheNewcomer() {
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(TestParts.latestFirst(), TestParts.LESS_IMPORTANT))
              .host("h1", 1)
              .running("a", "bronze", 1, "h1")
              .pending("b", "gold", 1);
      change(cluster, "h1", 1, FULL);

      assertThat(cluster.pass().actions()).isEmpty();

      cluster.pending(tolerant("c", 1, Toleration.ALL));

      assertThat(words(cluster.pass())).containsExactly("preempt a on h1 for c", "place c on h1");
    }

    @Test
    void requestsThatDifferInTolerationsShareNoKnowledgeOfHosts() {
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(TestParts.latestFirst(), TestParts.LESS_IMPORTANT));
      add(cluster, "h1", 2, FULL);
      for (int i = 0; i < 6; i++) {
        cluster.pending("a" + i, 1);
      }
      assertThat(cluster.pass().actions()).isEmpty();
      cluster.pending(tolerant("b", 1, Toleration.of("disk")));

      assertThat(Plans.placements(cluster.pass())).containsExactly("b on h1");
    }

    @Test
    void theGuardRefusesToPlaceMoveAndResume() {
      Cluster cluster = Cluster.byHand();
      add(cluster, "h1", 4, BROKEN, FULL);
      cluster.host("h2", 4).running("b", 1, "h2").pending("a", 1);
      cluster.running("c", 1, "h2");
      cluster.pass(pass -> pass.pause(cluster.instance("c"), WHY));
      change(cluster, "h2", 4, FULL);

      cluster.pass(
          pass -> {
            assertThat(pass.place(cluster.instance("a"), cluster.host("h1")).refusal())
                .contains(new Reason.Tainted(BROKEN));
            assertThat(
                    pass.migrate(cluster.instance("b"), cluster.host("h1"), cores(1), WHY)
                        .refusal())
                .contains(new Reason.Tainted(BROKEN));
            assertThat(pass.resume(cluster.instance("c"), cores(1), WHY).refusal())
                .contains(new Reason.Tainted(FULL));
            assertThat(pass.resize(cluster.instance("b"), cores(2), WHY).refusal()).isEmpty();
          });
      change(cluster, "h2", 4);

      cluster.pass(
          pass ->
              assertThat(pass.resume(cluster.instance("c"), cores(1), WHY).refusal()).isEmpty());
    }

    @Test
    void aDrainMovesNothingToAHostThatRepelsIt() {
      Cluster cluster = Cluster.byHand().host("h1", 2).running("a", 1, "h1");
      cluster.running(tolerant("b", 1, Toleration.of("disk")), "h1");
      add(cluster, "h2", 4, FULL);
      cluster.drained("h1", Drain.moving());

      assertThat(words(cluster.pass())).containsExactly("migrate b from h1 to h2 with cpu 1");

      change(cluster, "h2", 4, HALF);

      assertThat(words(cluster.pass())).containsExactly("migrate a from h1 to h2 with cpu 1");
    }

    @Test
    void waitingIsExplainedByTaint() {
      Cluster cluster = Cluster.of(UnaryOperator.identity());
      add(cluster, "h1", 4, FULL);
      add(cluster, "h2", 4, FULL);
      add(cluster, "h3", 4, HALF, BROKEN);
      cluster.host("h4", 0.5).pending("a", 1).pass();

      String text = cluster.scheduler().explain().whyPending("a", 0).describe();

      assertThat(text)
          .isEqualTo(
              "0 of 4 hosts: 1 too small (cpu exceeds them by 0.5), 2 with the taint disk=full (no"
                  + " new), 1 with the taint gpu=broken (leave)");
    }
  }

  @Nested
  class Unreachable {

    private static final Taint LOST = Taint.unreachable(Duration.ofSeconds(10));

    @ParameterizedTest
    @MethodSource("dev.berth.core.CordonTest#pipelines")
    void nothingComesThereWhateverItTolerates(UnaryOperator<PipelineBuilder> parts) {
      Cluster cluster = Cluster.of(parts).host("h1", 2);
      change(cluster, "h1", 2, LOST);
      cluster.pending(tolerant("a", 1, Toleration.ALL));

      assertThat(cluster.pass().actions()).isEmpty();
      assertThat(cluster.scheduler().explain().whyPending("a", cluster.now()).describe())
          .isEqualTo("0 of 1 hosts: 1 with the taint berth.dev/unreachable (leave)");

      change(cluster, "h1", 2);
      assertThat(Plans.placements(cluster.pass())).containsExactly("a on h1");
    }

    @Test
    void nothingIsDoneAboutWhatIsThere() {
      Cluster cluster = Cluster.byHand().host("h1", 4).host("h2", 4);
      cluster.running(tolerant("a", 1, Toleration.ALL), "h1");
      cluster.running(tolerant("b", 1, Toleration.ALL), "h1");
      cluster.pass(pass -> pass.suspend(cluster.instance("b"), WHY));
      change(cluster, "h1", 4, LOST);

      Plan plan =
          cluster.pass(
              pass -> {
                Optional<Reason> lost = Optional.of(new Reason.Tainted(LOST));
                Instance a = cluster.instance("a");
                Instance b = cluster.instance("b");
                assertThat(pass.pause(a, WHY).refusal()).isEqualTo(lost);
                assertThat(pass.suspend(a, WHY).refusal()).isEqualTo(lost);
                assertThat(pass.resize(a, cores(1), WHY).refusal()).isEqualTo(lost);
                assertThat(pass.migrate(a, cluster.host("h2"), cores(1), WHY).refusal())
                    .isEqualTo(lost);
                assertThat(pass.resume(b, cores(1), WHY).refusal()).isEqualTo(lost);
              });

      assertThat(plan.policyErrors()).isEmpty();
      assertThat(cluster.at(1000).pass().actions()).as("tolerated for ever").isEmpty();
    }

    @Test
    void itsInstancesAreEvictedAfterTheGraceWhateverProtectsThem() {
      Cluster cluster = Cluster.byHand().host("h1", 4).host("h2", 4);
      cluster.running(request("a", 1).job("web"), "h1");
      cluster.running(tolerant("b", 1, staying(Taint.UNREACHABLE, 3)).job("web"), "h1");
      cluster.scheduler().setBudget("web", DisruptionBudget.minUp(2), cluster.now());
      change(cluster, "h1", 4, LOST);
      assertThat(cluster.pass().actions()).isEmpty();

      assertThat(cluster.scheduler().nextPassAt()).hasValue(seconds(3));
      assertThat(words(cluster.at(3).pass())).singleElement().asString().startsWith("evict b");
      assertThat(words(cluster.at(10).pass())).singleElement().asString().startsWith("evict a");
    }

    @Test
    void drainsLeaveItAlone() {
      Cluster cluster = Cluster.byHand().host("h1", 4).host("h2", 4).running("a", 1, "h1");
      change(cluster, "h1", 4, LOST);
      cluster.drained("h1", Drain.moving().until(seconds(5)).atDeadline(Drain.AtDeadline.EVICT));

      assertThat(cluster.pass().actions()).isEmpty();
      assertThat(cluster.at(5).pass().actions()).isEmpty();

      change(cluster, "h1", 4);
      assertThat(words(cluster.at(6).pass())).singleElement().asString().startsWith("migrate a");
    }

    @Test
    void aCompletionThereCountsUntilTheInstanceIsPlacedElsewhere() {
      Cluster cluster = Cluster.byHand().host("h1", 4).host("h2", 4);
      cluster.running("a", 1, "h1").running("b", 1, "h1");
      change(cluster, "h1", 4, LOST);
      cluster.at(10).pass();
      cluster.place("b", "h2");

      cluster.scheduler().completed(new Attempt("a", 1), seconds(9), cluster.now());

      assertThat(cluster.scheduler().instance("a")).isEmpty();
      assertThatExceptionOfType(StaleReportException.class)
          .isThrownBy(
              () -> cluster.scheduler().completed(new Attempt("b", 1), seconds(9), cluster.now()));
    }
  }

  @Nested
  class Leaving {

    @ParameterizedTest
    @MethodSource("dev.berth.core.CordonTest#pipelines")
    void anInstanceIsEvictedAfterTheGrace(UnaryOperator<PipelineBuilder> parts) {
      Cluster cluster = Cluster.of(parts).host("h1", 4).running("a", 1, "h1").running("b", 1, "h1");
      cluster.running(tolerant("c", 1, Toleration.of("gpu")), "h1").at(5);
      change(cluster, "h1", 4, BROKEN);
      assertThat(cluster.pass().actions()).isEmpty();
      assertThat(cluster.scheduler().nextPassAt()).hasValue(seconds(15));
      assertThat(cluster.at(14).pass().actions()).isEmpty();
      assertThat(cluster.scheduler().nextPassAt()).hasValue(seconds(15));

      Plan plan = cluster.at(15).pass();

      assertThat(plan.triggers()).containsExactly(Trigger.EXPIRY);
      Reason why = new Reason.Expelled("h1", BROKEN);
      assertThat(plan.actions())
          .containsExactly(new Action.Evict("a", "h1", why), new Action.Evict("b", "h1", why));
      assertThat(cluster.instance("a").preemptions()).isZero();
      assertThat(cluster.instance("a").serviceTime(seconds(20))).isEqualTo(seconds(15));
      assertThat(cluster.scheduler().explain().whyAdjusted("b").orElseThrow().why()).isEqualTo(why);
      assertThat(cluster.scheduler().nextPassAt()).as("to place them").hasValue(seconds(15));
      change(cluster, "h1", 2);
      assertThat(cluster.pass().placements()).hasSize(1);
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
    }

    @Test
    void theShortestTolerationDecides() {
      Cluster cluster = Cluster.byHand().host("h1", 4).running("a", 1, "h1");
      cluster.running(tolerant("b", 1, staying("gpu", 20), staying("gpu", 7)), "h1");
      cluster.running(tolerant("c", 1, staying("gpu", 12), Toleration.of("gpu")), "h1");
      cluster.running(tolerant("d", 1, staying("disk", 1), Toleration.of("gpu")), "h1");
      change(cluster, "h1", 4, BROKEN);

      assertThat(cluster.pass().actions()).isEmpty();
      assertThat(cluster.scheduler().nextPassAt()).hasValue(seconds(7));
      assertThat(words(cluster.at(7).pass())).singleElement().asString().startsWith("evict b");
      cluster.pass();
      assertThat(cluster.scheduler().nextPassAt()).hasValue(seconds(10));
      assertThat(words(cluster.at(11).pass())).singleElement().asString().startsWith("evict a");
      cluster.pass();
      assertThat(cluster.scheduler().nextPassAt()).hasValue(seconds(12));
      assertThat(words(cluster.at(12).pass())).singleElement().asString().startsWith("evict c");
      cluster.pass();
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
    }

    @Test
    void anInstanceIsPlacedOnlyWhereItMayStay() {
      Cluster cluster = Cluster.of(UnaryOperator.identity()).host("h1", 1);
      cluster.running(tolerant("a", 1, staying("gpu", 20)), "h1");
      cluster.pending(tolerant("b", 1, staying("gpu", 20)));
      change(cluster, "h1", 1, BROKEN);
      assertThat(cluster.at(10).pass().actions()).isEmpty();

      assertThat(words(cluster.at(20).pass())).singleElement().asString().startsWith("evict a");
      assertThat(cluster.pass().actions()).isEmpty();
      assertThat(cluster.scheduler().nextPassAt()).as("no pass for ever").isEmpty();
      assertThat(cluster.scheduler().explain().whyPending("b", cluster.now()).describe())
          .isEqualTo("0 of 1 hosts: 1 with the taint gpu=broken (leave)");

      cluster.pending(tolerant("c", 1, staying("disk", 20), Toleration.of("gpu")));
      assertThat(Plans.placements(cluster.pass())).containsExactly("c on h1");
    }

    @Test
    void aTolerationForATimeAdmitsWhereTheTaintEvictsNothing() {
      Cluster cluster = Cluster.of(UnaryOperator.identity());
      add(cluster, "h1", 1, FULL);
      cluster.pending(tolerant("a", 1, staying("disk", 20)));

      assertThat(Plans.placements(cluster.pass())).containsExactly("a on h1");
    }

    @Test
    void anUnchangedTaintKeepsItsTime() {
      Cluster cluster = Cluster.byHand().host("h1", 4).running("a", 1, "h1");
      change(cluster, "h1", 4, BROKEN);
      cluster.at(4);
      change(cluster, "h1", 3, HALF, Taint.leaveAfter("gpu", "broken", Duration.ofSeconds(6)));
      cluster.pass();

      assertThat(cluster.scheduler().nextPassAt()).as("grace").hasValue(seconds(6));

      cluster.at(5);
      change(cluster, "h1", 3, Taint.leaveAfter("gpu", "smoking", Duration.ofSeconds(6)));
      cluster.pass();

      assertThat(cluster.scheduler().nextPassAt()).as("value").hasValue(seconds(11));

      change(cluster, "h1", 3, Taint.leaveAfter("other", "smoking", Duration.ZERO));
      assertThat(words(cluster.pass())).hasSize(1);
    }

    @Test
    void withoutTheTaintItStays() {
      Cluster cluster = Cluster.byHand().host("h1", 4).running("a", 1, "h1");
      change(cluster, "h1", 4, BROKEN);
      cluster.at(4).pass();
      change(cluster, "h1", 4, FULL);
      cluster.pass();

      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
      assertThat(cluster.at(20).pass().actions()).isEmpty();
    }

    @Test
    void noPassIsDueOnceTheLastInstanceHasLeft() {
      Cluster cluster = Cluster.byHand().host("h1", 4).running("a", 1, "h1");
      change(cluster, "h1", 4, BROKEN);
      cluster.pass();
      cluster.completed("a");
      cluster.pass();

      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
    }

    @Test
    void anInstanceOnItsWayThereLeavesToo() {
      Cluster cluster = Cluster.byHand().host("h1", 4).host("h2", 4).running("a", 1, "h2");
      cluster.running(tolerant("b", 1, staying("gpu", 30)), "h1");
      change(cluster, "h1", 4, BROKEN);
      cluster.pass();

      assertThat(cluster.scheduler().nextPassAt()).hasValue(seconds(30));

      adopt(cluster, "c", "h1");

      assertThat(cluster.at(1).pass().triggers()).containsExactly(Trigger.REQUEST_ADMITTED);
      assertThat(cluster.scheduler().nextPassAt()).hasValue(seconds(10));
      assertThat(words(cluster.at(10).pass())).singleElement().asString().startsWith("evict c");
    }

    @Test
    void allStatesOnAHostAreEvicted() {
      Cluster cluster = Cluster.byHand().host("h1", 6).starting(request("a", 1), "h1");
      cluster.running("b", 1, "h1").running("c", 1, "h1");
      cluster.pass(
          pass -> {
            pass.pause(cluster.instance("b"), WHY);
            pass.suspend(cluster.instance("c"), WHY);
          });
      change(cluster, "h1", 6, Taint.leaveAfter("gpu", "", Duration.ZERO));

      assertThat(cluster.pass().actions()).hasSize(3);
      assertThat(cluster.host("h1").instances()).isEmpty();
    }

    @Test
    void aPolicyDoesNotActOnWhatWasEvicted() {
      Cluster cluster = Cluster.byHand().host("h1", 2).host("h2", 2).running("a", 1, "h1");
      change(cluster, "h1", 2, Taint.leaveAfter("gpu", "", Duration.ZERO));

      Plan plan =
          cluster.pass(
              pass ->
                  assertThat(pass.place(cluster.instance("a"), cluster.host("h2")).refusal().get())
                      .isInstanceOf(Reason.Expelled.class));

      assertThat(plan.policyErrors()).isEmpty();
    }

    @Test
    void aDrainMovesWhatATaintWouldEvict() {
      Cluster cluster = Cluster.byHand().host("h1", 2).running("a", 1, "h1");
      change(cluster, "h1", 2, Taint.leaveAfter("gpu", "", Duration.ZERO));
      cluster.host("h2", 2).drained("h1", Drain.moving());

      assertThat(words(cluster.pass())).containsExactly("migrate a from h1 to h2 with cpu 1");
      assertThat(cluster.pass().actions()).isEmpty();
    }

    @Test
    void aDrainMovesNothingWhereItWouldHaveToLeave() {
      Cluster cluster = Cluster.byHand().host("h1", 2);
      cluster.running(tolerant("a", 1, staying("gpu", 1)), "h1");
      add(cluster, "h2", 2, BROKEN);
      cluster.drained("h1", Drain.moving()).at(3);

      assertThat(cluster.pass().actions()).isEmpty();
    }

    @Test
    void aRejectedEvictionIsTriedAgain() {
      Cluster cluster = Cluster.byHand().host("h1", 2).running("a", 1, "h1");
      change(cluster, "h1", 2, Taint.leaveAfter("gpu", "", Duration.ZERO));
      Plan plan = cluster.pass();

      cluster.scheduler().rejected(plan.id(0), "for a test", cluster.now());

      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.RUNNING);
      assertThat(words(cluster.pass())).hasSize(1);
    }

    @Test
    void removedHostsExpelNothing() {
      Cluster cluster = Cluster.byHand().host("h1", 2).running("a", 1, "h1");
      change(cluster, "h1", 2, BROKEN);
      cluster.removed("h1").pass();

      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
      cluster.host("h1", 2).place("a", "h1");
      assertThat(cluster.at(20).pass().actions()).isEmpty();
    }
  }

  @Test
  void aRestoredSchedulerKnowsSinceWhen() {
    Cluster cluster = Cluster.of(UnaryOperator.identity()).host("h1", 2).running("a", 1, "h1");
    change(cluster, "h1", 2, BROKEN);
    cluster.at(4).pass();

    Scheduler restored =
        Scheduler.builder()
            .policy("test", context -> context.pipeline().build())
            .restore(cluster.snapshotData())
            .build();

    assertThat(restored.digest()).isEqualTo(cluster.scheduler().digest());
    assertThat(restored.nextPassAt()).hasValue(seconds(10));
    assertThat(restored.schedule(seconds(10)).actions()).hasSize(1);
    change(cluster, "h1", 2, HALF);
    assertThat(restored.digest()).isNotEqualTo(cluster.scheduler().digest());
  }

  @Nested
  class Supposing {

    @Test
    void aTaintThatIsSupposedIsTakenBack() {
      Cluster cluster =
          Cluster.of(UnaryOperator.identity()).host("h1", 2).running("a", 1, "h1").at(3);
      change(cluster, "h1", 2, BROKEN);
      cluster.pass();
      long before = cluster.scheduler().digest();

      Taint now = Taint.leaveAfter("gpu", "", Duration.ZERO);
      Plan plan =
          cluster
              .scheduler()
              .whatIf()
              .suppose(new Event.HostChanged(spec("h1", 2, now)))
              .plan(seconds(3))
              .plan();

      assertThat(plan.actions()).hasSize(1);
      assertThat(cluster.scheduler().digest()).isEqualTo(before);
      assertThat(cluster.host("h1").taints()).containsExactly(BROKEN);
      assertThat(cluster.scheduler().nextPassAt()).hasValue(seconds(13));
      assertThat(cluster.at(13).pass().actions()).hasSize(1);
    }

    @Test
    void aSupposedChangeKeepsTheTimeOfATaint() {
      Cluster cluster = Cluster.of(UnaryOperator.identity()).host("h1", 2).running("a", 1, "h1");
      change(cluster, "h1", 2, BROKEN);
      cluster.pass();

      WhatIf larger =
          cluster.scheduler().whatIf().suppose(new Event.HostChanged(spec("h1", 3, BROKEN)));

      assertThat(larger.plan(seconds(9)).plan().actions()).isEmpty();
      assertThat(larger.plan(seconds(10)).plan().actions()).hasSize(1);
      assertThat(cluster.scheduler().nextPassAt()).hasValue(seconds(10));
    }

    @Test
    void moreHostsHaveTheTaintsOfTheirKind() {
      Cluster cluster = Cluster.of(UnaryOperator.identity()).host("h1", 1).pending("a", 2);

      assertThat(hostsNeeded(cluster, spec("new", 2, FULL))).isEmpty();
      assertThat(hostsNeeded(cluster, spec("new", 2, HALF))).hasValue(1);
    }

    private OptionalInt hostsNeeded(Cluster cluster, HostSpec kind) {
      return cluster.scheduler().whatIf().hostsNeeded(kind, List.of("a"), 4, 0);
    }
  }

  private static final Reason WHY = new Reason.PolicyChoice("test", "for a test");

  private static void adopt(Cluster cluster, String id, String host) {
    Request request = request(id, 1).constraint(new Constraint.Exists("name")).build();
    cluster
        .scheduler()
        .adopt(
            new Adoption(request, History.since(cluster.now())),
            new ObservedInstance(
                id,
                host,
                InstanceState.RUNNING,
                OptionalInt.empty(),
                OptionalLong.empty(),
                Resources.none()),
            cluster.now());
  }

  private static long seconds(double seconds) {
    return Math.round(seconds * Cluster.SECOND);
  }
}

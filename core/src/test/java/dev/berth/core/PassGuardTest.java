package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Reason.AntiAffinity;
import dev.berth.api.Reason.ConstraintNotMet;
import dev.berth.api.Reason.LargerThanHost;
import dev.berth.api.Reason.PolicyChoice;
import dev.berth.api.Reason.ShortOfCapacity;
import dev.berth.api.Reason.Unknown;
import dev.berth.api.Reason.WrongState;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Plan.PolicyError;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.decision.SeededTieBreaker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of a pass: which actions it refuses, why, and that a refusal changes nothing. */
class PassGuardTest {

  private static final Dimension GPU = new Dimension("gpu", 1);
  private static final Reason WHY = new Reason.PolicyChoice("test", "because");

  private final Cluster cluster = Cluster.byHand();

  // ---- Capacity

  @Test
  void placesDemandThatFitsExactly() {
    cluster.host("h1", cores(1, 2)).pending(request("a", 0).demand(cores(1, 2)));

    Plan plan = cluster.pass(pass -> assertThat(place(pass, "a", "h1").accepted()).isTrue());

    assertThat(plan.actions()).containsExactly(new Action.Place("a", "h1", List.of()));
    assertThat(cluster.host("h1").free()).isEqualTo(Resources.none());
    assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.STARTING);
  }

  @Test
  void refusesOneUnitTooMuchInOneDimension() {
    Resources demand = Resources.of(Dimension.CPU, 1, Dimension.MEMORY, 2_000_000_001);
    cluster.host("h1", cores(1, 4)).running(request("b", 0).demand(cores(0, 2)), "h1");
    cluster.pending(request("a", 0).demand(demand));

    assertRefused(
        "a", "h1", new ShortOfCapacity(Dimension.MEMORY, 1), "memory short by 0.000000001");
  }

  @Test
  void reportsDemandLargerThanTheHost() {
    cluster.host("h1", 4).running("b", 4, "h1").pending("a", 6.5);

    assertRefused(
        "a",
        "h1",
        new LargerThanHost(Dimension.CPU, 2_500_000_000L),
        "cpu exceeds the whole host by 2.5");
  }

  @Test
  void missingDimensionCountsAsTooLarge() {
    cluster.host("h1", 4);
    cluster.pending(request("a", 0).demand(Resources.of(Dimension.CPU, 1, GPU, 2)));

    assertRefused("a", "h1", new LargerThanHost(GPU, 2), "gpu exceeds the whole host by 2");
  }

  @Test
  void startingInstancesHoldCapacity() {
    cluster.host("h1", 4).starting("b", "gold", 3, "h1").pending("a", 2);

    assertRefused("a", "h1", new ShortOfCapacity(Dimension.CPU, 1_000_000_000), "cpu short by 1");
  }

  @Test
  void placementInThePassHoldsCapacityAtOnce() {
    cluster.host("h1", 3).pending("a", 2).pending("b", 2);

    cluster.pass(
        pass -> {
          assertThat(place(pass, "a", "h1").accepted()).isTrue();
          assertThat(place(pass, "b", "h1").refusal())
              .contains(new ShortOfCapacity(Dimension.CPU, 1_000_000_000));
        });
  }

  @Test
  void refusesAGrantThatGrowsBeyondWhatForeignLoadLeaves() {
    cluster.host("h1", 4).running("a", 1, "h1").foreign("h1", 2);

    cluster.pass(
        pass ->
            assertThat(pass.resize(pass.instance("a").orElseThrow(), cores(3), WHY).refusal())
                .contains(new Reason.ForeignLoad(Dimension.CPU, 1_000_000_000L)));
  }

  @Test
  void allowsTheSameGrantOnAHostThatHasBecomeTooSmall() {
    cluster.host("h1", 4).running("a", 3, "h1").changed("h1", 2);

    cluster.pass(
        pass ->
            assertThat(pass.resize(pass.instance("a").orElseThrow(), cores(3), WHY).refusal())
                .isEmpty());
  }

  /** The instance is from a time when no host had that dimension. */
  @Test
  void refusesAGrantOfADimensionThatOnlyOtherHostsHave() {
    cluster.host("h1", 4).running("a", 1, "h1").host("h2", Resources.of(GPU, 1));

    cluster.pass(
        pass ->
            assertThat(
                    pass.resize(
                            pass.instance("a").orElseThrow(),
                            Resources.of(Dimension.CPU, 1_000_000_000L, GPU, 1),
                            WHY)
                        .refusal())
                .contains(new LargerThanHost(GPU, 1)));
  }

  @Test
  void emptyDemandFitsOnAFullHost() {
    cluster.host("h1", 1).running("b", 1, "h1").pending(Cluster.request("a", 0));

    cluster.pass(pass -> assertThat(place(pass, "a", "h1").accepted()).isTrue());
  }

  // ---- Constraints

  @Test
  void namesTheFirstViolatedConstraintAndTheActualValue() {
    Constraint zone = new Constraint.Equal("zone", "a");
    cluster.host("h1", 1, "zone", "b");
    cluster.pending(
        request("a", 1)
            .constraint(new Constraint.Exists("zone"))
            .constraint(zone)
            .constraint(new Constraint.Exists("ssd")));

    assertRefused("a", "h1", new ConstraintNotMet(zone, Optional.of("b")), "needs zone == a, is b");
  }

  @Test
  void reportsAMissingAttribute() {
    Constraint ssd = new Constraint.Exists("ssd");
    cluster.host("h1", 1).pending(request("a", 1).constraint(ssd));

    assertRefused(
        "a",
        "h1",
        new ConstraintNotMet(ssd, Optional.empty()),
        "needs ssd exists, has no such attribute");
  }

  @Test
  void checksConstraintsBeforeCapacity() {
    Constraint ssd = new Constraint.Exists("ssd");
    cluster.host("h1", 1).running("b", 1, "h1").pending(request("a", 5).constraint(ssd));

    cluster.pass(
        pass ->
            assertThat(place(pass, "a", "h1").refusal())
                .contains(new ConstraintNotMet(ssd, Optional.empty())));
  }

  // ---- Anti-affinity

  @Test
  void antiAffineInstanceIsNotPlacedBesideItsJob() {
    cluster.host("h1", 4).running(request("b", 1).job("j"), "h1");
    cluster.pending(request("a", 1).job("j").antiAffinity(true));

    assertRefused("a", "h1", new AntiAffinity("j", "b"), "anti-affinity with b of job j");
  }

  @Test
  void siblingIsNotPlacedBesideAnAntiAffineInstance() {
    cluster.host("h1", 4).running(request("b", 1).job("j").antiAffinity(true), "h1");
    cluster.pending(request("a", 1).job("j"));

    assertRefused("a", "h1", new AntiAffinity("j", "b"), "anti-affinity with b of job j");
  }

  @Test
  void siblingsWithoutAntiAffinityShareAHost() {
    cluster.host("h1", 4).running(request("b", 1).job("j"), "h1").pending(request("a", 1).job("j"));

    cluster.pass(pass -> assertThat(place(pass, "a", "h1").accepted()).isTrue());
  }

  @Test
  void antiAffinityConcernsTheSameJobOnly() {
    cluster.host("h1", 4).running(request("b", 1).job("k").antiAffinity(true), "h1");
    cluster.running("c", 1, "h1").pending(request("a", 1).job("j").antiAffinity(true));

    cluster.pass(pass -> assertThat(place(pass, "a", "h1").accepted()).isTrue());
  }

  @Test
  void namesTheEarliestAdmittedConflictingSibling() {
    cluster.host("h1", 4);
    cluster.running(request("z", 1).job("j"), "h1").running(request("b", 1).job("j"), "h1");
    cluster.pending(request("a", 1).job("j").antiAffinity(true));

    cluster.pass(
        pass -> assertThat(place(pass, "a", "h1").refusal()).contains(new AntiAffinity("j", "z")));
  }

  @Test
  void namesOnlyConflictingSiblings() {
    cluster.host("h1", 4).running(request("x", 1).job("k"), "h1");
    cluster.running(request("b", 1).job("j"), "h1");
    cluster.pending(request("a", 1).job("j").antiAffinity(true));

    cluster.pass(
        pass -> assertThat(place(pass, "a", "h1").refusal()).contains(new AntiAffinity("j", "b")));
  }

  @Test
  void siblingThatIsAVictimDoesNotConflict() {
    cluster.host("h1", 1).running(request("b", 1).job("j"), "h1");
    cluster.pending(request("a", 1).job("j").antiAffinity(true));

    cluster.pass(pass -> assertThat(place(pass, "a", "h1", "b").accepted()).isTrue());

    assertThat(cluster.instance("b").state()).isEqualTo(InstanceState.PENDING);
  }

  @Test
  void everyConflictingSiblingMustBeAVictim() {
    cluster.host("h1", 4);
    cluster.running(request("b", 1).job("j"), "h1").running(request("c", 1).job("j"), "h1");
    cluster.pending(request("a", 1).job("j").antiAffinity(true));

    cluster.pass(
        pass -> {
          assertThat(place(pass, "a", "h1", "b").refusal()).contains(new AntiAffinity("j", "c"));
          assertThat(place(pass, "a", "h1", "b", "c").accepted()).isTrue();
        });
  }

  @Test
  void antiAffinityEndsWhenTheSiblingLeaves() {
    cluster.host("h1", 4).host("h2", 4);
    cluster.running(request("b", 1).job("j").antiAffinity(true), "h1");
    cluster.completed("b");
    cluster.running(request("c", 1).job("j").antiAffinity(true), "h2").removed("h2");
    cluster.host("h2", 4).pending(request("a", 1).job("j").antiAffinity(true));

    cluster.pass(
        pass -> {
          assertThat(obstacle(pass, "a", "h1")).isEmpty();
          assertThat(obstacle(pass, "a", "h2")).isEmpty();
        });
  }

  // ---- States

  @Test
  void placesOnlyPendingInstances() {
    cluster.host("h1", 4).running("a", 1, "h1").starting("b", "gold", 1, "h1");

    assertRefused(
        "a",
        "h1",
        new WrongState("a", "must be pending to be placed, is RUNNING on h1"),
        "instance a must be pending to be placed, is RUNNING on h1");
    assertRefused(
        "b",
        "h1",
        new WrongState("b", "must be pending to be placed, is STARTING on h1"),
        "instance b must be pending to be placed, is STARTING on h1");
  }

  @Test
  void refusesAVictimNotOnTheHost() {
    cluster.host("h1", 1).host("h2", 1).running("b", 1, "h2").pending("a", 1).pending("c", 1);

    assertRefused(
        "a",
        "h1",
        new WrongState("b", "must be on h1 to leave it, is RUNNING on h2"),
        "instance b must be on h1 to leave it, is RUNNING on h2",
        "b");
    assertRefused(
        "a",
        "h1",
        new WrongState("c", "must be on h1 to leave it, is PENDING"),
        "instance c must be on h1 to leave it, is PENDING",
        "c");
  }

  @Test
  void refusesAnInstanceAsItsOwnVictim() {
    cluster.host("h1", 1).pending("a", 1);

    assertRefused(
        "a",
        "h1",
        new WrongState("a", "must be on h1 to leave it, is PENDING"),
        "instance a must be on h1 to leave it, is PENDING",
        "a");
  }

  @Test
  void refusesADuplicateVictim() {
    cluster.host("h1", 2).running("b", 1, "h1").running("c", 1, "h1").pending("a", 2);

    assertRefused(
        "a",
        "h1",
        new WrongState("b", "is named twice among the victims"),
        "instance b is named twice among the victims",
        "b",
        "c",
        "b");
  }

  @Test
  void refusesAVictimPlacedInThisPass() {
    cluster.host("h1", 1).pending("a", 1).pending("b", 1);

    cluster.pass(
        pass -> {
          place(pass, "a", "h1");
          assertThat(place(pass, "b", "h1", "a").refusal())
              .contains(new WrongState("a", "was acted on in this pass, so it cannot be a victim"));
        });

    assertThat(cluster.place("b", "h1", "a").instance("a").preemptions()).isEqualTo(1);
  }

  @Test
  void refusesToPlaceAnInstancePreemptedInThisPass() {
    cluster.host("h1", 1).host("h2", 1).running("a", 1, "h1").pending("b", 1);

    cluster.pass(
        pass -> {
          place(pass, "b", "h1", "a");
          assertThat(place(pass, "a", "h2").refusal())
              .contains(
                  new WrongState("a", "was preempted in this pass, so it waits for the next"));
        });

    assertThat(cluster.place("a", "h2").instance("a").placements()).isEqualTo(2);
  }

  @Test
  void pendingExcludesInstancesPreemptedInThisPass() {
    cluster.host("h1", 1).running("a", 1, "h1").pending("b", 1).pending("c", 1);

    cluster.pass(
        pass -> {
          place(pass, "b", "h1", "a");
          assertThat(pass.pending()).extracting(Instance::id).containsExactly("c");
          assertThat(pass.instances()).extracting(Instance::id).containsExactly("a", "b", "c");
        });
  }

  @Test
  void pendingIsInOrderOfAdmission() {
    cluster.pending("c", 1).pending("a", 1).pending("b", 1);

    cluster.pass(
        pass -> assertThat(pass.pending()).extracting(Instance::id).containsExactly("c", "a", "b"));
  }

  @Test
  void pendingListIsASnapshot() {
    cluster.host("h1", 2).pending("a", 1).pending("b", 1);

    cluster.pass(
        pass -> {
          List<Instance> pending = pass.pending();
          pending.forEach(each -> pass.place(each, pass.hosts().get(0)));
          assertThat(pending).hasSize(2);
          assertThat(pass.pending()).isEmpty();
        });
  }

  // ---- Unknown instances and hosts

  @Test
  void refusesInstancesAndHostsOfAnotherSchedulerWithTheSameId() {
    cluster.host("h1", 2).pending("a", 1).running("b", 1, "h1");
    Cluster other = Cluster.byHand().host("h1", 2).pending("a", 1).running("b", 1, "h1");

    cluster.pass(
        pass -> {
          Instance a = pass.instance("a").orElseThrow();
          Host h1 = pass.host("h1").orElseThrow();
          assertThat(pass.place(other.instance("a"), h1).refusal())
              .contains(new Unknown("instance", "a"));
          assertThat(pass.place(a, other.host("h1")).refusal()).contains(new Unknown("host", "h1"));
          assertThat(pass.place(a, h1, List.of(other.instance("b"))).refusal())
              .contains(new Unknown("instance", "b"));
          assertThat(pass.defer(other.instance("a"), new PolicyChoice("x", "y")).refusal())
              .contains(new Unknown("instance", "a"));
          assertThat(pass.obstacle(other.instance("a"), h1, List.of()))
              .contains(new Unknown("instance", "a"));
          assertThat(pass.protection(other.instance("a"))).isEmpty();
        });

    assertThat(new Unknown("host", "h9").describe()).isEqualTo("no host h9 in the cluster");
  }

  @Test
  void refusesCompletedInstancesAndRemovedHosts() {
    cluster.host("h1", 1).host("h2", 1).pending("a", 1).pending("b", 1);
    Instance done = cluster.instance("b");
    Host removed = cluster.host("h2");
    cluster.removed("h2").cancel("b");

    cluster.pass(
        pass -> {
          assertThat(pass.place(done, pass.hosts().get(0)).refusal())
              .contains(new Unknown("instance", "b"));
          assertThat(pass.place(pass.pending().get(0), removed).refusal())
              .contains(new Unknown("host", "h2"));
          assertThat(pass.instance("b")).isEmpty();
          assertThat(pass.host("h2")).isEmpty();
        });
  }

  // ---- Preemption

  @Test
  void preemptsVictimsInGivenOrderBeforeThePlacement() {
    cluster.host("h1", 2).running("b", 1, "h1").running("c", 1, "h1").pending("a", 2);

    Plan plan = cluster.pass(pass -> place(pass, "a", "h1", "c", "b"));

    assertThat(plan.actions())
        .containsExactly(
            new Action.Preempt("c", "h1", "a"),
            new Action.Preempt("b", "h1", "a"),
            new Action.Place("a", "h1", List.of("c", "b")));
  }

  @Test
  void preemptsNoVictimIfTheyFreeTooLittle() {
    cluster.host("h1", 3).running("b", 1, "h1").running("c", 2, "h1").pending("a", 3);

    assertRefused(
        "a", "h1", new ShortOfCapacity(Dimension.CPU, 2_000_000_000), "cpu short by 2", "b");
  }

  @Test
  void oneInvalidVictimRefusesThePlacement() {
    cluster.host("h1", 2).host("h2", 1).running("b", 2, "h1").running("c", 1, "h2").pending("a", 2);

    assertRefused(
        "a",
        "h1",
        new WrongState("c", "must be on h1 to leave it, is RUNNING on h2"),
        "instance c must be on h1 to leave it, is RUNNING on h2",
        "b",
        "c");
  }

  @Test
  void allowsMoreVictimsThanNeeded() {
    cluster.host("h1", 2).running("b", 1, "h1").pending("a", 1);

    Plan plan = cluster.pass(pass -> assertThat(place(pass, "a", "h1", "b").accepted()).isTrue());

    assertThat(plan.preemptions()).hasSize(1);
    assertThat(cluster.host("h1").free()).isEqualTo(cores(1));
  }

  @Test
  void allowsStartingVictims() {
    cluster.host("h1", 1).starting("b", "gold", 1, "h1").pending("a", 1);

    cluster.place("a", "h1", "b");

    assertThat(cluster.instance("b").state()).isEqualTo(InstanceState.PENDING);
    assertThat(cluster.instance("b").preemptions()).isEqualTo(1);
  }

  @Test
  void victimsBelongToOnePlacement() {
    cluster.host("h1", 2).running("b", 1, "h1").pending("a", 1).pending("c", 1);

    Plan plan =
        cluster.pass(
            pass -> {
              place(pass, "a", "h1", "b");
              place(pass, "c", "h1");
            });

    assertThat(plan.placements())
        .containsExactly(
            new Action.Place("a", "h1", List.of("b")), new Action.Place("c", "h1", List.of()));
  }

  // ---- Obstacle and defer

  @Test
  void obstacleEqualsTheRefusalAndChangesNothing() {
    cluster.host("h1", 1).host("h2", 1).running("b", 1, "h1").pending("a", 1);

    cluster.pass(
        pass -> {
          Snapshot before = Snapshot.of(pass);
          assertThat(obstacle(pass, "a", "h1"))
              .contains(new ShortOfCapacity(Dimension.CPU, 1_000_000_000));
          assertThat(obstacle(pass, "a", "h1", "b")).isEmpty();
          assertThat(obstacle(pass, "a", "h2")).isEmpty();
          assertThat(obstacle(pass, "b", "h2")).get().isInstanceOf(WrongState.class);
          assertThat(Snapshot.of(pass)).isEqualTo(before);
        });
  }

  @Test
  void planContainsDeferrals() {
    PolicyChoice budget = new PolicyChoice("budget", "over budget");
    cluster.pending("a", 1).pending("b", 1);

    Plan plan =
        cluster.pass(
            pass -> assertThat(pass.defer(pass.pending().get(0), budget).accepted()).isTrue());

    assertThat(plan.deferrals()).containsOnlyKeys("a").containsValue(budget);
    assertThat(plan.isEmpty()).isTrue();
  }

  @Test
  void lastDeferralOfAnInstanceCounts() {
    cluster.pending("a", 1);

    Plan plan =
        cluster.pass(
            pass -> {
              pass.defer(pass.pending().get(0), new PolicyChoice("first", "first"));
              pass.defer(pass.pending().get(0), new PolicyChoice("second", "second"));
            });

    assertThat(plan.deferrals().get("a").code()).isEqualTo("second");
  }

  @Test
  void placementDropsTheDeferral() {
    cluster.host("h1", 1).pending("a", 1);

    Plan plan =
        cluster.pass(
            pass -> {
              pass.defer(pass.pending().get(0), new PolicyChoice("x", "y"));
              assertThat(place(pass, "a", "h1").accepted()).isTrue();
            });

    assertThat(plan.deferrals()).isEmpty();
    assertThat(plan.placements()).hasSize(1);
  }

  @Test
  void defersOnlyPendingInstances() {
    cluster.host("h1", 1).running("a", 1, "h1");

    cluster.pass(
        pass ->
            assertThat(pass.defer(cluster.instance("a"), new PolicyChoice("x", "y")).refusal())
                .contains(new WrongState("a", "must be pending to be deferred, is RUNNING on h1")));
  }

  // ---- Policy errors

  @Test
  void planListsPolicyErrorsInOrder() {
    cluster.host("h1", 1).host("h2", 1).running("a", 1, "h1").pending("b", 1);

    Plan plan =
        cluster.pass(
            pass -> {
              place(pass, "b", "h2", "a");
              pass.defer(cluster.instance("a"), new PolicyChoice("x", "y"));
            });

    assertThat(plan.policyErrors())
        .containsExactly(
            new PolicyError(
                "b", new WrongState("a", "must be on h2 to leave it, is RUNNING on h1")),
            new PolicyError(
                "a", new WrongState("a", "must be pending to be deferred, is RUNNING on h1")));
  }

  @Test
  void lackOfCapacityIsNoPolicyError() {
    cluster.host("h1", 1).running("a", 1, "h1").pending("b", 1).pending("c", 2);

    Plan plan =
        cluster.pass(
            pass -> {
              place(pass, "b", "h1");
              place(pass, "c", "h1");
              obstacle(pass, "a", "h1");
            });

    assertThat(plan.policyErrors()).isEmpty();
  }

  @Test
  void planListsAtMostAHundredErrors() {
    cluster.host("h1", 1).running("a", 1, "h1");

    Plan plan = cluster.pass(pass -> IntStream.range(0, 150).forEach(i -> place(pass, "a", "h1")));

    assertThat(plan.policyErrors()).hasSize(Plan.MAX_POLICY_ERRORS).hasSize(100);
  }

  // ---- Views

  @Test
  void collectionsOfAPassAreUnmodifiable() {
    cluster.host("h1", 1).pending("a", 1);

    cluster.pass(
        pass -> {
          assertThat(pass.hosts()).isUnmodifiable();
          assertThat(pass.pending()).isUnmodifiable();
          assertThat(pass.instances()).isUnmodifiable();
          assertThat(pass.triggers()).isUnmodifiable();
          assertThat(pass.hosts().get(0).instances()).isUnmodifiable();
          assertThat(pass.hosts().get(0).attributes()).isUnmodifiable();
        });
  }

  @Test
  void tieBreakDependsOnSeedPassAndSubjects() {
    Cluster seeded = Cluster.byHand(Scheduler.builder().seed(7)).host("h1", 1).pending("a", 1);
    List<Long> tieBreaks = new ArrayList<>();
    Consumer<SchedulingPass> note =
        pass -> tieBreaks.add(pass.tieBreak(pass.pending().get(0), pass.hosts().get(0)));

    seeded.pass(note);
    seeded.pass(note);

    assertThat(tieBreaks)
        .containsExactly(
            SeededTieBreaker.hash(7, 1, "a", "h1"), SeededTieBreaker.hash(7, 2, "a", "h1"));
  }

  // ---- Helpers

  /** Asserts that the placement is refused with this reason and text and changes nothing. */
  private void assertRefused(
      String instance, String host, Reason reason, String words, String... victims) {
    Plan plan =
        cluster.pass(
            pass -> {
              Snapshot before = Snapshot.of(pass);
              assertThat(obstacle(pass, instance, host, victims)).contains(reason);
              assertThat(place(pass, instance, host, victims).refusal()).contains(reason);
              assertThat(Snapshot.of(pass)).isEqualTo(before);
            });
    assertThat(reason.describe()).isEqualTo(words);
    assertThat(plan.actions()).isEmpty();
  }

  private static Outcome place(
      SchedulingPass pass, String instance, String host, String... victims) {
    return pass.place(
        pass.instance(instance).orElseThrow(), pass.host(host).orElseThrow(), all(pass, victims));
  }

  private static Optional<Reason> obstacle(
      SchedulingPass pass, String instance, String host, String... victims) {
    return pass.obstacle(
        pass.instance(instance).orElseThrow(), pass.host(host).orElseThrow(), all(pass, victims));
  }

  private static List<Instance> all(SchedulingPass pass, String... ids) {
    return Stream.of(ids).map(id -> pass.instance(id).orElseThrow()).toList();
  }
}

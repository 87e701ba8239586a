package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.TimeLimits;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Submission, assignment, expiry and reporting of bags of tasks. */
class BagsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "because");
  private static final OptionalLong NEVER = OptionalLong.empty();

  private final Cluster cluster = Cluster.byHand().host("h1", 4);

  private static Request member(String id) {
    return request(id, 1).build();
  }

  private static BagSpec bagOf(String id, String... members) {
    return new BagSpec(id, Stream.of(members).map(BagsTest::member).toList());
  }

  private static BagSpec expiringBag(String id, double seconds, String... members) {
    return new BagSpec(
        id,
        Stream.of(members).map(BagsTest::member).toList(),
        Optional.of(Duration.ofNanos(Math.round(seconds * 1e9))));
  }

  private Bag submit(BagSpec bag) {
    return cluster.scheduler().submit(bag, cluster.now());
  }

  private Bag bag(String id) {
    return cluster.scheduler().bag(id).orElseThrow();
  }

  private static Bag bag(SchedulingPass pass) {
    return pass.bags().get(0);
  }

  /**
   * Submits a bag: {@code a} is running, {@code b} paused, {@code c} suspended, {@code d} starting
   * and {@code e} pending.
   */
  private void submitBagInAllStates() {
    submit(bagOf("bag", "a", "b", "c", "d", "e"));
    cluster.place("a", "h1").place("b", "h1").place("c", "h1");
    cluster.started("a").started("b").started("c").at(5);
    cluster.pass(
        pass -> {
          pass.pause(cluster.instance("b"), WHY);
          pass.suspend(cluster.instance("c"), WHY);
          pass.place(cluster.instance("d"), cluster.host("h1"));
        });
    cluster.at(8);
  }

  @Nested
  class Submission {

    @Test
    void admitsAllMembersTogether() {
      Bag bag = submit(bagOf("bag", "b", "a"));

      assertThat(bag.instances()).extracting(Instance::id).containsExactly("b", "a");
      assertThat(bag.instances()).allMatch(each -> each.bag().equals(Optional.of("bag")));
      assertThat(bag.size()).isEqualTo(2);
      assertThat(bag.estimatedRunTime()).isEmpty();
      assertThat(bag.cluster()).isEmpty();
      assertThat(cluster.scheduler().pendingCount()).isEqualTo(2);
      assertThat(cluster.pass().triggers()).contains(Trigger.REQUEST_ADMITTED);
    }

    @Test
    void estimateIsSumOfMembersOrEmptyIfOneIsMissing() {
      Request ten = request("a", 1).estimatedRunTime(Duration.ofSeconds(10)).build();
      Request five = request("b", 1).estimatedRunTime(Duration.ofSeconds(5)).build();
      Request ages = request("c", 1).estimatedRunTime(Duration.ofNanos(Long.MAX_VALUE)).build();

      assertThat(submit(new BagSpec("x", List.of(ten, five))).estimatedRunTime())
          .hasValue(15 * SECOND);
      assertThat(submit(new BagSpec("y", List.of(member("d")))).estimatedRunTime()).isEmpty();
      assertThat(
              submit(
                      new BagSpec(
                          "z",
                          List.of(
                              ages,
                              request("e", 1).estimatedRunTime(Duration.ofSeconds(1)).build())))
                  .estimatedRunTime())
          .hasValue(Long.MAX_VALUE);
    }

    static Stream<Request> wrongThirds() {
      return Stream.of(
          request("x", "platinum", 1).build(),
          request("x", 0).demand(Resources.of(new Dimension("cpu", 1000), 1)).build(),
          request("x", 0).demand(Resources.of(new Dimension("gpu", 1000), 1)).build(),
          member("present"));
    }

    @ParameterizedTest
    @MethodSource("wrongThirds")
    void admitsNoMemberIfOneIsInvalid(Request wrong) {
      Dimension gpu = new Dimension("gpu", 1);
      cluster.pending("present", 1).pass();
      Snapshot before = cluster.snapshot();
      cluster.at(5);
      Request first = request("a", 0).demand(Resources.of(gpu, 1)).job("j").build();

      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> submit(new BagSpec("bag", List.of(first, member("b"), wrong))));

      assertThat(cluster.snapshot()).isEqualTo(before);
      Dimension otherScale = new Dimension("gpu", 10);
      cluster.at(0).host("h2", Resources.of(otherScale, 3));
      assertThat(cluster.host("h2").free(otherScale)).isEqualTo(3);
      assertThat(submit(bagOf("bag", "a", "b")).instances()).hasSize(2);
    }

    @Test
    void admitsNoMemberIfAPartThrows() {
      Cluster failing =
          Cluster.of(
              parts ->
                  parts.queue(
                      instance -> {
                        if (instance.id().equals("c")) {
                          throw new IllegalStateException("thrown by the test");
                        }
                        return 0;
                      }));
      failing.host("h1", 4).at(1).pending("z", 9).pass();
      Snapshot before = failing.snapshot();

      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(
              () -> failing.scheduler().submit(bagOf("bag", "a", "b", "c", "d"), 7 * SECOND))
          .withMessage("thrown by the test");

      assertThat(failing.snapshot()).isEqualTo(before);
      failing.scheduler().submit(bagOf("bag", "b", "a"), 2 * SECOND);
      assertThat(failing.at(3).pass().placements())
          .extracting(Action.Place::instance)
          .containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void refusesIdOfALiveBag() {
      submit(bagOf("bag", "a"));
      Snapshot before = cluster.snapshot();

      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> submit(bagOf("bag", "b")))
          .withMessage("bag bag is submitted, but a bag of that id has not ended.");
      assertThat(cluster.snapshot()).isEqualTo(before);
    }

    @Test
    void refusesBagSubmittedInThePast() {
      cluster.at(5).pass();
      Snapshot before = cluster.snapshot();

      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> cluster.at(4).scheduler().submit(bagOf("bag", "a"), 4 * SECOND));
      assertThat(cluster.snapshot()).isEqualTo(before);
    }
  }

  @Nested
  class Ends {

    @Test
    void endsWithItsLastMemberAndIsReportedOnce() {
      submit(bagOf("bag", "a", "b"));
      cluster.place("a", "h1").place("b", "h1").at(2).started("a").started("b");
      cluster.at(5).completed("a");
      assertThat(bag("bag").completed()).isEqualTo(1);
      assertThat(bag("bag").serviceTime(6 * SECOND)).isEqualTo(7 * SECOND);
      assertThat(cluster.pass().endedBags()).isEmpty();

      cluster.at(9).completed("b");

      assertThat(cluster.scheduler().bag("bag")).isEmpty();
      Plan plan = cluster.at(11).pass(pass -> assertThat(pass.endedBags()).hasSize(1));
      assertThat(plan.endedBags())
          .containsExactly(
              new BagReport(
                  "bag",
                  2,
                  2,
                  List.of(),
                  Optional.empty(),
                  0,
                  OptionalLong.empty(),
                  9 * SECOND,
                  Optional.empty(),
                  10 * SECOND));
      assertThat(cluster.pass(pass -> assertThat(pass.endedBags()).isEmpty()).endedBags())
          .isEmpty();
    }

    @Test
    void cancelledAndRejectedMembersDoNotCountAsCompleted() {
      submit(bagOf("bag", "a", "b"));
      cluster.cancel("a");

      Plan plan = cluster.pass(pass -> pass.reject(cluster.instance("b"), WHY));

      BagReport report = plan.endedBags().get(0);
      assertThat(plan.endedBags()).hasSize(1);
      assertThat(report.completed()).isZero();
      assertThat(report.isComplete()).isFalse();
      assertThat(report.cancelled()).isEmpty();
      assertThat(report.why()).isEmpty();
      assertThat(submit(bagOf("bag", "a", "b")).size()).isEqualTo(2);
      assertThat(cluster.pass().endedBags()).isEmpty();
    }

    @Test
    void cancelBagReportsEveryMember() {
      submitBagInAllStates();

      BagReport report = cluster.scheduler().cancelBag("bag", WHY, 10 * SECOND);

      assertThat(report.cancelled())
          .extracting(InstanceReport::id)
          .containsExactly("a", "b", "c", "d", "e");
      assertThat(report.cancelled())
          .extracting(InstanceReport::serviceTime)
          .containsExactly(10 * SECOND, 5 * SECOND, 5 * SECOND, 0L, 0L);
      assertThat(report.cancelled())
          .allMatch(member -> member.serviceTime() + member.waitingTime() == 10 * SECOND);
      assertThat(report.serviceTime()).isEqualTo(20 * SECOND);
      assertThat(report.why()).contains(WHY);
      assertThat(cluster.host("h1").free()).isEqualTo(cores(4));
      assertThat(cluster.scheduler().instances()).isEmpty();
      assertThat(cluster.at(10).pass().endedBags()).containsExactly(report);
    }

    @Test
    void cancelBagRequiresAReason() {
      submit(bagOf("bag", "a"));
      Snapshot before = cluster.snapshot();

      assertThatNullPointerException()
          .isThrownBy(() -> cluster.scheduler().cancelBag("bag", nothing(), 9));

      assertThat(cluster.snapshot()).isEqualTo(before);
    }

    @SuppressWarnings("NullAway") // a caller may ignore nullness
    private static Reason nothing() {
      return null;
    }

    @Test
    void cancelBagRefusesUnknownId() {
      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> cluster.scheduler().cancelBag("bag", WHY, 0))
          .withMessage("bag bag is cancelled, but there is no such bag, or it has ended.");
    }

    @Test
    void policyCancelsWholeBagAndForkUndoesIt() {
      submitBagInAllStates();

      Plan plan =
          cluster.pass(
              pass -> {
                Snapshot before = Snapshot.of(pass);
                try (Fork fork = pass.fork()) {
                  Bag bag = bag(fork);
                  assertThat(fork.cancel(bag, WHY).accepted()).isTrue();
                  assertThat(fork.bags()).isEmpty();
                  assertThat(fork.instances()).isEmpty();
                  assertThat(bag.instances()).isEmpty();
                  assertThat(fork.cancel(bag, WHY).refusal())
                      .contains(new Reason.Unknown("bag", "bag"));
                }
                assertThat(Snapshot.of(pass)).isEqualTo(before);
                pass.cancel(bag(pass), WHY);
              });

      assertThat(plan.actions())
          .containsExactly(new Action.Cancel("bag", List.of("a", "b", "c", "d", "e"), WHY));
      assertThat(plan.endedBags()).hasSize(1);
      assertThat(plan.endedBags().get(0).cancelled()).hasSize(5);
      assertThat(cluster.host("h1").instances()).isEmpty();
      assertThat(cluster.pass().endedBags()).isEmpty();
    }

    @Test
    void refusesToCancelBagWithAMemberActedOnInThisPass() {
      submit(bagOf("bag", "a", "b"));

      Plan plan =
          cluster.pass(
              pass -> {
                pass.place(cluster.instance("a"), cluster.host("h1"));
                pass.cancel(bag(pass), WHY);
              });

      assertThat(plan.actions()).hasSize(1);
      assertThat(plan.policyErrors().get(0).subject()).isEqualTo("bag");
      assertThat(bag("bag").instances()).hasSize(2);
    }

    @Test
    void idsOfAnEndedBagCanBeReusedAtOnce() {
      submit(expiringBag("bag", 5, "a"));
      cluster.at(1).pass(pass -> pass.defer(cluster.instance("a"), WHY));
      cluster.scheduler().cancelBag("bag", WHY, SECOND);

      submit(bagOf("bag", "a"));

      assertThat(cluster.scheduler().explain().whyPending("a", SECOND).deferral()).isEmpty();
      assertThat(bag("bag").expiresAt()).isEmpty();
      assertThat(cluster.scheduler().nextTimerAt()).isEmpty();
    }

    @Test
    void explainsTheLatestBagOfAnId() {
      submit(bagOf("bag", "a"));
      cluster.pass(pass -> pass.assign(bag(pass), "c", NEVER, WHY));
      assertThat(cluster.scheduler().explain().whyBag("bag").orElseThrow().describe())
          .isEqualTo("assign bag bag to cluster c at 0s, in pass 1: because");
      cluster.at(1).pass(pass -> pass.cancel(bag(pass), WHY));
      assertThat(cluster.scheduler().explain().whyBag("bag").orElseThrow().describe())
          .isEqualTo("cancel bag bag at 1s, in pass 2: because");

      submit(bagOf("bag", "a"));

      assertThat(cluster.scheduler().explain().whyBag("bag")).isEmpty();
    }
  }

  @Nested
  class Expiry {

    @Test
    void expiredBagIsCancelledBeforeThePolicyRuns() {
      submit(expiringBag("bag", 5, "a", "b"));
      cluster.place("a", "h1").started("a");
      assertThat(cluster.scheduler().nextPassAt()).hasValue(5 * SECOND);
      assertThat(cluster.atNanos(5 * SECOND - 1).pass().actions()).isEmpty();

      Plan plan =
          cluster
              .at(5)
              .pass(
                  pass -> {
                    assertThat(pass.triggers()).containsExactly(Trigger.EXPIRY);
                    assertThat(pass.bags()).isEmpty();
                    assertThat(pass.pending()).isEmpty();
                    assertThat(pass.endedBags()).hasSize(1);
                    assertThat(pass.hosts().get(0).free()).isEqualTo(cores(4));
                  });

      Reason expired = new Reason.Expired("bag", 0);
      assertThat(plan.actions())
          .containsExactly(new Action.Cancel("bag", List.of("a", "b"), expired));
      assertThat(plan.endedBags().get(0).why()).contains(expired);
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
    }

    @Test
    void completedBagDoesNotExpire() {
      submit(expiringBag("bag", 5, "a"));
      cluster.place("a", "h1").started("a").at(5).completed("a");

      Plan plan = cluster.pass();

      assertThat(plan.triggers()).containsExactly(Trigger.INSTANCE_COMPLETED);
      assertThat(plan.actions()).isEmpty();
      assertThat(plan.endedBags().get(0).isComplete()).isTrue();
    }

    @Test
    void failedPassExpiresNoBag() {
      submit(expiringBag("bag", 5, "a", "b"));
      cluster.place("a", "h1").started("a").at(7);
      Snapshot before = at7();

      assertThatExceptionOfType(PolicyFailedException.class)
          .isThrownBy(
              () ->
                  cluster.pass(
                      pass -> {
                        assertThat(pass.endedBags()).hasSize(1);
                        throw new IllegalStateException("thrown by the test");
                      }));

      assertThat(cluster.snapshot()).isEqualTo(before);
      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.RUNNING);
      assertThat(cluster.scheduler().nextPassAt()).hasValue(7 * SECOND);
      assertThat(cluster.scheduler().nextTimerAt()).hasValue(5 * SECOND);
      assertThat(cluster.pass().triggers()).containsExactly(Trigger.EXPIRY);
    }

    private Snapshot at7() {
      cluster.scheduler().loadReported("h1", 0, 7 * SECOND); // advances the time
      return cluster.snapshot();
    }

    @Test
    void earlierOfBothExpiriesHolds() {
      submit(expiringBag("bag", 5, "a"));

      cluster.at(1).pass(pass -> pass.assign(bag(pass), "c", OptionalLong.of(9 * SECOND), WHY));
      assertThat(bag("bag").expiresAt()).hasValue(5 * SECOND);

      Plan plan =
          cluster.pass(pass -> pass.assign(bag(pass), "c", OptionalLong.of(3 * SECOND), WHY));
      assertThat(plan.actions(Action.Assign.class).get(0).expiresAt()).hasValue(3 * SECOND);
      assertThat(cluster.scheduler().nextTimerAt()).hasValue(3 * SECOND);

      cluster.pass(pass -> pass.assign(bag(pass), "d", NEVER, WHY));
      assertThat(bag("bag").expiresAt()).hasValue(5 * SECOND);
      assertThat(bag("bag").assignedAt()).hasValue(SECOND);
      assertThat(bag("bag").cluster()).contains("d");
    }

    @Test
    void expiryBeyondTheTimeRangeNeverFires() {
      submit(
          new BagSpec("bag", List.of(member("a")), Optional.of(Duration.ofNanos(Long.MAX_VALUE))));
      cluster.at(1);
      submit(
          new BagSpec(
              "other", List.of(member("b")), Optional.of(Duration.ofNanos(Long.MAX_VALUE))));

      assertThat(cluster.pass().isEmpty()).isTrue();
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
      assertThat(cluster.atNanos(TimeLimits.LONGEST_LIFE.toNanos()).pass().actions()).isEmpty();
    }

    @Test
    void expiresAtNegativeTimes() {
      Cluster early = Cluster.byHand().atNanos(TimeLimits.EARLIEST).host("h1", 1);
      early.scheduler().submit(expiringBag("bag", 1, "a"), TimeLimits.EARLIEST + 3);
      early.atNanos(TimeLimits.EARLIEST + 3).pass();

      assertThat(early.scheduler().nextPassAt()).hasValue(TimeLimits.EARLIEST + 3 + SECOND);
      assertThat(early.atNanos(TimeLimits.EARLIEST + 3 + SECOND).pass().triggers())
          .containsExactly(Trigger.EXPIRY);
    }
  }

  @Nested
  class Clusters {

    /**
     * Cluster {@code c} expires at 20 s. Its host {@code p-1} has two cores; {@code p-2} is
     * starting.
     */
    Clusters() {
      cluster.scheduler().offerPool(new PoolSpec("p", cores(2), 9), 0);
      cluster.pass(
          pass ->
              pass.provision(
                  pass.pools().get(0), 2, Optional.of("c"), OptionalLong.of(20 * SECOND), WHY));
      cluster.host("p-1", 2);
    }

    @Test
    void placesMembersOnlyOnHostsOfTheAssignedCluster() {
      submit(bagOf("bag", "a", "b"));

      Plan plan =
          cluster.pass(
              pass -> {
                pass.place(cluster.instance("a"), cluster.host("h1"));
                pass.assign(bag(pass), "c", NEVER, WHY);
                assertThat(pass.place(cluster.instance("b"), cluster.host("h1")).refusal())
                    .contains(new Reason.OtherCluster("bag", "c"));
                pass.place(cluster.instance("b"), cluster.host("p-1"));
              });

      assertThat(plan.placements()).extracting(Action.Place::host).containsExactly("h1", "p-1");
      cluster.started("a").started("b");
      cluster.pass(
          pass -> {
            assertThat(
                    pass.migrate(cluster.instance("b"), cluster.host("h1"), cores(1), WHY)
                        .refusal())
                .contains(new Reason.OtherCluster("bag", "c"));
            assertThat(
                    pass.migrate(cluster.instance("a"), cluster.host("p-1"), cores(1), WHY)
                        .accepted())
                .isTrue();
          });
    }

    @Test
    void pipelineKeepsToTheAssignedCluster() {
      Cluster piped = Cluster.of(parts -> parts).host("h1", 4);
      piped.scheduler().submit(bagOf("bag", "a"), 0);
      Bag bag = piped.scheduler().bags().get(0);
      Cluster assigning =
          Cluster.withPolicy(
              Scheduler.builder(),
              context -> {
                var pipeline = context.pipeline().build();
                return pass -> {
                  pass.assign(pass.bags().get(0), "c", NEVER, WHY);
                  pipeline.schedule(pass);
                };
              });
      assigning.host("h1", 4).scheduler().submit(bagOf("bag", "a"), 0);

      assertThat(piped.pass().placements()).hasSize(1);
      assertThat(bag.cluster()).isEmpty();
      assertThat(assigning.pass().placements()).isEmpty();
      assertThat(assigning.scheduler().explain().whyPending("a", 0).obstacles())
          .extracting(each -> each.text())
          .containsExactly("bag bag runs on cluster c");
    }

    @Test
    void assignmentExtendsTheExpiryOfItsHosts() {
      submit(bagOf("bag", "a"));

      cluster.pass(
          pass -> {
            Host starting = pass.pools().get(0).starting().get(0);
            try (Fork fork = pass.fork()) {
              fork.assign(bag(fork), "c", OptionalLong.of(50 * SECOND), WHY);
              assertThat(starting.expiresAt()).hasValue(50 * SECOND);
            }
            assertThat(starting.expiresAt()).hasValue(20 * SECOND);
            assertThat(cluster.host("p-1").expiresAt()).hasValue(20 * SECOND);
            pass.assign(bag(pass), "c", OptionalLong.of(50 * SECOND), WHY);
          });

      cluster.host("p-2", 2);
      assertThat(cluster.host("p-1").expiresAt()).hasValue(50 * SECOND);
      assertThat(cluster.host("p-2").expiresAt()).hasValue(50 * SECOND);
      cluster.pass(pass -> pass.assign(bag(pass), "c", OptionalLong.of(9 * SECOND), WHY));
      assertThat(cluster.host("p-1").expiresAt()).hasValue(50 * SECOND);
    }

    @Test
    void invalidActionIsAPolicyError() {
      submit(bagOf("bag", "a"));
      cluster.at(3);

      Plan plan =
          cluster.pass(
              pass -> {
                pass.assign(bag(pass), " ", NEVER, WHY);
                pass.assign(bag(pass), "c", OptionalLong.of(3 * SECOND - 1), WHY);
              });

      assertThat(plan.actions()).isEmpty();
      assertThat(plan.policyErrors())
          .extracting(each -> each.why().describe())
          .containsExactly(
              "bag bag cannot be assigned to a cluster with a blank name",
              "bag bag must not expire in the past, at 2999999999 ns");
    }
  }
}

package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.HostState;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.TimeLimits;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Plan.PolicyError;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Provisioning and release of hosts of a pool, expiry, wake-ups and load reports. */
class HostPoolsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "because");
  private static final OptionalLong EVER = OptionalLong.empty();

  /** Has a pool {@code p} of four hosts of two cores, and a host {@code h1} outside any pool. */
  private final Cluster cluster = Cluster.byHand().host("h1", 2);

  HostPoolsTest() {
    offerPool(4);
    cluster.pass();
  }

  private void offerPool(int limit) {
    cluster.scheduler().offerPool(new PoolSpec("p", cores(2), limit), cluster.now());
  }

  private static Outcome provision(SchedulingPass pass, int count, OptionalLong expiresAt) {
    return pass.provision(pool(pass), count, Optional.empty(), expiresAt, WHY);
  }

  private static Pool pool(SchedulingPass pass) {
    return pass.pool("p").orElseThrow();
  }

  private Pool pool() {
    return cluster.scheduler().pools().get(0);
  }

  private Plan provision(int count) {
    return cluster.pass(pass -> assertThat(provision(pass, count, EVER).accepted()).isTrue());
  }

  private static List<String> ids(List<Host> hosts) {
    return hosts.stream().map(Host::id).toList();
  }

  private void assertRefused(Runnable event, String words) {
    Snapshot before = cluster.snapshot();

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(event::run)
        .withMessageContaining(words);

    assertThat(cluster.snapshot()).isEqualTo(before);
  }

  @Nested
  class Provisioning {

    @Test
    void provisionedHostIsStartingUntilReportedUp() {
      Plan plan = provision(2);

      assertThat(plan.actions())
          .containsExactly(
              new Action.Provision("p", List.of("p-1", "p-2"), Optional.empty(), EVER));
      assertThat(ids(pool().starting())).containsExactly("p-1", "p-2");
      assertThat(pool().starting().get(0).state()).isEqualTo(HostState.STARTING);
      assertThat(pool().room()).isEqualTo(2);
      assertThat(ids(cluster.scheduler().hosts())).containsExactly("h1");

      cluster.at(3).host("p-2", 2);

      assertThat(ids(pool().starting())).containsExactly("p-1");
      assertThat(ids(pool().up())).containsExactly("p-2");
      assertThat(cluster.host("p-2").pool()).contains("p");
      assertThat(pool().room()).isEqualTo(2);
      assertThat(cluster.pass().triggers()).containsExactly(Trigger.HOST_ADDED);
    }

    @Test
    void hostHasTheCapacityReportedOnArrival() {
      provision(1);

      cluster.host("p-1", 7);

      assertThat(cluster.host("p-1").capacity()).isEqualTo(cores(7));
      assertThat(cluster.pending("a", 7).place("a", "p-1").host("p-1").free()).isEqualTo(cores(0));
    }

    @Test
    void refusesToProvisionBeyondTheLimit() {
      provision(3);

      Plan plan =
          cluster.pass(
              pass -> {
                assertThat(provision(pass, 2, EVER).refusal())
                    .contains(new Reason.PoolExhausted("p", 2, 1));
                assertThat(provision(pass, 1, EVER).accepted()).isTrue();
                assertThat(provision(pass, 1, EVER).refusal())
                    .contains(new Reason.PoolExhausted("p", 1, 0));
              });

      assertThat(plan.actions()).hasSize(1);
      assertThat(plan.policyErrors()).isEmpty();
    }

    @Test
    void loweringTheLimitRemovesNoHost() {
      provision(4);
      cluster.host("p-1", 2);

      offerPool(1);

      assertThat(pool().room()).isZero();
      assertThat(ids(pool().starting())).containsExactly("p-2", "p-3", "p-4");
      cluster.removed("p-2").removed("p-3").removed("p-4");
      assertThat(pool().room()).isZero();
      assertThat(cluster.removed("p-1").scheduler().pools().get(0).room()).isEqualTo(1);
    }

    @Test
    void skipsIdsOfHostsAddedByTheEmbedder() {
      cluster.host("p-1", 1).host("p-3", 1);

      assertThat(provision(2).actions(Action.Provision.class).get(0).hosts())
          .containsExactly("p-2", "p-4");
      assertThat(cluster.host("p-1").pool()).isEmpty();
      assertThat(pool().up()).isEmpty();
    }

    @Test
    void givesEachIdOnce() {
      provision(1);
      cluster.removed("p-1");

      assertThat(provision(1).actions(Action.Provision.class).get(0).hosts())
          .containsExactly("p-2");
    }

    @Test
    void discardedForkTakesNoId() {
      Plan plan =
          cluster.pass(
              pass -> {
                try (Fork fork = pass.fork()) {
                  provision(fork, 3, EVER);
                }
                provision(pass, 1, EVER);
              });

      assertThat(plan.actions(Action.Provision.class).get(0).hosts()).containsExactly("p-1");
    }

    @Test
    void countsFailuresUntilAHostComesUp() {
      provision(4);
      cluster.at(5).removed("p-1").at(7).removed("p-3");

      assertThat(pool().failures()).isEqualTo(2);
      assertThat(pool().lastFailureAt()).hasValue(7 * SECOND);
      assertThat(pool().room()).isEqualTo(2);

      cluster.at(8).host("p-2", 2);

      assertThat(pool().failures()).isZero();
      assertThat(pool().lastFailureAt()).hasValue(7 * SECOND);
      assertThat(cluster.removed("p-2").pass().triggers())
          .containsExactly(Trigger.HOST_ADDED, Trigger.HOST_REMOVED);
      assertThat(pool().failures()).as("it was up").isZero();
    }

    static Stream<Arguments> invalid() {
      return Stream.of(
          Arguments.of(0, Optional.empty(), "must provide at least 1 host, the request was for 0"),
          Arguments.of(
              -1, Optional.empty(), "must provide at least 1 host, the request was for -1"),
          Arguments.of(
              1, Optional.of(" "), "cannot provide hosts for a cluster with a blank name"));
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void invalidActionIsAPolicyError(int count, Optional<String> name, String words) {
      Plan plan = cluster.pass(pass -> pass.provision(pool(pass), count, name, EVER, WHY));

      assertThat(plan.actions()).isEmpty();
      assertThat(plan.policyErrors())
          .containsExactly(new PolicyError("p", new Reason.WrongSubject("pool", "p", words)));
    }

    @Test
    void refusesPoolOfAnotherScheduler() {
      Pool foreign = new HostPoolsTest().pool();

      assertThat(
              cluster
                  .pass(pass -> pass.provision(foreign, 1, Optional.empty(), EVER, WHY))
                  .policyErrors())
          .containsExactly(new PolicyError("p", new Reason.Unknown("pool", "p")));
    }

    @Test
    void offeredPoolFixesTheScaleOfItsDimensions() {
      Dimension gpu = new Dimension("gpu", 1);
      Dimension thousandths = new Dimension("gpu", 1000);
      cluster.scheduler().offerPool(new PoolSpec("q", Resources.of(gpu, 1), 1), 0);

      assertRefused(
          () ->
              cluster.scheduler().offerPool(new PoolSpec("r", Resources.of(thousandths, 1), 1), 0),
          "pool r counts gpu on another scale than before");
      assertRefused(
          () -> cluster.host("h2", Resources.of(thousandths, 1)),
          "host h2 counts gpu on another scale than before");
    }

    @Test
    void refusesOfferInThePast() {
      cluster.at(10).pass();

      assertRefused(
          () -> cluster.at(9).scheduler().offerPool(new PoolSpec("q", cores(1), 1), 9), "q");
    }

    @Test
    void startingHostAcceptsNoInstance() {
      provision(1);
      cluster.pending("a", 1);

      cluster.pass(
          pass -> {
            Host starting = pool(pass).starting().get(0);
            assertThat(pass.place(cluster.instance("a"), starting).refusal())
                .contains(new Reason.Unknown("host", "p-1"));
            assertThat(starting.free(Dimension.CPU)).isEqualTo(2 * SECOND);
            assertThat(starting.instances()).isEmpty();
          });
    }
  }

  @Nested
  class Releasing {

    @Test
    void releasedHostLeavesAtOnceAndCountsUntilRemoved() {
      provision(4);
      cluster.host("p-1", 2);

      Plan plan = cluster.pass(pass -> release(pass, "p-1"));

      assertThat(plan.actions()).containsExactly(new Action.Release("p-1", "p"));
      assertThat(ids(cluster.scheduler().hosts())).containsExactly("h1");
      assertThat(pool().stopping()).isEqualTo(1);
      assertThat(pool().room()).isZero();
      assertRefused(() -> cluster.host("p-1", 2), "it was released and is not reported gone");

      cluster.at(9).removed("p-1");

      assertThat(pool().stopping()).isZero();
      assertThat(pool().room()).isEqualTo(1);
      assertThat(pool().failures()).isZero();
      assertThat(cluster.pass().triggers()).containsExactly(Trigger.HOST_REMOVED);
      assertRefused(() -> cluster.removed("p-1"), "no such host is present");
    }

    @Test
    void releasingAStartingHostIsNoFailure() {
      provision(1);

      cluster.pass(
          pass -> {
            Host starting = pool(pass).starting().get(0);
            assertThat(pass.release(starting, WHY).accepted()).isTrue();
            assertThat(starting.state()).isEqualTo(HostState.STOPPING);
            assertThat(pass.release(starting, WHY).refusal())
                .contains(new Reason.Unknown("host", "p-1"));
          });

      assertThat(pool().starting()).isEmpty();
      assertThat(pool().stopping()).isEqualTo(1);
      assertRefused(() -> cluster.host("p-1", 2), "it was released");
      assertThat(cluster.removed("p-1").scheduler().pools().get(0).failures()).isZero();
      assertThat(pool().room()).isEqualTo(4);
    }

    @Test
    void planListsHostProvisionedAndReleasedInOnePass() {
      Plan plan =
          cluster.pass(
              pass -> {
                provision(pass, 2, EVER);
                pass.release(pool(pass).starting().get(1), WHY);
              });

      assertThat(plan.actions())
          .containsExactly(
              new Action.Provision("p", List.of("p-1", "p-2"), Optional.empty(), EVER),
              new Action.Release("p-2", "p"));
      assertThat(ids(pool().starting())).containsExactly("p-1");
    }

    @Test
    void refusesToReleaseAnOccupiedHost() {
      provision(1);
      cluster.host("p-1", 2).running("a", 1, "p-1");
      cluster.pass(pass -> pass.suspend(cluster.instance("a"), WHY));

      Plan plan = cluster.pass(pass -> release(pass, "p-1"));

      assertThat(plan.actions()).isEmpty();
      assertThat(plan.policyErrors().get(0).why().describe())
          .isEqualTo("host p-1 must be empty to be released, holds 1, the first is a");
    }

    @Test
    void namesTheFirstAdmittedOccupantNotTheFirstPlaced() {
      provision(1);
      cluster.host("p-1", 2).pending("a", 1).pending("b", 1);
      cluster.place("b", "p-1").place("a", "p-1");

      assertThat(cluster.pass(pass -> release(pass, "p-1")).policyErrors().get(0).why().describe())
          .isEqualTo("host p-1 must be empty to be released, holds 2, the first is a");
    }

    @Test
    void refusesToReleaseAHostOfNoPool() {
      assertThat(cluster.pass(pass -> release(pass, "h1")).policyErrors().get(0).why().describe())
          .isEqualTo("host h1 belongs to no pool, so it cannot be released");
    }

    @Test
    void releasesADrainedHostInTheSamePassAndForkUndoesIt() {
      provision(1);
      cluster.host("p-1", 2).running("a", 1, "p-1").at(5);

      Plan plan =
          cluster.pass(
              pass -> {
                Snapshot before = Snapshot.of(pass);
                try (Fork fork = pass.fork()) {
                  drain(fork);
                  assertThat(ids(fork.hosts())).containsExactly("h1");
                }
                assertThat(Snapshot.of(pass)).isEqualTo(before);
                drain(pass);
                assertThat(pass.host("p-1")).isEmpty();
              });

      assertThat(plan.actions())
          .extracting(Action::describe)
          .containsExactly("migrate a from p-1 to h1 with cpu 1", "release p-1 to p");
    }

    @Test
    void viewOfAReleasedHostShowsItsState() {
      provision(1);
      cluster.host("p-1", 2);

      cluster.pass(
          pass -> {
            Host host = cluster.host("p-1");
            assertThat(host.state()).isEqualTo(HostState.UP);
            try (Fork fork = pass.fork()) {
              release(fork, "p-1");
              assertThat(host.state()).isEqualTo(HostState.STOPPING);
            }
            assertThat(host.state()).isEqualTo(HostState.UP);
          });
    }

    @Test
    void failedPassReleasesNoHost() {
      provision(2);
      cluster.host("p-1", 2).pass();
      Snapshot before = cluster.snapshot();

      assertThatExceptionOfType(PolicyFailedException.class)
          .isThrownBy(
              () ->
                  cluster.pass(
                      pass -> {
                        release(pass, "p-1");
                        pass.release(pool(pass).starting().get(0), WHY);
                        provision(pass, 1, OptionalLong.of(5));
                        pass.wakeAt(9);
                        throw new IllegalStateException("thrown by the test");
                      }));

      assertThat(cluster.snapshot()).isEqualTo(before);
      assertThat(provision(1).actions(Action.Provision.class).get(0).hosts())
          .containsExactly("p-3");
    }

    private void drain(SchedulingPass pass) {
      pass.migrate(cluster.instance("a"), cluster.host("h1"), cores(1), WHY);
      release(pass, "p-1");
    }

    private void release(SchedulingPass pass, String id) {
      pass.release(pass.host(id).orElseThrow(), WHY);
    }
  }

  @Nested
  class ExpiryAndWakeUp {

    @Test
    void hostExpiryMakesOnePassDue() {
      cluster.pass(pass -> provision(pass, 2, OptionalLong.of(60 * SECOND)));
      cluster.at(1).host("p-1", 2).pass();

      assertThat(cluster.scheduler().nextPassAt()).hasValue(60 * SECOND);
      assertThat(cluster.scheduler().nextTimerAt()).hasValue(60 * SECOND);
      assertThat(cluster.host("p-1").expiresAt()).hasValue(60 * SECOND);
      assertThat(cluster.at(59).pass().triggers()).containsExactly(Trigger.EMBEDDER);
      assertThat(cluster.scheduler().nextTimerAt()).hasValue(60 * SECOND);
      assertThat(cluster.at(60).pass().triggers()).containsExactly(Trigger.EXPIRY);
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
      assertThat(cluster.pass().triggers()).containsExactly(Trigger.EMBEDDER);
    }

    @Test
    void everyExpiryMakesAPassDue() {
      cluster.pass(
          pass -> {
            provision(pass, 1, OptionalLong.of(20));
            provision(pass, 1, OptionalLong.of(10));
            provision(pass, 1, OptionalLong.of(30));
          });
      for (long at = 10; at <= 30; at += 10) {
        assertThat(cluster.scheduler().nextTimerAt()).hasValue(at);
        assertThat(cluster.atNanos(at).pass().triggers()).containsExactly(Trigger.EXPIRY);
      }
      assertThat(cluster.scheduler().nextTimerAt()).isEmpty();
    }

    @Test
    void removedHostDoesNotExpire() {
      cluster.pass(pass -> provision(pass, 2, OptionalLong.of(20)));
      cluster.host("p-1", 2).removed("p-2");
      assertThat(cluster.scheduler().nextTimerAt()).hasValue(20);

      cluster.pass(pass -> pass.release(cluster.host("p-1"), WHY));

      assertThat(cluster.scheduler().nextTimerAt()).isEmpty();
    }

    @Test
    void earliestWakeUpHoldsUntilTheNextPass() {
      cluster.pass(
          pass -> {
            pass.wakeAt(50);
            pass.wakeAt(40);
            pass.wakeAt(60);
          });

      assertThat(cluster.scheduler().nextPassAt()).hasValue(40);
      assertThat(cluster.atNanos(45).pass().triggers()).containsExactly(Trigger.WAKE_UP);
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();

      cluster.pass(pass -> pass.wakeAt(99));

      assertThat(cluster.atNanos(50).pass().triggers()).containsExactly(Trigger.EMBEDDER);
      assertThat(cluster.scheduler().nextTimerAt()).isEmpty();
    }

    @Test
    void discardedForkDropsItsWakeUp() {
      cluster.pass(
          pass -> {
            pass.wakeAt(50);
            try (Fork fork = pass.fork()) {
              fork.wakeAt(40);
            }
            try (Fork fork = pass.fork()) {
              fork.wakeAt(45);
              fork.keep();
            }
          });

      assertThat(cluster.scheduler().nextPassAt()).hasValue(45);
    }

    @Test
    void failedPassKeepsTheEarlierWakeUp() {
      cluster.pass(pass -> pass.wakeAt(50));

      assertThatExceptionOfType(PolicyFailedException.class)
          .isThrownBy(
              () ->
                  cluster
                      .atNanos(50)
                      .pass(
                          pass -> {
                            pass.wakeAt(70);
                            throw new IllegalStateException("thrown by the test");
                          }));

      assertThat(cluster.scheduler().nextPassAt()).hasValue(50);
      assertThat(cluster.pass().triggers()).containsExactly(Trigger.WAKE_UP);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void refusesWakeUpInThePast(long time) {
      cluster.pass(
          pass -> assertThatIllegalArgumentException().isThrownBy(() -> pass.wakeAt(time)));
    }

    @Test
    void maximumTimeMeansNever() {
      cluster.pass(
          pass -> {
            pass.wakeAt(Long.MAX_VALUE);
            provision(pass, 1, OptionalLong.of(Long.MAX_VALUE));
          });

      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
      assertThat(cluster.atNanos(TimeLimits.LONGEST_LIFE.toNanos()).pass().triggers())
          .containsExactly(Trigger.EMBEDDER);
    }
  }

  @Nested
  class LoadReports {

    static Stream<Arguments> invalid() {
      return Stream.of(
          load("h9", 1, 10, "host h9 reports its load, but no such host is present."),
          load("p-1", 1, 10, "host p-1 reports its load, but no such host is present."),
          load("h1", -1, 10, "host h1: host load was -1.0, must be 0 or more and finite."),
          load("h1", Double.NaN, 10, "host h1: host load was NaN, must be 0 or more and finite."),
          load("h1", 1, 9, "host h1 reports its load at 9 ns, but time has reached 10 ns."));
    }

    private static Arguments load(String host, double load, long now, String words) {
      Consumer<Cluster> event = c -> c.scheduler().loadReported(host, load, now);
      return Arguments.of(event, words);
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void refusesInvalidReport(Consumer<Cluster> event, String words) {
      provision(1);
      cluster.atNanos(10).pass();

      assertRefused(() -> event.accept(cluster), words);
    }

    @Test
    void reportMakesNoPassDue() {
      cluster.scheduler().loadReported("h1", 1.5, 7);

      assertThat(cluster.host("h1").load().orElseThrow().average()).isEqualTo(1.5);
      assertThat(cluster.host("h1").load().orElseThrow().reportedAt()).isEqualTo(7);
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
    }
  }

  @Test
  void poolsAreInOrderOfTheirFirstOffer() {
    cluster.scheduler().offerPool(new PoolSpec("a", cores(1), 1), 0);
    offerPool(9);

    assertThat(cluster.scheduler().pools()).extracting(Pool::name).containsExactly("p", "a");
    assertThat(pool().spec().limit()).isEqualTo(9);
    assertThat(cluster.pass().triggers()).containsExactly(Trigger.POOL_OFFERED);
  }

  @Test
  void explainsWhyAHostIsPresentOrGone() {
    provision(1);
    assertThat(cluster.scheduler().explain().whyHost("p-1").orElseThrow().describe())
        .isEqualTo("provision p-1 from p at 0s, in pass 2: because");

    cluster.pass(pass -> pass.release(pool(pass).starting().get(0), WHY));

    assertThat(cluster.scheduler().explain().whyHost("p-1").orElseThrow().describe())
        .isEqualTo("release p-1 to p at 0s, in pass 3: because");
    assertThat(cluster.scheduler().explain().whyHost("h1")).isEmpty();
  }

  @Test
  void requestMayNameADimensionOnlyAPoolHas() {
    Dimension gpu = new Dimension("gpu", 1);
    cluster.scheduler().offerPool(new PoolSpec("q", Resources.of(gpu, 1), 1), 0);
    cluster.pending(request("a", 0).demand(Resources.of(gpu, 1)));
    cluster.pass(
        pass -> pass.provision(pass.pool("q").orElseThrow(), 1, Optional.empty(), EVER, WHY));

    cluster.scheduler().addHost(new HostSpec("q-1", Resources.of(gpu, 1)), 0);

    assertThat(cluster.place("a", "q-1").host("q-1").free(gpu)).isZero();
  }
}

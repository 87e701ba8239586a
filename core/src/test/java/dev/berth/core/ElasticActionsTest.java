package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Moldability;
import dev.berth.api.Reason;
import dev.berth.api.Reason.AntiAffinity;
import dev.berth.api.Reason.ConstraintNotMet;
import dev.berth.api.Reason.GrantTooSmall;
import dev.berth.api.Reason.LargerThanHost;
import dev.berth.api.Reason.PolicyChoice;
import dev.berth.api.Reason.ShortOfCapacity;
import dev.berth.api.Reason.Unknown;
import dev.berth.api.Reason.WrongState;
import dev.berth.api.Resources;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.error.EventRefusedException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Actions of a pass on a placed instance: resize, pause, suspend, resume, migrate; and reject. */
class ElasticActionsTest {

  private static final Reason WHY = new PolicyChoice("test", "because");
  private static final Dimension GPU = new Dimension("gpu", 1);

  private final Cluster cluster = Cluster.byHand().host("h1", cores(4, 8));

  /** Runs on h1 with 2 cores and 4 GB. */
  private Cluster withA() {
    return cluster.running(request("a", 0).demand(cores(2, 4)), "h1");
  }

  @Nested
  class Resizing {

    @Test
    void changesOnlyTheGrantAndAtOnce() {
      withA().at(5);

      Plan plan = accepted(pass -> pass.resize(a(pass), cores(3, 8), WHY));

      assertThat(plan.actions()).containsExactly(new Action.Resize("a", "h1", cores(3, 8)));
      assertThat(cluster.host("h1").free()).isEqualTo(cores(1));
      assertThat(cluster.instance("a").granted()).isEqualTo(cores(3, 8));
      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.RUNNING);
      assertThat(cluster.instance("a").stateSince()).isZero();
      assertThat(cluster.instance("a").serviceTime(7 * SECOND)).isEqualTo(7 * SECOND);
      accepted(pass -> pass.resize(a(pass), cores(2, 4), WHY));
      assertThat(cluster.host("h1").free()).isEqualTo(cores(2, 4));
    }

    @Test
    void appliesToStartingInstances() {
      cluster.starting(request("a", 0).demand(cores(2, 4)), "h1");
      accepted(pass -> pass.resize(a(pass), cores(4, 4), WHY));

      assertThat(cluster.started("a").host("h1").free()).isEqualTo(cores(0, 4));
    }

    @Test
    void ofAPausedInstanceTakesNoCpuUntilResumed() {
      withA();
      accepted(pass -> pass.pause(a(pass), WHY));
      cluster.running(request("b", 0).demand(cores(3, 1)), "h1");

      accepted(pass -> pass.resize(a(pass), cores(4, 5), WHY));

      assertThat(cluster.host("h1").free()).isEqualTo(cores(1, 2));
      refused(
          pass -> pass.resize(a(pass), cores(4, 7.5), WHY),
          new ShortOfCapacity(Dimension.MEMORY, 500_000_000));
      refused(
          pass -> pass.resume(a(pass), cores(2, 4), WHY),
          new ShortOfCapacity(Dimension.CPU, SECOND));
    }

    @Test
    void refusesGrantBeyondCapacity() {
      withA().running(request("b", 1), "h1");

      refused(
          pass -> pass.resize(a(pass), cores(3.5, 4), WHY),
          new ShortOfCapacity(Dimension.CPU, 500_000_000));
      refused(
          pass -> pass.resize(a(pass), cores(2, 8.5), WHY),
          new LargerThanHost(Dimension.MEMORY, 500_000_000));
    }

    @Test
    void refusesGrantBelowGuaranteed() {
      withA();

      refused(
          pass -> pass.resize(a(pass), cores(2, 3), WHY),
          new GrantTooSmall(Dimension.MEMORY, 3 * SECOND, 4 * SECOND));
      refused(
          pass -> pass.resize(a(pass), Resources.none(), WHY),
          new GrantTooSmall(Dimension.CPU, 0, 2 * SECOND));
    }

    @Test
    void shrinksToGuaranteedInOversubscribedDimension() {
      Cluster elastic = oversubscribing();
      elastic.host("h1", cores(4, 8));
      elastic.running(request("a", 0).demand(cores(2, 4)).guaranteed(cores(1, 1)), "h1");

      assertThat(elastic(elastic, pass -> pass.resize(a(pass), cores(2, 1), WHY))).isEmpty();
      assertThat(elastic.host("h1").free()).isEqualTo(cores(2, 7));
      assertThat(elastic(elastic, pass -> pass.resize(a(pass), cores(2, 0.5), WHY)))
          .contains(new GrantTooSmall(Dimension.MEMORY, 500_000_000, SECOND, true));
      assertThat(elastic(elastic, pass -> pass.resize(a(pass), cores(1, 1), WHY)))
          .as("cores are not oversubscribed")
          .contains(new GrantTooSmall(Dimension.CPU, SECOND, 2 * SECOND));
    }

    @Test
    void neverShrinksAMoldedInstance() {
      Cluster molded = Cluster.byHand().host("h1", 10);
      molded.pending(request("a", 10).moldability(Moldability.LINPACK));
      assertThat(refusal(molded, pass -> pass.place(a(pass), h1(pass), List.of(), cores(3.9))))
          .contains(new GrantTooSmall(Dimension.CPU, 3_900_000_000L, 4 * SECOND));
      assertThat(refusal(molded, pass -> pass.place(a(pass), h1(pass), List.of(), cores(4))))
          .isEmpty();
      assertThat(refusal(molded, pass -> pass.resize(a(pass), cores(3.9), WHY)))
          .contains(new GrantTooSmall(Dimension.CPU, 3_900_000_000L, 4 * SECOND));
      assertThat(refusal(molded, pass -> pass.resize(a(pass), cores(6), WHY))).isEmpty();
      assertThat(refusal(molded, pass -> pass.resize(a(pass), cores(5), WHY)))
          .contains(new GrantTooSmall(Dimension.CPU, 5 * SECOND, 6 * SECOND));
    }

    @Test
    void refusesInstanceThatHoldsNothing() {
      withA().pending("p", 1);
      accepted(pass -> pass.suspend(a(pass), WHY));

      refused(
          pass -> pass.resize(a(pass), cores(2, 4), WHY),
          new WrongState(
              "a", "must be starting, running or paused to be resized, is SUSPENDED on h1"));
      refused(
          pass -> pass.resize(get(pass, "p"), cores(1), WHY),
          new WrongState("p", "must be starting, running or paused to be resized, is PENDING"));
    }

    @Test
    void refusesUnknownDimension() {
      withA();

      refused(
          pass ->
              pass.resize(
                  a(pass),
                  Resources.builder().put(Dimension.CPU, 2 * SECOND).put(GPU, 1).build(),
                  WHY),
          new Unknown("dimension", "gpu"));
      refused(
          pass -> pass.resize(a(pass), Resources.of(new Dimension("cpu", 5), 9), WHY),
          new Unknown("dimension", "cpu"));
    }
  }

  @Nested
  class Pausing {

    @Test
    void releasesOnlyTheCpu() {
      withA().at(5);

      Plan plan = accepted(pass -> pass.pause(a(pass), WHY));

      assertThat(plan.actions()).containsExactly(new Action.Pause("a", "h1"));
      assertThat(cluster.host("h1").free()).isEqualTo(cores(4, 4));
      Instance a = cluster.instance("a");
      assertThat(a.state()).isEqualTo(InstanceState.PAUSED);
      assertThat(a.stateSince()).isEqualTo(5 * SECOND);
      assertThat(a.granted()).isEqualTo(cores(2, 4));
      assertThat(a.serviceTime(9 * SECOND)).isEqualTo(5 * SECOND);
      assertThat(a.waitingTime(9 * SECOND)).isEqualTo(4 * SECOND);
      assertThat(a.earnedTime(9 * SECOND)).isEqualTo(5 * SECOND);
      assertThat(a.host().map(Host::id)).contains("h1");
    }

    @Test
    void refusesInstanceThatIsNotRunning() {
      withA().starting(request("s", 1), "h1").pending("p", 1);
      accepted(pass -> pass.pause(a(pass), WHY));

      refused(
          pass -> pass.pause(a(pass), WHY),
          new WrongState("a", "must be running to be paused, is PAUSED on h1"));
      refused(
          pass -> pass.pause(get(pass, "s"), WHY),
          new WrongState("s", "must be running to be paused, is STARTING on h1"));
      refused(
          pass -> pass.pause(get(pass, "p"), WHY),
          new WrongState("p", "must be running to be paused, is PENDING"));
      accepted(pass -> pass.suspend(a(pass), WHY));
      refused(
          pass -> pass.pause(a(pass), WHY),
          new WrongState("a", "must be running to be paused, is SUSPENDED on h1"));
    }
  }

  @Nested
  class Suspending {

    @Test
    void releasesAllResources() {
      withA().at(5);

      Plan plan = accepted(pass -> pass.suspend(a(pass), WHY));

      assertThat(plan.actions()).containsExactly(new Action.Suspend("a", "h1"));
      assertThat(cluster.host("h1").free()).isEqualTo(cores(4, 8));
      assertThat(cluster.host("h1").instances()).containsExactly(cluster.instance("a"));
      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.SUSPENDED);
      assertThat(cluster.instance("a").serviceTime(9 * SECOND)).isEqualTo(5 * SECOND);
      assertThat(cluster.instance("a").granted()).isEqualTo(cores(2, 4));
    }

    @Test
    void appliesToPausedInstances() {
      withA().at(5);
      accepted(pass -> pass.pause(a(pass), WHY));
      cluster.at(6);
      accepted(pass -> pass.suspend(a(pass), WHY));

      assertThat(cluster.host("h1").free()).isEqualTo(cores(4, 8));
      assertThat(cluster.instance("a").serviceTime(9 * SECOND)).isEqualTo(5 * SECOND);
      assertThat(cluster.instance("a").stateSince()).isEqualTo(6 * SECOND);
      refused(
          pass -> pass.suspend(a(pass), WHY),
          new WrongState("a", "must be running or paused to be suspended, is SUSPENDED on h1"));
    }

    @Test
    void keepsAntiAffinityOnTheHost() {
      cluster.running(request("a", 1).job("j").antiAffinity(true), "h1");
      accepted(pass -> pass.suspend(a(pass), WHY));
      cluster.pending(request("b", 1).job("j"));

      refused(pass -> pass.place(get(pass, "b"), h1(pass)), new AntiAffinity("j", "a"));
    }

    @Test
    void suspendedInstanceIsNoVictim() {
      withA().pending("b", 1);
      accepted(pass -> pass.suspend(a(pass), WHY));

      refused(
          pass -> pass.place(get(pass, "b"), h1(pass), List.of(a(pass))),
          new WrongState("a", "must hold capacity on h1 to leave it, is SUSPENDED on h1"));
    }

    @Test
    void pausedInstanceIsAVictimWithWhatItHolds() {
      withA().pending(request("b", 0).demand(cores(4, 5)));
      accepted(pass -> pass.pause(a(pass), WHY));
      refused(
          pass -> pass.place(get(pass, "b"), h1(pass)),
          new ShortOfCapacity(Dimension.MEMORY, SECOND));

      accepted(pass -> pass.place(get(pass, "b"), h1(pass), List.of(a(pass))));

      assertThat(cluster.host("h1").free()).isEqualTo(cores(0, 3));
      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.PENDING);
      assertThat(cluster.instance("a").preemptions()).isEqualTo(1);
    }
  }

  @Nested
  class Resuming {

    @Test
    void startsOnTheSameHostAndRunsWhenReady() {
      withA().at(5);
      accepted(pass -> pass.pause(a(pass), WHY));
      cluster.at(7);

      Plan plan = accepted(pass -> pass.resume(a(pass), cores(3, 4), WHY));

      assertThat(plan.actions()).containsExactly(new Action.Resume("a", "h1", cores(3, 4), 2));
      assertThat(cluster.host("h1").free()).isEqualTo(cores(1, 4));
      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.STARTING);
      cluster.at(8).started("a");
      assertThat(cluster.instance("a").serviceTime(10 * SECOND)).isEqualTo(7 * SECOND);
      assertThat(cluster.instance("a").placements()).isEqualTo(1);
      assertThat(cluster.instance("a").restartOverhead()).isZero();
    }

    @Test
    void fromSuspensionNeedsRoomForTheWholeGrant() {
      withA();
      accepted(pass -> pass.suspend(a(pass), WHY));
      cluster.running(request("b", 0).demand(cores(1, 5)), "h1");

      refused(
          pass -> pass.resume(a(pass), cores(2, 4), WHY),
          new ShortOfCapacity(Dimension.MEMORY, SECOND));
      refused(
          pass -> pass.resume(a(pass), cores(5, 4), WHY),
          new LargerThanHost(Dimension.CPU, SECOND));
      refused(
          pass -> pass.resume(a(pass), cores(2, 3), WHY),
          new GrantTooSmall(Dimension.MEMORY, 3 * SECOND, 4 * SECOND));
      cluster.cancel("b");
      accepted(pass -> pass.resume(a(pass), cores(2, 4), WHY));
      assertThat(cluster.host("h1").free()).isEqualTo(cores(2, 4));
    }

    @Test
    void refusesInstanceThatIsNotPausedOrSuspended() {
      withA().pending("p", 1);

      refused(
          pass -> pass.resume(a(pass), cores(2, 4), WHY),
          new WrongState("a", "must be paused or suspended to be resumed, is RUNNING on h1"));
      refused(
          pass -> pass.resume(get(pass, "p"), cores(1), WHY),
          new WrongState("p", "must be paused or suspended to be resumed, is PENDING"));
    }
  }

  @Nested
  class Migrating {

    @Test
    void keepsServedTimeOnTheNewHost() {
      withA().host("h2", cores(4, 4)).at(5);
      usageReported("a", cores(1, 2));
      usageReported("a", cores(2, 2));
      assertThat(cluster.instance("a").previousUsage()).isPresent();

      Plan plan = accepted(pass -> pass.migrate(a(pass), h2(pass), cores(3, 4), WHY));

      assertThat(plan.actions())
          .containsExactly(new Action.Migrate("a", "h1", "h2", cores(3, 4), 2));
      Instance a = cluster.instance("a");
      assertThat(cluster.host("h1").free()).isEqualTo(cores(4, 8));
      assertThat(cluster.host("h1").instances()).isEmpty();
      assertThat(cluster.host("h2").free()).isEqualTo(cores(1));
      assertThat(a.state()).isEqualTo(InstanceState.STARTING);
      assertThat(a.host().map(Host::id)).contains("h2");
      assertThat(a.migrations()).isEqualTo(1);
      assertThat(a.placements()).isEqualTo(1);
      assertThat(a.preemptions()).isZero();
      assertThat(a.usage()).isEmpty();
      assertThat(a.previousUsage()).isEmpty();
      cluster.at(8).started("a");
      assertThat(a.serviceTime(10 * SECOND)).isEqualTo(7 * SECOND);
      assertThat(a.waitingTime(10 * SECOND)).isEqualTo(3 * SECOND);
      assertThat(a.earnedTime(10 * SECOND)).isEqualTo(7 * SECOND);
      assertThat(a.restartOverhead()).isZero();
    }

    @Test
    void appliesToPausedAndSuspendedInstances() {
      withA().running(request("b", 1), "h1").host("h2", cores(4, 4)).at(5);
      accepted(pass -> pass.pause(a(pass), WHY));
      accepted(pass -> pass.suspend(get(pass, "b"), WHY));
      accepted(pass -> pass.migrate(a(pass), h2(pass), cores(2, 4), WHY));
      accepted(pass -> pass.migrate(get(pass, "b"), h2(pass), cores(1), WHY));

      assertThat(cluster.host("h1").free()).isEqualTo(cores(4, 8));
      assertThat(cluster.host("h2").free()).isEqualTo(cores(1));
      assertThat(cluster.instance("a").serviceTime(9 * SECOND)).isEqualTo(5 * SECOND);
    }

    @Test
    void addsNoRestartOverhead() {
      withA().host("h2", cores(4, 8)).pending(request("b", 4)).at(1);
      cluster.place("b", "h1", "a").place("a", "h2").at(3).started("a");
      assertThat(cluster.instance("a").restartOverhead()).isEqualTo(2 * SECOND);
      cluster.cancel("b");
      accepted(pass -> pass.migrate(a(pass), h1(pass), cores(2, 4), WHY));
      cluster.at(9).started("a");

      assertThat(cluster.instance("a").restartOverhead()).isEqualTo(2 * SECOND);
    }

    @Test
    void obeysThePlacementRules() {
      Constraint ssd = new Constraint.Exists("ssd");
      cluster.running(request("c", 1).job("j").antiAffinity(true), "h1");
      cluster.host("h2", cores(2, 2)).running(request("d", 1).job("j"), "h2");
      cluster.host("h3", cores(9, 9), "ssd", "yes");
      cluster.running(request("e", 2).constraint(ssd), "h3");

      refused(
          pass -> pass.migrate(get(pass, "c"), h2(pass), cores(1), WHY),
          new AntiAffinity("j", "d"));
      refused(
          pass -> pass.migrate(get(pass, "e"), h1(pass), cores(2), WHY),
          new ConstraintNotMet(ssd, Optional.empty()));
      cluster.cancel("c");
      cluster.running(request("f", 1.5), "h1");
      refused(
          pass -> pass.migrate(get(pass, "f"), h2(pass), cores(1.5), WHY),
          new ShortOfCapacity(Dimension.CPU, 500_000_000));
      refused(
          pass -> pass.migrate(get(pass, "f"), h2(pass), cores(2.5), WHY),
          new LargerThanHost(Dimension.CPU, 500_000_000));
      refused(
          pass -> pass.migrate(get(pass, "f"), h2(pass), cores(1), WHY),
          new GrantTooSmall(Dimension.CPU, SECOND, 1_500_000_000));
    }

    @Test
    void refusesSameOrUnknownHost() {
      withA();
      Cluster other = Cluster.byHand().host("h9", cores(4, 8));

      refused(
          pass -> pass.migrate(a(pass), h1(pass), cores(2, 4), WHY),
          new WrongState("a", "is on h1 already"));
      refused(
          pass -> pass.migrate(a(pass), other.host("h9"), cores(2, 4), WHY),
          new Unknown("host", "h9"));
    }

    @Test
    void refusesStartingAndPendingInstances() {
      cluster.host("h2", 4).starting(request("s", 1), "h1").pending("p", 1);

      refused(
          pass -> pass.migrate(get(pass, "s"), h2(pass), cores(1), WHY),
          new WrongState(
              "s", "must be running, paused or suspended to be migrated, is STARTING on h1"));
      refused(
          pass -> pass.migrate(get(pass, "p"), h2(pass), cores(1), WHY),
          new WrongState("p", "must be running, paused or suspended to be migrated, is PENDING"));
    }
  }

  @Nested
  class Rejecting {

    @Test
    void endsAnInstanceNeverPlaced() {
      cluster.pending("p", 1).pending(request("q", 1).job("j"));

      Plan plan =
          accepted(
              pass -> {
                Instance p = get(pass, "p");
                Outcome outcome = pass.reject(p, WHY);
                assertThat(pass.instance("p")).isEmpty();
                assertThat(pass.pending()).extracting(Instance::id).containsExactly("q");
                assertThat(pass.instances()).extracting(Instance::id).containsExactly("q");
                assertThat(pass.reject(p, WHY).refusal())
                    .contains(
                        new WrongState(
                            "p", "must be pending and never placed to be rejected, is DONE"));
                assertThat(pass.place(p, h1(pass)).refusal())
                    .contains(new WrongState("p", "must be pending to be placed, is DONE"));
                assertThat(pass.defer(p, WHY).accepted()).isFalse();
                return outcome;
              });

      assertThat(plan.actions()).containsExactly(new Action.Reject("p", WHY));
      assertThat(cluster.scheduler().instance("p")).isEmpty();
      assertThat(cluster.scheduler().pendingCount()).isEqualTo(1);
      assertThatExceptionOfType(EventRefusedException.class).isThrownBy(() -> cluster.cancel("p"));
      assertThat(cluster.pending("p", 1).instance("p").state()).isEqualTo(InstanceState.PENDING);
    }

    @Test
    void refusesInstancePlacedBefore() {
      withA();
      refused(
          pass -> pass.reject(a(pass), WHY),
          new WrongState("a", "must be pending and never placed to be rejected, is RUNNING on h1"));
      cluster.failed("a");
      refused(
          pass -> pass.reject(a(pass), WHY),
          new WrongState("a", "must be pending and never placed to be rejected, is PENDING"));
    }

    @Test
    void isUndoneWithItsFork() {
      cluster.pending("p", 1);
      cluster.pass(
          pass -> {
            Snapshot before = Snapshot.of(pass);
            try (SchedulingPass.Fork fork = pass.fork()) {
              assertThat(fork.reject(get(fork, "p"), WHY).accepted()).isTrue();
            }
            assertThat(Snapshot.of(pass)).isEqualTo(before);
          });

      assertThat(cluster.place("p", "h1").instance("p").state()).isEqualTo(InstanceState.STARTING);
    }
  }

  @Nested
  class OneActionAPass {

    @Test
    void allowsOneActionPerInstance() {
      withA().running(request("b", 1), "h1").host("h2", cores(4, 8)).pending("p", 1);
      accepted(pass -> pass.pause(get(pass, "b"), WHY));
      WrongState acted = new WrongState("a", "was acted on in this pass, so it waits for the next");

      cluster.pass(
          pass -> {
            assertThat(pass.resize(a(pass), cores(3, 4), WHY).accepted()).isTrue();
            Snapshot before = Snapshot.of(pass);
            assertThat(pass.resize(a(pass), cores(2, 4), WHY).refusal()).contains(acted);
            assertThat(pass.pause(a(pass), WHY).refusal()).contains(acted);
            assertThat(pass.suspend(a(pass), WHY).refusal()).contains(acted);
            assertThat(pass.migrate(a(pass), h2(pass), cores(2, 4), WHY).refusal()).contains(acted);
            assertThat(pass.place(get(pass, "p"), h1(pass), List.of(a(pass))).refusal())
                .contains(
                    new WrongState("a", "was acted on in this pass, so it cannot be a victim"));
            assertThat(Snapshot.of(pass)).isEqualTo(before);

            Instance b = get(pass, "b");
            assertThat(pass.suspend(b, WHY).accepted()).isTrue();
            assertThat(pass.resume(b, cores(1), WHY).refusal())
                .contains(
                    new WrongState("b", "was acted on in this pass, so it waits for the next"));

            assertThat(pass.place(get(pass, "p"), h2(pass)).accepted()).isTrue();
            assertThat(pass.resize(get(pass, "p"), cores(2), WHY).refusal())
                .contains(
                    new WrongState("p", "was acted on in this pass, so it waits for the next"));
          });
    }

    @Test
    void preemptedInstanceIsNotRejectedOrPlaced() {
      withA().pending("p", 4);
      cluster.pass(
          pass -> {
            assertThat(pass.place(get(pass, "p"), h1(pass), List.of(a(pass))).accepted()).isTrue();
            assertThat(pass.reject(a(pass), WHY).accepted()).isFalse();
            assertThat(pass.migrate(a(pass), h1(pass), cores(2, 4), WHY).refusal())
                .contains(
                    new WrongState("a", "was acted on in this pass, so it waits for the next"));
          });
    }

    @Test
    void nextPassAllowsActionsAgain() {
      withA();
      accepted(pass -> pass.pause(a(pass), WHY));
      accepted(pass -> pass.resume(a(pass), cores(2, 4), WHY));
    }

    @Test
    void refusesInstanceOfAnotherScheduler() {
      Instance unknownInstance = Cluster.byHand().pending("x", 1).instance("x");
      Unknown unknown = new Unknown("instance", "x");

      refused(pass -> pass.resize(unknownInstance, cores(1), WHY), unknown);
      refused(pass -> pass.pause(unknownInstance, WHY), unknown);
      refused(pass -> pass.suspend(unknownInstance, WHY), unknown);
      refused(pass -> pass.resume(unknownInstance, cores(1), WHY), unknown);
      refused(pass -> pass.migrate(unknownInstance, h1(pass), cores(1), WHY), unknown);
      refused(pass -> pass.reject(unknownInstance, WHY), unknown);
    }

    @Test
    @SuppressWarnings("NullAway") // what is tested
    void requiresAReason() {
      withA();
      cluster.pass(
          pass -> assertThatNullPointerException().isThrownBy(() -> pass.pause(a(pass), null)));

      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.RUNNING);
    }
  }

  @Nested
  class Events {

    @Test
    void pausedAndSuspendedArePendingAfterHostLoss() {
      withA().running(request("b", 1), "h1").at(5);
      accepted(pass -> pass.pause(a(pass), WHY));
      accepted(pass -> pass.suspend(get(pass, "b"), WHY));

      cluster.at(9).removed("h1");

      for (String id : List.of("a", "b")) {
        Instance each = cluster.instance(id);
        assertThat(each.state()).isEqualTo(InstanceState.PENDING);
        assertThat(each.host()).isEmpty();
        assertThat(each.serviceTime(9 * SECOND)).isEqualTo(5 * SECOND);
        assertThat(each.stateSince()).isEqualTo(9 * SECOND);
        assertThat(each.granted()).isEqualTo(each.request().demand());
      }
      assertThat(cluster.host("h1", cores(4, 8)).host("h1").free()).isEqualTo(cores(4, 8));
    }

    @Test
    void pausedAndSuspendedMayFailAndReleaseTheirResources() {
      withA().running(request("b", 1), "h1");
      accepted(pass -> pass.pause(a(pass), WHY));
      accepted(pass -> pass.suspend(get(pass, "b"), WHY));
      cluster.failed("a").failed("b");

      assertThat(cluster.host("h1").free()).isEqualTo(cores(4, 8));
      assertThat(cluster.host("h1").instances()).isEmpty();
      cluster.place("a", "h1").place("b", "h1");
      assertThat(cluster.host("h1").free()).isEqualTo(cores(1, 4));
    }

    @Test
    void grantEndsWhenTheInstanceLeavesItsHost() {
      withA();
      accepted(pass -> pass.resize(a(pass), cores(4, 8), WHY));
      cluster.failed("a");

      assertThat(cluster.instance("a").granted()).isEqualTo(cores(2, 4));
      assertThat(cluster.host("h1").free()).isEqualTo(cores(4, 8));
      cluster.place("a", "h1");
      assertThat(cluster.host("h1").free()).isEqualTo(cores(2, 4));
    }

    @Test
    void suspendedInstanceMayBeCancelledButNotCompleted() {
      withA().at(5);
      accepted(pass -> pass.suspend(a(pass), WHY));
      cluster.at(9);
      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> cluster.completed("a"))
          .withMessageContaining("has been SUSPENDED since");
      assertThatExceptionOfType(EventRefusedException.class).isThrownBy(() -> cluster.started("a"));

      InstanceReport report = cluster.cancel("a");

      assertThat(report.serviceTime()).isEqualTo(5 * SECOND);
      assertThat(report.waitingTime()).isEqualTo(4 * SECOND);
      assertThat(cluster.host("h1").free()).isEqualTo(cores(4, 8));
      assertThat(cluster.host("h1").instances()).isEmpty();
    }

    @Test
    void usageIsClearedWhenTheInstanceLeavesItsHost() {
      withA();
      usageReported("a", cores(1, 2));
      accepted(pass -> pass.pause(a(pass), WHY));
      assertThat(cluster.instance("a").usage()).isPresent();
      usageReported("a", cores(0, 2));
      cluster.failed("a");

      assertThat(cluster.instance("a").usage()).isEmpty();
      assertThat(cluster.instance("a").previousUsage()).isEmpty();
      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(() -> usageReported("a", cores(1)));
    }
  }

  @Nested
  class Explanations {

    @Test
    void giveTheLastActionAndItsReason() {
      withA().host("h2", cores(4, 8)).at(5);
      accepted(pass -> pass.pause(a(pass), new PolicyChoice("a", "no memory left")));
      assertThat(whyAdjusted()).isEqualTo("pause a on h1 at 5s, in pass 2: no memory left");
      cluster.at(6);
      accepted(pass -> pass.migrate(a(pass), h2(pass), cores(2, 4), WHY));

      assertThat(whyAdjusted())
          .isEqualTo("migrate a from h1 to h2 with cpu 2, memory 4 at 6s, in pass 3: because");
      assertThat(cluster.scheduler().decisions().adjustments())
          .extracting(ActionRecord::pass)
          .containsExactly(2L, 3L);
      assertThat(cluster.scheduler().explain().whyAdjusted("b")).isEmpty();
    }

    @Test
    void ofAPlacementEndWithAMigration() {
      withA().host("h2", cores(4, 8));
      assertThat(cluster.scheduler().explain().whyHere("a")).isPresent();
      accepted(pass -> pass.resize(a(pass), cores(3, 4), WHY));
      assertThat(cluster.scheduler().explain().whyHere("a")).as("still there").isPresent();
      accepted(pass -> pass.migrate(a(pass), h2(pass), cores(2, 4), WHY));
      assertThat(cluster.scheduler().explain().whyHere("a")).isEmpty();
      cluster.started("a");
      accepted(pass -> pass.migrate(a(pass), h1(pass), cores(2, 4), WHY));
      assertThat(cluster.scheduler().explain().whyHere("a")).as("and back").isEmpty();
      cluster.started("a").failed("a").place("a", "h1");
      assertThat(cluster.scheduler().explain().whyHere("a")).as("placed anew").isPresent();
    }

    @Test
    void ofARejectedInstanceDoNotApplyToANewOneOfItsId() {
      cluster.pending("p", 1);
      cluster.pass(
          pass -> {
            pass.resize(get(pass, "p"), cores(2), WHY); // an error
            pass.reject(get(pass, "p"), WHY);
          });
      cluster.pending("p", 1);

      assertThat(cluster.scheduler().explain().whyPending("p", 0).policyErrors()).isEmpty();
    }

    private String whyAdjusted() {
      return cluster.scheduler().explain().whyAdjusted("a").orElseThrow().describe();
    }
  }

  // ---- Helpers

  private Plan accepted(Function<SchedulingPass, Outcome> act) {
    return cluster.pass(pass -> assertThat(act.apply(pass).refusal()).isEmpty());
  }

  /**
   * Asserts that the action is refused for this reason and changes nothing. The kind of the reason
   * decides whether it counts as a policy error.
   */
  private void refused(Function<SchedulingPass, Outcome> act, Reason reason) {
    Plan plan =
        cluster.pass(
            pass -> {
              Snapshot before = Snapshot.of(pass);
              assertThat(act.apply(pass).refusal()).contains(reason);
              assertThat(Snapshot.of(pass)).isEqualTo(before);
            });
    assertThat(plan.actions()).isEmpty();
    assertThat(plan.policyErrors()).hasSize(reason.kind() == Reason.Kind.POLICY_ERROR ? 1 : 0);
  }

  private static Optional<Reason> refusal(Cluster cluster, Function<SchedulingPass, Outcome> act) {
    Outcome[] outcome = new Outcome[1];
    cluster.pass(pass -> outcome[0] = act.apply(pass));
    return outcome[0].refusal();
  }

  private void usageReported(String id, Resources amount) {
    cluster.scheduler().usageReported(id, amount, Resources.none(), cluster.now());
  }

  private Consumer<SchedulingPass> elasticActs = pass -> {};

  /** Returns a cluster whose policy oversubscribes memory and places every pending instance. */
  private Cluster oversubscribing() {
    return Cluster.withPolicy(
        Scheduler.builder(),
        context ->
            new Policy() {
              @Override
              public void schedule(SchedulingPass pass) {
                pass.pending().forEach(each -> pass.place(each, pass.hosts().get(0)));
                elasticActs.accept(pass);
              }

              @Override
              public Set<Dimension> oversubscribes() {
                return Set.of(Dimension.MEMORY);
              }
            });
  }

  private Optional<Reason> elastic(Cluster elastic, Function<SchedulingPass, Outcome> act) {
    Outcome[] outcome = new Outcome[1];
    elasticActs = pass -> outcome[0] = act.apply(pass);
    elastic.pass();
    return outcome[0].refusal();
  }

  private static Instance get(SchedulingPass pass, String id) {
    return pass.instance(id).orElseThrow();
  }

  private static Instance a(SchedulingPass pass) {
    return get(pass, "a");
  }

  private static Host h1(SchedulingPass pass) {
    return pass.host("h1").orElseThrow();
  }

  private static Host h2(SchedulingPass pass) {
    return pass.host("h2").orElseThrow();
  }
}

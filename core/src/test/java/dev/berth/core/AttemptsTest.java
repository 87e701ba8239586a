package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Attempt;
import dev.berth.api.plan.Plan;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.StaleReportException;
import dev.berth.core.internal.cluster.EndedInstances;
import dev.berth.core.snapshot.SchedulerSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Reports about one attempt of an instance, which may be late, doubled, or about the past. */
class AttemptsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "a test");
  private static final Attempt FIRST = new Attempt("a", 1);
  private static final Attempt SECOND_ONE = new Attempt("a", 2);

  private final Cluster cluster = Cluster.byHand().host("h1", cores(4, 4)).host("h2", cores(4, 4));
  private final Scheduler scheduler = cluster.scheduler();

  private Instance a() {
    return cluster.instance("a");
  }

  private static long seconds(double seconds) {
    return Math.round(seconds * SECOND);
  }

  /** The report is refused as stale, counted as that alone, and changes nothing. */
  private void assertStale(Runnable report) {
    Snapshot before = cluster.snapshot();
    SchedulerStats stats = scheduler.stats();

    assertThatExceptionOfType(StaleReportException.class).isThrownBy(report::run);

    assertThat(cluster.snapshot()).isEqualTo(before);
    assertThat(scheduler.stats().staleReports()).isEqualTo(stats.staleReports() + 1);
    assertThat(scheduler.stats().eventsRefused()).isEqualTo(stats.eventsRefused());
  }

  private void assertRefused(Runnable report, String message) {
    Snapshot before = cluster.snapshot();
    SchedulerStats stats = scheduler.stats();

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(report::run)
        .isNotInstanceOf(StaleReportException.class)
        .withMessageContaining(message);

    assertThat(cluster.snapshot()).isEqualTo(before);
    assertThat(scheduler.stats().staleReports()).isEqualTo(stats.staleReports());
    assertThat(scheduler.stats().eventsRefused()).isEqualTo(stats.eventsRefused() + 1);
  }

  private void started(Attempt attempt) {
    scheduler.started(attempt, cluster.now(), cluster.now());
  }

  private void failed(Attempt attempt) {
    scheduler.failed(attempt, cluster.now(), cluster.now());
  }

  private InstanceReport completed(Attempt attempt) {
    return scheduler.completed(attempt, cluster.now(), cluster.now());
  }

  private void assertGone() {
    assertThat(scheduler.instance("a")).isEmpty();
  }

  // ---- Set-ups at 10 s

  private void starting() {
    cluster.pending("a", 2);
    cluster.at(10).place("a", "h1");
  }

  private void running() {
    starting();
    cluster.started("a");
  }

  private void paused() {
    running();
    cluster.at(20).pass(pass -> pass.pause(a(), WHY));
  }

  private void suspended() {
    running();
    cluster.at(20).pass(pass -> pass.suspend(a(), WHY));
  }

  private void preempted() {
    running();
    cluster.at(20).pending("b", 4).place("b", "h1", "a");
  }

  private void failedOnce() {
    running();
    cluster.at(20).failed("a");
  }

  private void restarted() {
    failedOnce();
    cluster.at(30).place("a", "h2");
  }

  @Nested
  class Numbers {

    @Test
    void countPlacementsResumptionsAndMigrations() {
      cluster.pending("a", 2);
      assertThat(a().attempt()).isZero();

      cluster.at(1).place("a", "h1").started("a");
      assertThat(a().attempt()).isEqualTo(1);
      cluster.pass(pass -> pass.suspend(a(), WHY));
      assertThat(a().attempt()).isEqualTo(1);
      Plan resumes = cluster.pass(pass -> pass.resume(a(), a().granted(), WHY));
      assertThat(a().attempt()).isEqualTo(2);
      cluster.started("a");
      Plan migrates =
          cluster.pass(pass -> pass.migrate(a(), cluster.host("h2"), a().granted(), WHY));
      assertThat(a().attempt()).isEqualTo(3);
      cluster.failed("a");
      Plan places = cluster.pass(pass -> pass.place(a(), cluster.host("h1")));

      assertThat(resumes.actions()).containsExactly(new Action.Resume("a", "h1", cores(2), 2));
      assertThat(migrates.actions())
          .containsExactly(new Action.Migrate("a", "h1", "h2", cores(2), 3));
      assertThat(places.placements()).extracting(Action.Place::attempt).containsExactly(4);
      assertThat(places.actions(Action.Starts.class))
          .extracting(Action.Starts::toAttempt)
          .containsExactly(new Attempt("a", 4));
      assertThat(a().placements()).isEqualTo(2);
    }

    @Test
    void areThoseBeforeAnActionThatIsUndoneInItsPass() {
      cluster.pending("a", 2);
      cluster.pass(
          pass -> {
            try (var fork = pass.fork()) {
              fork.place(a(), cluster.host("h2"));
              assertThat(a().attempt()).isEqualTo(1);
            }
            assertThat(a().attempt()).isZero();
            pass.place(a(), cluster.host("h1"));
          });

      assertThat(a().attempt()).isEqualTo(1);
    }

    @Test
    void mustBePositive() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Attempt("a", 0))
          .withMessage("attempt of instance a: number was 0, must be 1 or more.");
      assertThat(FIRST).hasToString("attempt 1 of a");
    }
  }

  @Nested
  class WithALaterAttempt {

    @Test
    void everyReportOfTheEarlierOneIsStale() {
      restarted();
      assertStale(() -> started(FIRST));
      assertStale(() -> failed(FIRST));
      assertStale(() -> completed(FIRST));
      assertStale(
          () -> scheduler.completed(FIRST, Duration.ofSeconds(1), cluster.now(), cluster.now()));

      started(SECOND_ONE);
      assertStale(() -> started(FIRST));
      assertStale(() -> failed(FIRST));
      assertStale(() -> completed(FIRST));
    }

    @Test
    void lateStartOnTheFormerHostDoesNotStartTheServiceOnTheNewOne() {
      cluster.pending("b", 2);
      cluster.at(1).place("b", "h1").at(2).failed("b").at(3).place("b", "h2");

      assertStale(() -> scheduler.started(new Attempt("b", 1), cluster.now(), cluster.now()));

      assertThat(cluster.instance("b").state()).isEqualTo(InstanceState.STARTING);
      assertThat(cluster.instance("b").host()).contains(cluster.host("h2"));
    }
  }

  @Nested
  class Starting {

    @Test
    void startedRunsSinceThen() {
      starting();
      cluster.at(50);

      scheduler.started(FIRST, seconds(12), cluster.now());

      assertThat(a().state()).isEqualTo(InstanceState.RUNNING);
      assertThat(a().stateSince()).isEqualTo(seconds(12));
      assertThat(a().serviceTime(cluster.now())).isEqualTo(seconds(38));
      assertThat(scheduler.now()).isEqualTo(cluster.now());
    }

    @Test
    void failedIsPendingSinceThen() {
      starting();
      cluster.at(50);

      scheduler.failed(FIRST, seconds(12), cluster.now());

      assertThat(a().state()).isEqualTo(InstanceState.PENDING);
      assertThat(a().stateSince()).isEqualTo(seconds(12));
      assertThat(a().serviceTime(cluster.now())).isZero();
      assertThat(scheduler.nextPassAt()).hasValue(cluster.now());
    }

    @Test
    void completedWithACpuTimeIsReportedLikeOthers() {
      starting();
      cluster.at(50);

      InstanceReport report =
          scheduler.completed(FIRST, Duration.ofSeconds(1), seconds(40), cluster.now());

      assertThat(report.id()).isEqualTo("a");
      assertThat(report.endedAt()).isEqualTo(seconds(40));
    }

    @Test
    void completedIsDoneWithoutServiceOfThatAttempt() {
      starting();
      cluster.at(50);

      InstanceReport report = scheduler.completed(FIRST, seconds(40), cluster.now());

      assertGone();
      assertThat(report.endedAt()).isEqualTo(seconds(40));
      assertThat(report.serviceTime()).isZero();
      assertThat(report.waitingTime()).isEqualTo(seconds(40));
      assertThat(cluster.host("h1").instances()).isEmpty();
    }

    @Test
    void restartAfterAPreemptionLastsUntilThen() {
      preempted();
      cluster.at(21).cancel("b");
      cluster.at(30).place("a", "h1");
      cluster.at(50);

      scheduler.started(SECOND_ONE, seconds(33), cluster.now());

      assertThat(a().restartOverhead()).isEqualTo(seconds(3));
    }

    @Test
    void completedBeforeItsStartWasReportedLosesNoTimeToARestart() {
      preempted();
      cluster.at(21).cancel("b");
      cluster.at(30).place("a", "h1");
      cluster.at(50);

      InstanceReport report = scheduler.completed(SECOND_ONE, seconds(45), cluster.now());

      assertThat(report.restartOverhead()).isZero();
      assertThat(report.serviceTime()).isEqualTo(seconds(10)); // of the first attempt
    }
  }

  @Nested
  class Running {

    @Test
    void startedIsDoubled() {
      running();
      assertStale(() -> started(FIRST));
    }

    @Test
    void failedIsPendingSinceThen() {
      running();
      cluster.at(50);

      scheduler.failed(FIRST, seconds(30), cluster.now());

      assertThat(a().state()).isEqualTo(InstanceState.PENDING);
      assertThat(a().stateSince()).isEqualTo(seconds(30));
      assertThat(a().serviceTime(cluster.now())).isEqualTo(seconds(20));
    }

    @Test
    void completedIsDoneSinceThen() {
      running();
      cluster.at(50);

      InstanceReport report = scheduler.completed(FIRST, seconds(30), cluster.now());

      assertGone();
      assertThat(report.endedAt()).isEqualTo(seconds(30));
      assertThat(report.serviceTime()).isEqualTo(seconds(20));
      assertThat(scheduler.nextPassAt()).hasValue(cluster.now());
    }

    @Test
    void completedAddsItsCpuTimeToTheHistory() {
      cluster.at(0).pending(Cluster.request("a", 2).application("app"));
      cluster.at(10).place("a", "h1").started("a");

      scheduler.completed(FIRST, Duration.ofSeconds(7), seconds(10), cluster.now());

      assertThat(cluster.host("h1").history("app").orElseThrow().runs()).isEqualTo(1);
    }

    @Test
    void timeBeforeItsStateBeganCountsAsThatMoment() {
      running();
      cluster.at(50);

      scheduler.failed(FIRST, seconds(1), cluster.now());

      assertThat(a().stateSince()).isEqualTo(seconds(10));
      assertThat(a().serviceTime(cluster.now())).isZero();
    }
  }

  @Nested
  class Stopped {

    @Test
    void startedIsStale() {
      paused();
      assertStale(() -> started(FIRST));
    }

    @Test
    void startedIsStaleIfSuspended() {
      suspended();
      assertStale(() -> started(FIRST));
    }

    @Test
    void failedIsPending() {
      paused();
      cluster.at(50);

      scheduler.failed(FIRST, seconds(30), cluster.now());

      assertThat(a().state()).isEqualTo(InstanceState.PENDING);
      assertThat(a().stateSince()).isEqualTo(seconds(30));
      assertThat(a().serviceTime(cluster.now())).isEqualTo(seconds(10));
    }

    @Test
    void failedIsPendingIfSuspended() {
      suspended();
      failed(FIRST);
      assertThat(a().state()).isEqualTo(InstanceState.PENDING);
    }

    @Test
    void completedIsDone() {
      paused();
      cluster.at(50);

      InstanceReport report = scheduler.completed(FIRST, seconds(15), cluster.now());

      assertGone();
      assertThat(report.endedAt()).isEqualTo(seconds(20)); // when it was paused
      assertThat(report.serviceTime()).isEqualTo(seconds(10));
    }

    @Test
    void completedIsDoneIfSuspended() {
      suspended();
      completed(FIRST);
      assertGone();
    }
  }

  @Nested
  class Pending {

    @Test
    void startedAndFailedAreStaleAfterAPreemption() {
      preempted();
      assertStale(() -> started(FIRST));
      assertStale(() -> failed(FIRST));
    }

    @Test
    void completedAfterAPreemptionHasFinishedFirst() {
      preempted();
      cluster.at(50);

      InstanceReport report = scheduler.completed(FIRST, seconds(19), cluster.now());

      assertGone();
      assertThat(report.endedAt()).isEqualTo(seconds(20));
      assertThat(report.serviceTime()).isEqualTo(seconds(10));
      assertThat(report.preemptions()).isEqualTo(1);
      assertThat(scheduler.pendingCount()).isZero();
      assertThat(cluster.pass().placements()).isEmpty();
    }

    @Test
    void cpuTimeAfterAPreemptionBelongsToNoHost() {
      cluster.at(0).pending(Cluster.request("a", 2).application("app"));
      cluster.at(10).place("a", "h1").started("a");
      cluster.at(20).pending("b", 4).place("b", "h1", "a");

      scheduler.completed(FIRST, Duration.ofSeconds(1), cluster.now(), cluster.now());

      assertGone();
      assertThat(cluster.host("h1").history("app")).isEmpty();
    }

    @Test
    void workThatWasReportedAsFailedCounts() {
      failedOnce();
      assertStale(() -> started(FIRST));
      assertStale(() -> failed(FIRST));

      completed(FIRST);

      assertGone();
    }

    @Test
    void workOfAHostThatLeftCountsUntilThen() {
      running();
      cluster.at(20).removed("h1");
      long served = cluster.instance("a").serviceTime(cluster.now());
      cluster.at(25);
      assertStale(() -> started(FIRST));
      assertStale(() -> failed(FIRST));

      InstanceReport report = scheduler.completed(FIRST, 18 * SECOND, cluster.now());

      assertThat(report.serviceTime()).isEqualTo(served);
      assertGone();
    }
  }

  @Nested
  class Ended {

    private static final String UNKNOWN = "there is no such instance, or it is done";

    private void assertAllStale() {
      assertStale(() -> started(FIRST));
      assertStale(() -> failed(FIRST));
      assertStale(() -> completed(FIRST));
      assertStale(() -> scheduler.completed("a", cluster.now()));
      assertStale(() -> scheduler.failed("a", cluster.now()));
    }

    @Test
    void afterItsCompletion() {
      running();
      scheduler.completed("a", cluster.now());
      assertAllStale();
      assertRefused(() -> completed(SECOND_ONE), UNKNOWN);
      assertRefused(() -> scheduler.cancel("a", cluster.now()), UNKNOWN);
    }

    @Test
    void afterItsCancellation() {
      running();
      scheduler.cancel("a", cluster.now());
      assertAllStale();
    }

    @Test
    void cancelledWithItsBag() {
      scheduler.submit(new BagSpec("bag", List.of(Cluster.request("a", 1).build())), 0);
      scheduler.cancelBag("bag", WHY, cluster.now());
      assertStale(() -> scheduler.completed("a", cluster.now()));
      assertRefused(() -> completed(FIRST), UNKNOWN);
    }

    @Test
    void rejectedByAPass() {
      cluster.pending("a", 2);
      Plan plan = cluster.pass(pass -> pass.reject(a(), WHY));

      assertStale(() -> scheduler.completed("a", cluster.now()));

      scheduler.rejected(plan.id(0), "no", cluster.now());
      assertRefused(() -> scheduler.completed("a", cluster.now()), "but it has been PENDING");
    }

    @Test
    void afterARestore() {
      Scheduler.Builder builder =
          Scheduler.builder().serviceClasses(Cluster.GOLD, Cluster.SILVER, Cluster.BRONZE);
      Scheduler first =
          builder
              .policy("test", context -> context.pipeline().queue(QueueDiscipline.FIFO).build())
              .build();
      first.submit(Cluster.request("a", Cluster.GOLD.name(), 1).build(), 0);
      first.cancel("a", 0);
      SchedulerSnapshot snapshot = first.snapshot();

      Scheduler restored = builder.restore(snapshot).build();

      assertThatExceptionOfType(StaleReportException.class)
          .isThrownBy(() -> restored.completed("a", 0))
          .withMessage("instance a completed, but it was cancelled, in attempt 0.")
          .satisfies(it -> assertThat(it.code()).isEqualTo(EventRefusedException.Code.STALE))
          .satisfies(it -> assertThat(it.subject()).isEqualTo("a"));
      assertThat(restored.snapshot()).isEqualTo(snapshot);
    }

    @Test
    void anotherOfTheSameIdCountsItsAttemptsOn() {
      running();
      scheduler.cancel("a", cluster.now());

      starting();

      assertThat(a().attempt()).isEqualTo(2);
      assertStale(() -> completed(FIRST)); // of the earlier one
      started(SECOND_ONE);
      completed(SECOND_ONE);
      assertGone();
    }

    @Test
    void theOldestAreForgotten() {
      running();
      scheduler.cancel("a", cluster.now());
      for (int i = 1; i < EndedInstances.MOST; i++) {
        cluster.pending("b" + i, 1);
        scheduler.cancel("b" + i, cluster.now());
      }
      assertStale(() -> completed(FIRST));

      cluster.pending("c", 1);
      scheduler.cancel("c", cluster.now());

      assertRefused(() -> completed(FIRST), UNKNOWN);
      assertStale(() -> scheduler.completed("c", cluster.now()));
    }
  }

  @Nested
  class Refused {

    @Test
    void attemptThatNoPlanBegan() {
      starting();
      String hint = "Maybe the fleet follows another scheduler";
      assertRefused(() -> started(SECOND_ONE), hint);
      assertRefused(() -> failed(SECOND_ONE), hint);
      assertRefused(() -> completed(SECOND_ONE), hint);
      cluster.pending("c", 1);
      assertRefused(() -> started(new Attempt("c", 1)), "the latest is 0");
    }

    @Test
    void timeAfterTheReport() {
      starting();
      long now = cluster.now();
      String rule = "must not be after the report of it";
      assertRefused(() -> scheduler.started(FIRST, now + 1, now), rule);
      assertRefused(() -> scheduler.failed(FIRST, now + 1, now), rule);
      assertRefused(() -> scheduler.completed(FIRST, now + 1, now), rule);
    }

    @Test
    void reportInThePast() {
      starting();
      assertRefused(() -> scheduler.started(FIRST, 0, 1), "time has reached");
    }

    @Test
    void negativeCpuTime() {
      running();
      assertRefused(
          () -> scheduler.completed(FIRST, Duration.ofNanos(-1), cluster.now(), cluster.now()),
          "must not be negative");
    }
  }

  @Test
  void completionsOfAHostAreInOrderOfTimeEvenIfReportedLate() {
    scheduler.addHost(
        new HostSpec("t", Resources.of(Dimension.CPU, 9_000_000_000L), Map.of(), true), 0);
    for (String each : new String[] {"x", "y", "z"}) {
      cluster.pending(each, 1).place(each, "t").started(each);
    }
    cluster.at(30);
    scheduler.completed(new Attempt("x", 1), seconds(20), cluster.now());
    scheduler.completed(new Attempt("y", 1), seconds(10), cluster.now());
    scheduler.completed(new Attempt("z", 1), seconds(15), cluster.now());

    assertThat(cluster.host("t").recentCompletions())
        .containsExactly(seconds(10), seconds(15), seconds(20));
  }
}

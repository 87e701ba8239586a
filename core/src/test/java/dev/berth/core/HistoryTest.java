package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.History;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.TimeLimits;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Attempt;
import dev.berth.api.plan.Trigger;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.StaleReportException;
import dev.berth.core.event.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Requests whose instances have a history, and what they have afterwards. */
class HistoryTest {

  /** Admitted at 10 s, served for 20 s, with restarts of 2 s. */
  private static final History KNOWN =
      new History(10 * SECOND, Duration.ofSeconds(20), Duration.ofSeconds(2), 4, 3, 1, 6, true);

  private final Cluster cluster = Cluster.byHand().host("h1", 4).host("h2", 4).at(100);
  private final Scheduler scheduler = cluster.scheduler();

  private Instance submit(String id, History history) {
    return scheduler.submit(request(id, "bronze", 1).build(), history, cluster.now());
  }

  @Test
  void theAccountingContinues() {
    Instance instance = submit("a", KNOWN);

    assertThat(instance.state()).isEqualTo(InstanceState.PENDING);
    assertThat(instance.stateSince()).isEqualTo(100 * SECOND);
    assertThat(instance.admittedAt()).isEqualTo(10 * SECOND);
    assertThat(instance.serviceTime(110 * SECOND)).isEqualTo(20 * SECOND);
    assertThat(instance.waitingTime(110 * SECOND)).isEqualTo(80 * SECOND);
    assertThat(instance.availability(110 * SECOND)).hasValue(0.2);
    assertThat(instance.earnedTime(110 * SECOND)).isEqualTo(40 * SECOND);
    assertThat(instance.preemptionOverhead(110 * SECOND)).isEqualTo(2.0 / 22);
    assertThat(History.of(instance, 110 * SECOND)).isEqualTo(KNOWN);
    assertThat(cluster.pass().triggers()).contains(Trigger.REQUEST_ADMITTED);
  }

  @Test
  void theNextStartIsARestartIfAPreemptionStoppedIt() {
    submit("preempted", KNOWN);
    submit("failed", KNOWN.failed());
    cluster.place("preempted", "h1").place("failed", "h1");
    assertThat(cluster.instance("preempted").restarting()).isTrue();
    assertThat(cluster.instance("failed").restarting()).isFalse();

    cluster.at(103).started("preempted").started("failed");

    assertThat(cluster.instance("preempted").restartOverhead()).isEqualTo(5 * SECOND);
    assertThat(cluster.instance("failed").restartOverhead()).isEqualTo(2 * SECOND);
    assertThat(History.of(cluster.instance("preempted"), 104 * SECOND))
        .isEqualTo(
            new History(
                10 * SECOND, Duration.ofSeconds(21), Duration.ofSeconds(5), 5, 3, 1, 7, false));
  }

  @Test
  void historiesSayWhatHappened() {
    assertThat(KNOWN.preempted().preemptions()).isEqualTo(4);
    assertThat(KNOWN.failed().preempted().restarting()).isTrue();
    assertThat(KNOWN.failed().evicted())
        .isEqualTo(KNOWN)
        .extracting(History::restarting)
        .isEqualTo(true);
    assertThat(History.since(7).served(Duration.ofNanos(3)).restartOverhead(Duration.ofNanos(2)))
        .isEqualTo(new History(7, Duration.ofNanos(3), Duration.ofNanos(2), 0, 0, 0, 0, false));
  }

  @Test
  void attemptsContinue() {
    submit("a", KNOWN);
    cluster.place("a", "h1");

    assertThat(cluster.instance("a").attempt()).isEqualTo(7);
    assertThatExceptionOfType(StaleReportException.class)
        .isThrownBy(() -> scheduler.started(new Attempt("a", 6), 0, cluster.now()));
    scheduler.started(new Attempt("a", 7), cluster.now(), cluster.now());
    assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.RUNNING);
  }

  /** What the history counts may still complete: it did so before the request came again. */
  @Test
  void anEarlierAttemptMayHaveCompleted() {
    submit("a", KNOWN);

    assertThat(scheduler.completed(new Attempt("a", 6), 50 * SECOND, cluster.now()).serviceTime())
        .isEqualTo(20 * SECOND);
  }

  @Test
  void instancesAreListedByAdmission() {
    cluster.pending("new", 1);
    submit("old", KNOWN);
    submit("older", History.since(5 * SECOND));
    submit("alike", KNOWN);
    List<String> pending = new ArrayList<>();

    cluster.pass(pass -> pass.pending().forEach(each -> pending.add(each.id())));

    assertThat(pending).containsExactly("older", "old", "alike", "new");
    assertThat(scheduler.instances())
        .extracting(Instance::id)
        .containsExactly("older", "old", "alike", "new");
  }

  @Test
  void drainsAndBudgetsGoByAdmission() {
    cluster.running(request("up", 1).job("j"), "h2");
    for (String each : List.of("new", "old")) {
      History history = each.equals("old") ? KNOWN : History.since(cluster.now());
      scheduler.submit(request(each, 1).job("j").build(), history, cluster.now());
      cluster.place(each, "h1").started(each);
    }
    scheduler.drain("h1", Drain.moving().restarting("gold"), cluster.now());

    assertThat(cluster.pass().actions())
        .extracting(each -> ((Action.Evict) each).instance())
        .containsExactly("old", "new");

    scheduler.setBudget("j", DisruptionBudget.maxDown(2), cluster.now());
    cluster.pass(
        pass ->
            assertThat(pass.suspend(cluster.instance("up"), why()).refusal().orElseThrow())
                .isInstanceOfSatisfying(
                    Reason.BudgetExhausted.class,
                    refused -> assertThat(refused.firstDown()).contains("old")));
  }

  private static Reason why() {
    return new Reason.PolicyChoice("test", "because");
  }

  @Test
  void queuesByAdmissionServeItsPlace() {
    Cluster queued = Cluster.of(parts -> parts).host("h1", 2).at(100);
    queued.pending("first", 1).at(200).pending("second", 1);
    queued
        .scheduler()
        .submit(request("between", 1).build(), History.since(150 * SECOND), queued.now());

    assertThat(queued.pass().actions())
        .extracting(each -> ((Action.Place) each).instance())
        .containsExactly("first", "between");
  }

  @Test
  void deadlinesCountFromTheAdmission() {
    Cluster queued =
        Cluster.of(parts -> parts.queue(QueueDiscipline.EDF).admission(Admission.IN_TIME))
            .host("h1", 1)
            .at(100);
    Request.Builder late = due("late", 40);
    Request.Builder begun = due("begun", 40);
    queued.pending(due("new", 60));
    queued.scheduler().submit(due("old", 120).build(), History.since(20 * SECOND), queued.now());
    queued.scheduler().submit(late.build(), History.since(20 * SECOND), queued.now());
    queued.scheduler().submit(begun.build(), KNOWN, queued.now()); // no more rejected

    List<Action> actions = queued.pass().actions();

    assertThat(actions.get(0))
        .isEqualTo(
            new Action.Reject(
                "late", new Reason.DeadlineUnreachable(Duration.ofSeconds(50).toNanos())));
    assertThat(actions.get(1))
        .extracting(each -> ((Action.Place) each).instance())
        .isEqualTo("begun");
    queued.cancel("begun");
    assertThat(queued.pass().actions())
        .extracting(each -> ((Action.Place) each).instance())
        .containsExactly("old");
  }

  private static Request.Builder due(String id, long seconds) {
    return request(id, 1)
        .estimatedRunTime(Duration.ofSeconds(10))
        .deadline(Duration.ofSeconds(seconds));
  }

  @Test
  void impossibleHistoriesAreRefused() {
    long digest = scheduler.digest();

    assertRefused(
        History.since(101 * SECOND),
        "request a is submitted at 100000000000 ns, but was admitted at 101000000000 ns, must be from -5184000000000000000 ns up to then. Maybe submit it without a history.");
    assertRefused(
        History.since(TimeLimits.EARLIEST - 1), "must be from -5184000000000000000 ns up to then");
    assertRefused(
        History.since(100 * SECOND - 1 - TimeLimits.LONGEST_LIFE.toNanos()),
        "must be at most 36500 days before.");
    assertRefused(
        KNOWN.served(Duration.ofSeconds(89)),
        "request a is submitted with a service of PT1M29S and restarts of PT2S, must be at most the PT1M30S since its admission.");
    assertRefused(KNOWN.restartOverhead(Duration.ofSeconds(Long.MAX_VALUE)), "must be at most");
    assertRefused(KNOWN.served(Duration.ofSeconds(Long.MAX_VALUE)), "must be at most");
    assertThat(scheduler.digest()).isEqualTo(digest);

    submit("a", KNOWN.served(Duration.ofSeconds(88)));
    assertRefused(KNOWN, "an instance of that id is not done");
  }

  private void assertRefused(History history, String message) {
    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> submit("a", history))
        .withMessageContaining(message);
  }

  @Test
  void rangesAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KNOWN.served(Duration.ofNanos(-1)))
        .withMessage("history: served was PT-0.000000001S, must not be negative.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KNOWN.restartOverhead(Duration.ofNanos(-1)))
        .withMessageContaining("restart overhead was");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new History(0, Duration.ZERO, Duration.ZERO, 0, 0, 0, History.MOST + 1, false))
        .withMessage("history: attempt was 1000000001, must be from 0 to 1000000000.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new History(0, Duration.ZERO, Duration.ZERO, 0, -1, 0, 0, false))
        .withMessageContaining("preemptions was -1");
  }

  @Test
  void aSchedulerLivesFromTheEarliestAdmission() {
    long century = TimeLimits.LONGEST_LIFE.toNanos();
    submit("a", History.since(-50 * SECOND));

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> scheduler.cordon("h1", century - 50 * SECOND + 1));
    scheduler.cordon("h1", century - 50 * SECOND);
  }

  @Test
  void aSuppositionLeavesNothing() {
    Cluster queued = Cluster.of(parts -> parts).host("h1", 1).at(100).pending("b", 1);
    long digest = queued.scheduler().digest();
    Request supposed = request("a", 1).build();

    Preview preview =
        queued
            .scheduler()
            .whatIf()
            .suppose(new Event.Submitted(supposed, Optional.of(History.since(-SECOND))))
            .plan(queued.now());

    assertThat(preview.plan().actions())
        .extracting(each -> ((Action.Place) each).instance())
        .containsExactly("a");
    assertThat(queued.scheduler().digest()).isEqualTo(digest);
    queued.scheduler().cordon("h1", TimeLimits.LONGEST_LIFE.toNanos());
  }

  @Test
  void snapshotsHaveIt() {
    Cluster queued = Cluster.of(parts -> parts).at(100).pending("b", 1);
    queued.scheduler().submit(request("a", 1).build(), KNOWN, queued.now());

    Scheduler restored =
        Scheduler.builder()
            .policy("test", context -> context.pipeline().build())
            .restore(queued.snapshotData())
            .build();

    assertThat(restored.digest()).isEqualTo(queued.scheduler().digest());
    assertThat(restored.instances()).extracting(Instance::id).containsExactly("a", "b");
    assertThat(History.of(restored.instance("a").orElseThrow(), queued.now())).isEqualTo(KNOWN);
  }

  // ---- Adoption

  private static ObservedInstance seen(InstanceState state) {
    return new ObservedInstance("a", "h1", state).since(90 * SECOND);
  }

  private Instance adopt(History history, ObservedInstance seen) {
    Adoption how = new Adoption(request("a", 1).build(), history);
    return scheduler.adopt(how, seen, cluster.now());
  }

  @Test
  void anAdoptedInstanceContinuesToo() {
    Instance instance = adopt(KNOWN, seen(InstanceState.RUNNING));

    assertThat(History.of(instance, 90 * SECOND)).isEqualTo(KNOWN.failed());
    assertThat(instance.serviceTime(100 * SECOND)).isEqualTo(30 * SECOND);
    cluster.failed("a").place("a", "h1");
    assertThat(instance.attempt()).isEqualTo(7);
    assertThat(instance.placements()).isEqualTo(5);
  }

  @Test
  void anAdoptedStartIsARestart() {
    Instance instance = adopt(KNOWN, seen(InstanceState.STARTING));

    assertThat(History.of(instance, 100 * SECOND)).isEqualTo(KNOWN);
    cluster.started("a");
    assertThat(instance.restartOverhead()).isEqualTo(12 * SECOND);
  }

  /** The fleet may be in an earlier attempt than the history. */
  @Test
  void theFleetKnowsTheAttempt() {
    Instance instance = adopt(KNOWN, seen(InstanceState.STARTING).inAttempt(5));

    scheduler.started(new Attempt("a", 5), 95 * SECOND, cluster.now());

    assertThat(instance.state()).isEqualTo(InstanceState.RUNNING);
    assertThat(instance.attempt()).isEqualTo(6);
  }

  @Test
  void restartsOfAnAdoptedInstanceFitIntoItsLife() {
    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(
            () -> adopt(KNOWN.restartOverhead(Duration.ofSeconds(61)), seen(InstanceState.RUNNING)))
        .withMessage(
            "instance a is adopted with a service of PT20S and restarts of PT1M1S, but it was admitted only PT1M20S before it was RUNNING.");
  }
}

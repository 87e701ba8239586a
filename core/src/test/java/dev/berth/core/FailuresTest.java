package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Backoff;
import dev.berth.api.HostSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.api.plan.Plan;
import dev.berth.core.event.Accepted;
import dev.berth.core.event.Event;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Instances that fail in a row: they are held back for growing times, and given up at last. */
class FailuresTest {

  private static final long FORGIVEN = Backoff.FORGIVEN_AFTER.toNanos();

  private final Scheduler.Builder settings =
      Scheduler.builder()
          .serviceClasses(Cluster.GOLD)
          .policy("fifo", context -> context.pipeline().queue(QueueDiscipline.FIFO).build())
          .instanceBackoff(new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60)));
  private Scheduler scheduler = settings.build();
  private long now;

  FailuresTest() {
    scheduler.addHost(new HostSpec("h1", cores(8)), 0);
  }

  private static Request.Builder request(String id) {
    return Request.builder(id, Cluster.GOLD.name()).demand(cores(1));
  }

  /** Runs passes when they are due until the instance is placed; returns its attempt. */
  private Attempt placed() {
    for (int i = 0; i < 10; i++) {
      now = Math.max(now, scheduler.nextPassAt().orElseThrow());
      Plan plan = scheduler.schedule(now);
      if (!plan.placements().isEmpty()) {
        return plan.placements().get(0).toAttempt();
      }
    }
    throw new AssertionError("It is not placed any more.");
  }

  private Attempt running() {
    Attempt placed = placed();
    scheduler.started(placed, now, now);
    return placed;
  }

  private Accepted fail(Attempt attempt) {
    return scheduler.apply(new Event.Failed(attempt, OptionalLong.of(now)), now);
  }

  private int failures() {
    return scheduler.instance("a").orElseThrow().failures();
  }

  @Test
  void oneThatEndsAtOnceIsStartedFewTimes() {
    scheduler.submit(request("a").build(), 0);
    int starts = 0;
    while (now < 3_600 * SECOND) {
      fail(running());
      starts++;
      assertThat(failures()).isEqualTo(starts);
    }
    assertThat(starts).isBetween(60, 70); // six in the first minute, then one a minute
  }

  @Test
  void afterTenMinutesOfServiceAFailureDoesNotCount() {
    scheduler.submit(request("a").build(), 0);
    for (int i = 0; i < 3; i++) {
      fail(running());
    }
    Attempt attempt = running();
    now += FORGIVEN - 1;
    fail(attempt);
    assertThat(failures()).isEqualTo(4);

    attempt = running();
    now += FORGIVEN;
    fail(attempt);

    assertThat(failures()).isZero();
    assertThat(scheduler.schedule(now).placements()).hasSize(1);
  }

  @Test
  void oneThatWasStoppedAfterTenMinutesBeginsAnew() {
    scheduler.submit(request("a").build(), 0);
    fail(running());
    running();
    now += FORGIVEN;
    scheduler.removeHost("h1", now);
    scheduler.addHost(new HostSpec("h1", cores(8)), now);

    assertThat(failures()).isZero();
    fail(placed());
    assertThat(failures()).isEqualTo(1);
  }

  @Test
  void lossOfItsHostIsNoFailure() {
    scheduler.submit(request("a").maxFailures(0).build(), 0);
    running();
    scheduler.removeHost("h1", now);
    assertThat(failures()).isZero();
  }

  @Test
  void givenUpAfterTheMostFailures() {
    scheduler.submit(request("a").maxFailures(2).build(), 0);
    assertThat(fail(running())).isEqualTo(Accepted.ACCEPTED);
    assertThat(fail(placed())).isEqualTo(Accepted.ACCEPTED); // it had not started
    Attempt last = running();

    assertThat(fail(last)).isEqualTo(Accepted.GAVE_UP);

    assertThat(scheduler.instance("a")).isEmpty();
    assertThat(scheduler.schedule(now).actions()).isEmpty();
    assertThat(scheduler.snapshot().ended()).hasSize(1);
  }

  @Test
  void rejectedStartsCount() {
    scheduler.submit(request("a").maxFailures(1).build(), 0);
    Plan first = scheduler.schedule(now);
    assertThat(scheduler.rejected(first.id(0), "no such image", now).gaveUp()).isFalse();
    placed();
    ActionId second = new ActionId(scheduler.stats().passes(), 0);

    assertThat(scheduler.rejected(second, "no such image", now).gaveUp()).isTrue();

    assertThat(scheduler.instance("a")).isEmpty();
  }

  @Test
  void memberOfABagEndsAlone() {
    scheduler.submit(
        new BagSpec("bag", List.of(request("a").maxFailures(0).build(), request("b").build())), 0);
    Plan plan = scheduler.schedule(now);
    Attempt attempt = ((Action.Place) plan.actions().get(0)).toAttempt();

    fail(attempt);

    assertThat(scheduler.bag("bag").orElseThrow().instances()).hasSize(1);
  }

  @Test
  void snapshotsKeepTheCount() {
    scheduler.submit(request("a").maxFailures(1).build(), 0);
    fail(running());

    scheduler = settings.restore(scheduler.snapshot()).build();

    assertThat(failures()).isEqualTo(1);
    assertThat(scheduler.explain().whyPending("a", now).deferral())
        .contains(new Reason.HeldBack(1, SECOND));
    assertThat(fail(running())).isEqualTo(Accepted.GAVE_UP);
  }

  @Test
  void mostFailuresMustNotBeNegative() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request("a").maxFailures(-1))
        .withMessage("request a: maxFailures was -1, must not be negative.");
  }
}

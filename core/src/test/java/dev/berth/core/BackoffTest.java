package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Backoff;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Attempt;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.event.Event;
import dev.berth.core.explain.WhyPending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Hosts and instances whose starts fail in a row are held back for growing times. */
class BackoffTest {

  /** 1 s, 2 s, 4 s and 8 s, from the second failure on. */
  private static final Backoff TIMES =
      new Backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(8), 2);

  private static PipelineBuilder fifo(PipelineBuilder parts) {
    return parts.queue(QueueDiscipline.FIFO);
  }

  private static Scheduler.Builder hosts() {
    return Scheduler.builder().hostBackoff(TIMES);
  }

  private static Scheduler.Builder instances() {
    return Scheduler.builder().instanceBackoff(TIMES);
  }

  private static ObservedHost observed(String host) {
    return new ObservedHost(new HostSpec(host, cores(4), Map.of("name", host)));
  }

  private static Attempt latest(Cluster cluster, String id) {
    return new Attempt(id, cluster.instance(id).attempt());
  }

  @Nested
  class Times {

    @Test
    void growUpToTheLongest() {
      assertThat(TIMES.delay(0)).isZero();
      assertThat(TIMES.delay(1)).isZero();
      assertThat(TIMES.delay(2)).isEqualTo(SECOND);
      assertThat(TIMES.delay(3)).isEqualTo(2 * SECOND);
      assertThat(TIMES.delay(5)).isEqualTo(8 * SECOND);
      assertThat(TIMES.delay(Integer.MAX_VALUE)).isEqualTo(8 * SECOND);
      assertThat(new Backoff(Duration.ofSeconds(3), 1, Duration.ofDays(1), 1).delay(1_000_000))
          .isEqualTo(3 * SECOND);
      assertThat(new Backoff(Duration.ofSeconds(3), Duration.ofDays(1)).delay(2))
          .isEqualTo(6 * SECOND);
    }

    @Test
    void mustBeInRange() {
      Duration one = Duration.ofSeconds(1);
      for (Runnable each :
          List.<Runnable>of(
              () -> new Backoff(Duration.ZERO, one),
              () -> new Backoff(one, Duration.ofMillis(1)),
              () -> new Backoff(one, Duration.ofDays(40_000)),
              () -> new Backoff(one, 0.5, one, 1),
              () -> new Backoff(one, Double.NaN, one, 1),
              () -> new Backoff(one, Double.POSITIVE_INFINITY, one, 1),
              () -> new Backoff(one, 2, one, 0))) {
        assertThatIllegalArgumentException()
            .isThrownBy(each::run)
            .withMessageStartingWith("back-off: ");
      }
    }
  }

  /** Reports that every start on h1 fails, for a while; returns how many there were. */
  private static int startsOnTheBadHost(Scheduler.Builder settings, long seconds) {
    Scheduler scheduler =
        settings
            .policy("fifo", context -> fifo(context.pipeline()).build())
            .serviceClasses(Cluster.GOLD)
            .build();
    scheduler.addHost(new HostSpec("h1", cores(8)), 0);
    scheduler.addHost(new HostSpec("h2", cores(8)), 0);
    Map<String, Integer> starts = new HashMap<>();
    for (long at = 0; at < seconds; at++) {
      long now = at * SECOND;
      for (int i = 0; i < 4; i++) {
        Request request = Request.builder("r" + at + "-" + i, "gold").demand(cores(1)).build();
        scheduler.submit(request, now);
      }
      for (int again = 0; again < 20 && scheduler.pendingCount() > 0; again++) {
        Plan plan = scheduler.schedule(now);
        for (Action.Place each : plan.placements()) {
          starts.merge(each.host(), 1, Integer::sum);
          if (each.host().equals("h1")) {
            scheduler.failed(each.toAttempt(), now, now);
          } else {
            scheduler.started(each.toAttempt(), now, now);
            scheduler.completed(each.toAttempt(), now, now);
          }
        }
      }
    }
    return starts.getOrDefault("h1", 0);
  }

  @Nested
  class OfHosts {

    @Test
    void hostThatFailsEveryStartGetsFew() {
      int without = startsOnTheBadHost(Scheduler.builder(), 100);
      int with = startsOnTheBadHost(hosts(), 100);

      assertThat(without).isGreaterThan(300);
      assertThat(with).isBetween(10, 40);
    }

    @Test
    void timesGrowAndEndWithAPass() {
      Cluster cluster = Cluster.of(hosts(), BackoffTest::fifo).host("h1", 4).pending("a", 1);
      cluster.at(1).pass();
      cluster.failed("a").pass();
      assertThat(cluster.host("h1").closed()).isEmpty();
      List<Long> ends = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        cluster.scheduler().failed(latest(cluster, "a"), cluster.now(), cluster.now());
        Optional<Reason> closed = cluster.host("h1").closed();
        long until = ((Reason.HeldBack) closed.orElseThrow()).until();
        ends.add((until - cluster.now()) / SECOND);
        assertThat(cluster.pass().placements()).isEmpty();
        assertThat(cluster.scheduler().nextPassAt()).hasValue(until);
        assertThat(cluster.scheduler().nextTimerAt()).hasValue(until);
        assertThat(cluster.atNanos(until - 1).pass().placements()).isEmpty();
        Plan plan = cluster.atNanos(until).pass();
        assertThat(plan.triggers()).containsExactly(Trigger.HELD_BACK_ENDED);
        assertThat(plan.placements()).hasSize(1);
      }
      assertThat(ends).containsExactly(1L, 2L, 4L, 8L, 8L);
    }

    @Test
    void rejectedStartsCount() {
      Cluster cluster = Cluster.of(hosts(), BackoffTest::fifo).host("h1", 4).pending("a", 1);
      for (int i = 0; i < 2; i++) {
        Plan plan = cluster.pass();
        cluster.scheduler().rejected(plan.id(0), "cannot", cluster.now());
      }
      assertThat(cluster.host("h1").closed()).contains(new Reason.HeldBack(2, SECOND));
      assertThat(cluster.instance("a").attempt()).isZero();
    }

    @Test
    void successOpensTheHostAndStartsTheCountAnew() {
      Cluster cluster = Cluster.of(hosts(), BackoffTest::fifo).host("h1", 4);
      cluster.pending("a", 1).pending("b", 1).pending("c", 1).pass();
      cluster.failed("a").failed("b");
      assertThat(cluster.host("h1").closed()).isPresent();
      cluster.pass();
      assertThat(cluster.scheduler().nextPassAt()).hasValue(SECOND);

      cluster.started("c");

      assertThat(cluster.host("h1").closed()).isEmpty();
      assertThat(cluster.scheduler().nextPassAt()).hasValue(0);
      assertThat(cluster.pass().placements()).hasSize(2);
      cluster.failed("a");
      assertThat(cluster.host("h1").closed()).isEmpty();
    }

    @Test
    void timesThatASuccessHasEndedCountNoMore() {
      Cluster cluster = Cluster.of(hosts(), BackoffTest::fifo).host("h1", 5);
      Stream.of("a", "b", "c", "d", "e").forEach(each -> cluster.pending(each, 1));
      cluster.pass();
      cluster.failed("a").failed("b").failed("c").failed("d");
      assertThat(cluster.host("h1").closed()).contains(new Reason.HeldBack(4, 4 * SECOND));

      cluster.started("e").pass();
      cluster.failed("a").failed("b");

      assertThat(cluster.host("h1").closed()).contains(new Reason.HeldBack(2, SECOND));
    }

    @Test
    void successThatWasFoundByReconcilingMakesOnePassDue() {
      Cluster cluster = Cluster.of(hosts(), BackoffTest::fifo).host("h1", 4);
      cluster.pending("a", 1).pending("b", 1).pending("c", 1).pending("d", 1).pass();
      cluster.failed("a").failed("b").pass();
      Observation observed =
          new Observation(
              List.of(observed("h1")),
              List.of(
                  new ObservedInstance("c", "h1", InstanceState.RUNNING),
                  new ObservedInstance("d", "h1", InstanceState.STARTING)));
      cluster.scheduler().reconcile(observed, Reconciler.DEFAULT, 0);

      assertThat(cluster.host("h1").closed()).isEmpty();
      assertThat(cluster.pass().triggers()).contains(Trigger.HELD_BACK_ENDED);
      cluster.started("d");
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
    }

    @Test
    void failureOfARunningInstanceDoesNotCount() {
      Cluster cluster = Cluster.of(hosts(), BackoffTest::fifo).host("h1", 4);
      cluster.pending("a", 1).pending("b", 1).pass();
      cluster.started("a").started("b").failed("a").failed("b");
      assertThat(cluster.host("h1").closed()).isEmpty();
    }

    @Test
    void explanationStatesUntilWhen() {
      Cluster cluster = Cluster.of(hosts(), BackoffTest::fifo).host("h1", 4);
      cluster.pending("a", 1).pending("b", 1).pass();
      cluster.failed("a").failed("b");

      assertThat(cluster.scheduler().explain().whyPending("a", 0).describe())
          .isEqualTo("0 of 1 hosts: 1 held back after failed starts, until 1000000000 ns");
    }

    @Test
    void hostThatIsHeldBackMayLeave() {
      Cluster cluster = Cluster.of(hosts(), BackoffTest::fifo).host("h1", 4);
      cluster.pending("a", 1).pending("b", 1).pass();
      cluster.failed("a").failed("b").removed("h1").pass();
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
      cluster.host("h1", 4);
      assertThat(cluster.host("h1").closed()).isEmpty();
      assertThat(cluster.pass().placements()).hasSize(2);
    }
  }

  @Nested
  class OfInstances {

    @Test
    void thatAreFoundRunningAreHeldBackNoLonger() {
      Cluster cluster = Cluster.of(instances(), BackoffTest::fifo).host("h1", 4).pending("a", 1);
      for (int i = 0; i < 2; i++) {
        cluster.pass();
        cluster.failed("a");
      }
      assertThat(cluster.pass().placements()).isEmpty();
      Observation observed =
          new Observation(
              List.of(observed("h1")),
              List.of(new ObservedInstance("a", "h1", InstanceState.RUNNING)));
      cluster.scheduler().reconcile(observed, Reconciler.DEFAULT, 0);

      cluster.removed("h1").host("h1", 4);

      assertThat(cluster.pass().placements()).hasSize(1);
    }

    private final Cluster cluster =
        Cluster.of(instances(), BackoffTest::fifo).host("h1", 4).host("h2", 4).pending("a", 1);

    private void failTwice() {
      cluster.pass();
      cluster.failed("a").pass();
      cluster.failed("a");
    }

    @Test
    void instanceThatFailsEverywhereIsNoCandidate() {
      failTwice();
      assertThat(cluster.pass().placements()).isEmpty();
      assertThat(cluster.scheduler().nextPassAt()).hasValue(SECOND);
      cluster.pending("b", 1);
      assertThat(cluster.pass().placements())
          .extracting(Action.Place::instance)
          .containsExactly("b");

      Plan plan = cluster.at(1).pass();

      assertThat(plan.triggers()).containsExactly(Trigger.HELD_BACK_ENDED);
      assertThat(plan.placements()).extracting(Action.Place::instance).containsExactly("a");
      cluster.failed("a").pass();
      assertThat(cluster.scheduler().nextPassAt()).hasValue(3 * SECOND);
    }

    @Test
    void rejectedStartsCount() {
      for (int i = 0; i < 2; i++) {
        Plan plan = cluster.pass();
        cluster.scheduler().rejected(plan.id(0), "cannot", cluster.now());
      }
      assertThat(cluster.pass().placements()).isEmpty();
      assertThat(cluster.at(1).pass().placements()).hasSize(1);
    }

    @Test
    void explanationStatesUntilWhen() {
      failTwice();
      WhyPending why = cluster.scheduler().explain().whyPending("a", 0);
      assertThat(why.deferral()).contains(new Reason.HeldBack(2, SECOND));
      assertThat(why.describe())
          .isEqualTo(
              "2 of 2 hosts; it is held back until 1000000000 ns, after 2 failures in a row");
    }

    @Test
    void aLongRunStartsTheCountAnew() {
      failTwice();
      cluster.at(1).pass();
      cluster.started("a").at(601).failed("a");
      assertThat(cluster.pass().placements()).hasSize(1);
      cluster.failed("a");
      assertThat(cluster.pass().placements()).hasSize(1);
    }

    @Test
    void passThatFailsLeavesAllHeldBackThoughTheTimeIsOver() {
      Cluster failing =
          Cluster.withPolicy(
              Scheduler.builder().hostBackoff(TIMES).instanceBackoff(TIMES),
              context -> {
                Policy fifo = fifo(context.pipeline()).build();
                return new Policy() {
                  @Override
                  public void schedule(SchedulingPass pass) {
                    fifo.schedule(pass);
                    if (pass.now() == SECOND) {
                      throw new IllegalStateException("given");
                    }
                  }

                  @Override
                  public Optional<PolicyMemory> memory() {
                    return fifo.memory();
                  }
                };
              });
      failing.host("h1", 4).pending("a", 1).pass();
      failing.failed("a").pass();
      failing.failed("a").at(1).pending("b", 1);
      long before = failing.scheduler().digest();

      assertThatExceptionOfType(PolicyFailedException.class).isThrownBy(failing::pass);

      assertThat(failing.host("h1").closed()).isPresent();
      assertThat(failing.scheduler().digest()).isEqualTo(before);
      assertThat(failing.scheduler().nextPassAt()).hasValue(SECOND);
      assertThat(failing.atNanos(SECOND + 1).pass().placements()).hasSize(2);
    }

    @Test
    void supposedEventsLeaveItHeldBackThoughItsTimeIsOver() {
      failTwice();
      cluster.pass();
      cluster.at(2);
      Scheduler scheduler = cluster.scheduler();
      scheduler.whatIf().suppose(new Event.Cancelled("a")).plan(cluster.now());

      assertThat(scheduler.nextPassAt()).hasValue(SECOND);
      assertThat(cluster.pass().triggers()).containsExactly(Trigger.HELD_BACK_ENDED);
    }

    @Test
    void aQuestionAboutALaterTimeLeavesItOutOfTheQueue() {
      failTwice();
      assertThat(cluster.scheduler().whatIf().plan(2 * SECOND).plan().placements()).hasSize(1);

      cluster.at(2).cancel("a");
      cluster.pending("b", 1);

      assertThat(Plans.instances(cluster.pass())).containsExactly("b");
    }

    @Test
    void theDigestFollowsTheEndOfItsTime() {
      Scheduler scheduler = cluster.scheduler();
      failTwice();
      assertThat(scheduler.digest()).isEqualTo(scheduler.snapshot().digest());
      cluster.cordoned("h1").cordoned("h2").at(2);
      cluster.pass();

      assertThat(scheduler.digest()).isEqualTo(scheduler.snapshot().digest());
      scheduler.whatIf().plan(cluster.now());
      assertThat(scheduler.digest()).isEqualTo(scheduler.snapshot().digest());
    }

    @Test
    void oneThatWasFoundRunningIsNotHeldBackAgain() {
      failTwice();
      Scheduler scheduler = cluster.scheduler();
      Observation observed =
          new Observation(
              List.of(observed("h1"), observed("h2")),
              List.of(new ObservedInstance("a", "h1", InstanceState.RUNNING)));
      scheduler.reconcile(observed, Reconciler.DEFAULT, 0);
      Scheduler restored =
          instances()
              .policy("test", context -> fifo(context.pipeline()).build())
              .restore(scheduler.snapshot())
              .build();

      for (Scheduler each : List.of(scheduler, restored)) {
        each.removeHost("h1", 0);
        assertThat(each.schedule(0).placements()).hasSize(1);
      }
    }

    @Test
    void oneThatIsHeldBackIsSoInARestoredScheduler() {
      failTwice();
      Scheduler restored =
          instances()
              .policy("test", context -> fifo(context.pipeline()).build())
              .restore(cluster.scheduler().snapshot())
              .build();

      assertThat(restored.schedule(0).actions()).isEmpty();
      assertThat(restored.schedule(SECOND).placements()).hasSize(1);
    }

    @Test
    void oneThatRunsAgainBecauseItsPreemptionIsUndoneIsNotHeldBack() {
      Backoff times = new Backoff(Duration.ofSeconds(10), Duration.ofSeconds(10));
      Cluster byHand =
          Cluster.byHand(Scheduler.builder().instanceBackoff(times)).host("h1", 1).host("h2", 1);
      byHand.running("a", "bronze", 1, "h1").pending("b", 1);
      Plan preempts =
          byHand.pass(
              pass ->
                  pass.place(
                      byHand.instance("b"), byHand.host("h1"), List.of(byHand.instance("a"))));
      Plan places = byHand.pass(pass -> pass.place(byHand.instance("a"), byHand.host("h2")));
      Scheduler scheduler = byHand.scheduler();
      scheduler.rejected(places.id(0), "cannot", byHand.now());
      scheduler.rejected(preempts.id(0), "cannot", byHand.now());
      assertThat(byHand.instance("a").state()).isEqualTo(InstanceState.RUNNING);

      byHand.removed("h1");

      byHand.pass(pass -> assertThat(pass.pending()).contains(byHand.instance("a")));
    }

    @Test
    void mayBeCancelled() {
      failTwice();
      cluster.cancel("a");
      assertThat(cluster.pass().isEmpty()).isTrue();
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
      cluster.pending("a", 1);
      assertThat(cluster.pass().placements()).hasSize(1);
    }

    @Test
    void policyByHandCannotPlaceIt() {
      Cluster byHand = Cluster.byHand(instances()).host("h1", 4);
      byHand.starting("a", "gold", 1, "h1").failed("a").place("a", "h1").failed("a");
      Plan plan =
          byHand.pass(
              pass -> {
                assertThat(pass.pending()).isEmpty();
                assertThat(pass.instances()).hasSize(1);
                assertThat(pass.place(byHand.instance("a"), byHand.host("h1")).refusal())
                    .contains(new Reason.HeldBack(2, SECOND));
              });
      assertThat(plan.policyErrors()).isEmpty();
    }
  }

  @Test
  void withoutABackoffNothingIsHeldBack() {
    Cluster cluster = Cluster.of(BackoffTest::fifo).host("h1", 1).pending("a", 1);
    for (int i = 0; i < 1000; i++) {
      assertThat(cluster.pass().placements()).hasSize(1);
      cluster.failed("a");
    }
    assertThat(cluster.host("h1").closed()).isEmpty();
  }
}

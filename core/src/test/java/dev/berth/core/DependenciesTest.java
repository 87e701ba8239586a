package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.EventRefusedException.Code;
import dev.berth.core.event.Event;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that are to start after others wait until these have completed. */
class DependenciesTest {

  private boolean fails; // the order of the queue

  private final QueueOrder order =
      new QueueOrder() {
        @Override
        public long key(Instance pending) {
          if (fails && pending.id().equals("c")) {
            throw new IllegalStateException("no key");
          }
          return pending.admittedAt();
        }
      };

  private final Scheduler.Builder settings =
      Scheduler.builder()
          .serviceClasses(Cluster.GOLD)
          .policy("ordered", context -> context.pipeline().queue(order).build());
  private Scheduler scheduler = settings.build();

  DependenciesTest() {
    scheduler.addHost(new HostSpec("h1", cores(2)), 0);
  }

  private static Request request(String id, String... after) {
    return Request.builder(id, Cluster.GOLD.name())
        .demand(cores(1))
        .build()
        .withAfter(List.of(after));
  }

  private void submit(String id, String... after) {
    scheduler.submit(request(id, after), scheduler.now());
  }

  private List<String> placed(long now) {
    List<String> placed =
        scheduler.schedule(now).placements().stream().map(each -> each.instance()).toList();
    placed.forEach(each -> scheduler.started(each, now));
    return placed;
  }

  private String whyPending(String id) {
    return scheduler.explain().whyPending(id, scheduler.now()).describe();
  }

  private Instance instance(String id) {
    return scheduler.instance(id).orElseThrow();
  }

  @Test
  void startsOnceAllHaveCompleted() {
    submit("a");
    submit("b");
    submit("c", "a", "b");
    submit("d", "c");
    assertThat(placed(0)).containsExactly("a", "b");
    scheduler.completed("a", 10 * SECOND);
    assertThat(placed(10 * SECOND)).isEmpty();
    scheduler.completed("b", 20 * SECOND);
    assertThat(placed(20 * SECOND)).containsExactly("c");
    scheduler.completed("c", 30 * SECOND);
    assertThat(placed(30 * SECOND)).containsExactly("d");
  }

  @Test
  void itsLifeBeginsWhenTheLastCompletes() {
    submit("a");
    submit("c", "a");
    placed(0);
    scheduler.completed("a", 10 * SECOND);

    assertThat(instance("c").admittedAt()).isEqualTo(10 * SECOND);
    assertThat(instance("c").stateSince()).isEqualTo(10 * SECOND);
    assertThat(instance("c").waitingTime(12 * SECOND)).isEqualTo(2 * SECOND);
  }

  @Test
  void itsClockStandsStillWhileItWaits() {
    submit("a");
    submit("c", "a");
    placed(5 * SECOND);

    assertThat(instance("c").waitingTime(7 * SECOND)).isZero();
    assertThat(instance("c").availability(7 * SECOND)).isEmpty();
    assertThat(scheduler.waiting().oldestSince()).isEmpty();
    assertThat(scheduler.cancel("c", 8 * SECOND))
        .isEqualTo(new InstanceReport("c", Cluster.GOLD, 8 * SECOND, 8 * SECOND, 0, 0, 0, 0, 0));
  }

  @Test
  void comesAfterThoseThatWereAdmittedBeforeItCould() {
    submit("a");
    submit("c", "a");
    placed(0);
    scheduler.submit(request("b"), 5 * SECOND);
    scheduler.completed("a", 10 * SECOND);

    assertThat(scheduler.instances()).extracting(Instance::id).containsExactly("b", "c");
    assertThat(placed(10 * SECOND)).containsExactly("b", "c");
  }

  @Test
  void countsAsDownInADisruptionBudgetUntilItIsDone() {
    scheduler.setBudget("j", DisruptionBudget.maxDown(1), 0);
    submit("a");
    scheduler.submit(
        Request.builder("c", Cluster.GOLD.name()).demand(cores(1)).job("j").after("a").build(), 0);
    placed(0);
    scheduler.submit(
        Request.builder("d", Cluster.GOLD.name()).demand(cores(1)).job("j").build(), 5 * SECOND);
    assertThat(placed(5 * SECOND)).containsExactly("d");
    assertThat(scheduler.explain().whyProtected("d")).isPresent();
    scheduler.completed("a", 10 * SECOND);
    assertThat(placed(10 * SECOND)).containsExactly("c");
    assertThat(scheduler.explain().whyProtected("d")).isEmpty();
  }

  @Test
  void explained() {
    submit("a");
    submit("b");
    submit("c", "b", "a");
    placed(0);

    assertThat(whyPending("c"))
        .isEqualTo("0 of 1 hosts: 1 full (cpu short by 1); it waits for b, a to complete");
    assertThat(scheduler.waiting().byClass().get("gold")).isEqualTo(Map.of("waits-for", 1));
    scheduler.cancel("b", 0);
    assertThat(whyPending("c"))
        .isEqualTo("1 of 1 hosts; it waits for b, a to complete, but b ended without completing");
  }

  @Test
  void waitsOnUntilOneOfThatIdCompletes() {
    submit("a");
    submit("c", "a");
    placed(0);
    scheduler.cancel("a", 10 * SECOND);
    assertThat(placed(10 * SECOND)).isEmpty();
    submit("a");
    assertThat(placed(20 * SECOND)).containsExactly("a");
    scheduler.completed("a", 30 * SECOND);
    assertThat(placed(30 * SECOND)).containsExactly("c");
  }

  @Test
  void doesNotWaitForOneThatHasCompleted() {
    submit("a");
    placed(0);
    scheduler.completed("a", 10 * SECOND);
    submit("c", "a");

    assertThat(placed(10 * SECOND)).containsExactly("c");
  }

  @ParameterizedTest
  @CsvSource({
    "x, UNKNOWN_INSTANCE, 'request c is to start after x, but there is no such instance, nor is it"
        + " among the last 4096 that ended. Maybe submit that one first, or leave it out if it has"
        + " completed.'",
    "gone, WRONG_STATE, 'request c is to start after gone, but that one was cancelled. Maybe submit"
        + " that one again first.'",
    "b, INVALID_VALUE, 'request c is to start after b, which waits for it to complete.'",
  })
  void refusesWhatCannotComplete(String other, Code code, String message) {
    submit("gone");
    scheduler.cancel("gone", 0);
    submit("c");
    submit("a", "c");
    submit("b", "a");
    scheduler.cancel("c", 0);
    long digest = scheduler.digest();

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> submit("c", other))
        .withMessage(message)
        .satisfies(refused -> assertThat(refused.code()).isEqualTo(code))
        .satisfies(refused -> assertThat(refused.subject()).isEqualTo("c"));
    assertThat(scheduler.digest()).isEqualTo(digest);
  }

  @Test
  void aPartOfThePolicyThatFailsChangesNothing() {
    submit("a");
    submit("b", "a");
    submit("c", "a");
    placed(0);
    long digest = scheduler.digest();
    fails = true;
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> scheduler.completed("a", 10 * SECOND));
    assertThat(scheduler.digest()).isEqualTo(digest);
    assertThat(placed(10 * SECOND)).isEmpty();
    fails = false;
    scheduler.completed("a", 20 * SECOND);
    assertThat(placed(20 * SECOND)).containsExactly("b", "c");
  }

  @Test
  void questionsFollowItAndChangeNothing() {
    submit("a");
    submit("c", "a");
    placed(0);
    long digest = scheduler.digest();

    WhatIf whatIf =
        scheduler
            .whatIf()
            .suppose(new Event.CompletedNow("a", Optional.empty()))
            .suppose(new Event.Submitted(request("d", "a")))
            .suppose(new Event.Submitted(request("e", "c")));
    assertThat(whatIf.plan(10 * SECOND).plan().placements())
        .extracting(each -> each.instance())
        .containsExactly("c", "d");
    assertThat(scheduler.digest()).isEqualTo(digest);
    assertThat(whyPending("c")).endsWith("it waits for a to complete");
    assertThat(instance("c").admittedAt()).isZero();
  }

  @Test
  void goesOnAfterARestart() {
    submit("a");
    submit("b");
    submit("c", "a", "b");
    placed(0);
    scheduler.completed("a", 10 * SECOND);
    long digest = scheduler.digest();
    scheduler = settings.restore(scheduler.snapshot()).build();

    assertThat(scheduler.digest()).isEqualTo(digest);
    assertThat(placed(10 * SECOND)).isEmpty();
    scheduler.completed("b", 20 * SECOND);
    assertThat(placed(20 * SECOND)).containsExactly("c");
  }

  @Test
  void oneThatAFleetRunsWaitsForNothing() {
    submit("a");
    submit("c", "a");
    placed(0);
    Observation observed =
        new Observation(
            List.of(new ObservedHost(new HostSpec("h1", cores(2)), cores(0))),
            List.of(observed("a", OptionalInt.of(1)), observed("c", OptionalInt.empty())));
    scheduler.reconcile(observed, Reconciler.DEFAULT, 10 * SECOND);

    assertThat(instance("c").state()).isEqualTo(InstanceState.RUNNING);
    scheduler.failed("c", 20 * SECOND);
    assertThat(placed(20 * SECOND)).containsExactly("c");
  }

  private static ObservedInstance observed(String id, OptionalInt attempt) {
    return new ObservedInstance(
        id, "h1", InstanceState.RUNNING, attempt, OptionalLong.empty(), cores(1));
  }

  @Test
  void noPolicyPlacesOrRejectsIt() {
    Cluster cluster = Cluster.byHand().host("h1", 2).pending("a", 1);
    Request c = Request.builder("c", Cluster.GOLD.name()).demand(cores(1)).after("a").build();
    cluster.scheduler().submit(c, 0);
    Reason waits = new Reason.WaitsFor(List.of("a"), Optional.empty());
    cluster.pass(
        pass -> {
          Instance held = pass.instance("c").orElseThrow();
          assertThat(pass.pending()).extracting(Instance::id).containsExactly("a");
          assertThat(pass.place(held, pass.host("h1").orElseThrow()).refusal()).contains(waits);
          assertThat(pass.reject(held, waits).refusal()).contains(waits);
        });
    assertThat(cluster.scheduler().instance("c")).isPresent();
  }

  @Test
  void aGroupStartsOnceEnoughMembersCan() {
    submit("a");
    placed(0);
    scheduler.submit(new GroupSpec("g", List.of(request("m1"), request("m2", "a"))), 0);

    assertThat(placed(0)).isEmpty();
    assertThat(whyPending("m1"))
        .contains("group g needs 2 members at once: free room for 1")
        .contains("1 held back");
    scheduler.completed("a", 10 * SECOND);
    assertThat(placed(10 * SECOND)).containsExactlyInAnyOrder("m1", "m2");
  }
}

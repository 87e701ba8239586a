package dev.berth.core;

import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.Backoff;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The figures of a scheduler. {@link Snapshot} compares the counts in all histories of tests. */
class SchedulerStatsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "a test");

  private final Cluster cluster = Cluster.byHand();
  private final Scheduler scheduler = cluster.scheduler();

  @Test
  void areEmptyAtFirst() {
    SchedulerStats stats = scheduler.stats();

    assertThat(stats.now()).isEqualTo(Long.MIN_VALUE);
    assertThat(stats.hosts()).isZero();
    assertThat(stats.instances()).containsOnlyKeys("gold", "silver", "bronze");
    assertThat(stats.instances().values()).containsOnly(Map.of());
    assertThat(stats.passes()).isZero();
    assertThat(stats.lastPassAt()).isEmpty();
    assertThat(stats.actions()).hasSize(14).containsEntry("place", 0L).containsEntry("evict", 0L);
    assertThat(stats.actions().values()).containsOnly(0L);
  }

  @Test
  void toStringsAreForPeople() {
    assertThat(scheduler)
        .hasToString(
            "scheduler (by-hand, 0 hosts, 0 instances, 0 of them pending, 0 passes, no event yet)");
    cluster.at(1).host("h1", 1).pending("a", 1);
    assertThat(scheduler)
        .hasToString(
            "scheduler (by-hand, 1 hosts, 1 instances, 1 of them pending, 0 passes, at 1000000000"
                + " ns)");
    assertThat(scheduler.explain()).hasToString("explainer of 1 hosts, at 1000000000 ns");
    assertThat(scheduler.decisions()).hasToString("latest 0 decisions, 0 other actions");
    assertThat(PolicyRegistry.of()).hasToString("policies []");
    assertThat(Cluster.SILVER)
        .hasToString(
            "service class silver (slo 0.9, importance 2, safety margin PT10S,"
                + " preemption-overhead limit 0.1)");
  }

  @Test
  void countInstancesByClassAndState() {
    cluster.host("h1", 9).running("a", "gold", 1, "h1").running("b", "gold", 1, "h1");
    cluster.starting("c", "bronze", 1, "h1").pending("d", "bronze", 1).pending("e", "gold", 1);
    cluster.pass(pass -> pass.pause(cluster.instance("b"), WHY));

    SchedulerStats stats = scheduler.stats();

    assertThat(stats.hosts()).isEqualTo(1);
    assertThat(stats.instances().get("gold"))
        .containsExactly(
            Map.entry(InstanceState.PENDING, 1),
            Map.entry(InstanceState.RUNNING, 1),
            Map.entry(InstanceState.PAUSED, 1));
    assertThat(stats.instances().get("bronze"))
        .containsExactly(Map.entry(InstanceState.PENDING, 1), Map.entry(InstanceState.STARTING, 1));
    assertThat(stats.instances(InstanceState.PENDING)).isEqualTo(2);
    assertThat(stats.actions()).containsEntry("place", 3L).containsEntry("pause", 1L);
  }

  /** The first word of an action is its kind. */
  @Test
  void countTheActionsOfAllKinds() {
    cluster.host("h1", 4).host("h2", 4);
    List.of("a", "b", "c", "d").forEach(each -> cluster.running(each, 0.5, "h1"));
    cluster.running("v", "bronze", 4, "h2").pending("p", 1).pending("late", 1);
    scheduler.offerPool(new PoolSpec("pool", Cluster.cores(1), 5), 0);
    for (String each : List.of("kept", "over")) {
      scheduler.submit(new BagSpec(each, List.of(request("of-" + each, 1).build())), 0);
    }
    Map<String, Long> expected = new TreeMap<>(scheduler.stats().actions());
    OptionalLong never = OptionalLong.empty();

    Plan first =
        cluster.pass(
            pass -> {
              pass.pause(cluster.instance("d"), WHY);
              pass.provision(pass.pools().get(0), 1, Optional.empty(), never, WHY);
              pass.assign(pass.bags().get(0), "x", never, WHY);
              pass.cancel(pass.bags().get(1), WHY);
              pass.reject(cluster.instance("late"), WHY);
            });
    Plan second =
        cluster.pass(
            pass -> {
              pass.resize(cluster.instance("a"), Cluster.cores(0.6), WHY);
              pass.suspend(cluster.instance("b"), WHY);
              pass.resume(cluster.instance("d"), Cluster.cores(0.5), WHY);
              pass.release(pass.pools().get(0).starting().get(0), WHY);
              pass.place(cluster.instance("p"), cluster.host("h2"), List.of(cluster.instance("v")));
              pass.migrate(cluster.instance("c"), cluster.host("h2"), Cluster.cores(0.5), WHY);
            });

    for (Plan each : List.of(first, second)) {
      for (Action action : each.actions()) {
        expected.merge(action.describe().split(" ", 2)[0], 1L, Long::sum);
      }
    }
    assertThat(scheduler.stats().actions()).isEqualTo(expected);
    assertThat(expected)
        .doesNotContainEntry("resume", 0L)
        .containsEntry("evict", 0L)
        .containsEntry("stop", 0L);
    assertThat(expected.values()).filteredOn(each -> each == 0).hasSize(2);
  }

  @Test
  void countPreemptionsAndRejections() {
    cluster.host("h1", 1).running("a", "bronze", 1, "h1").pending("b", 1).pending("c", 1);
    cluster.at(1).place("b", "h1", "a");
    cluster.pass(pass -> pass.reject(cluster.instance("c"), WHY));

    assertThat(scheduler.stats().actions())
        .containsEntry("place", 2L)
        .containsEntry("preempt", 1L)
        .containsEntry("reject", 1L);
    assertThat(scheduler.stats().lastPassAt()).hasValue(Cluster.SECOND);
    assertThat(scheduler.stats().instances(InstanceState.PENDING)).isEqualTo(1);
  }

  @Test
  void countsNoActionOfAnUndonePass() {
    cluster.host("h1", 1).pending(request("a", 1));
    SchedulerStats before = scheduler.stats();

    assertThatExceptionOfType(PolicyFailedException.class)
        .isThrownBy(
            () ->
                cluster.pass(
                    pass -> {
                      pass.place(cluster.instance("a"), cluster.host("h1"));
                      throw new IllegalStateException("given");
                    }));

    SchedulerStats after = scheduler.stats();
    assertThat(after.passesUndone()).isEqualTo(1);
    assertThat(after.passes()).isEqualTo(before.passes());
    assertThat(after.actions()).isEqualTo(before.actions());
    assertThat(after.instances()).isEqualTo(before.instances());
    cluster.snapshot();
  }

  @Test
  void countRefusedEventsButNoRefusedExplanation() {
    cluster.at(1).host("h1", 1);
    for (Runnable each :
        List.<Runnable>of(
            () -> scheduler.schedule(0),
            () -> scheduler.cancel("nothing", cluster.now()),
            () -> scheduler.completed("nothing", Duration.ofSeconds(-1), cluster.now()),
            () -> scheduler.addHost(new HostSpec("h1", Cluster.cores(1)), cluster.now()))) {
      assertThatExceptionOfType(EventRefusedException.class).isThrownBy(each::run);
    }
    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> scheduler.explain().whyPending("nothing", cluster.now()));

    assertThat(scheduler.stats().eventsRefused()).isEqualTo(4);
  }

  @Test
  void settingsAreThoseOfTheBuilder() {
    Backoff ofHosts = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(2));
    Backoff ofInstances = new Backoff(Duration.ofSeconds(3), Duration.ofSeconds(4));
    Scheduler limited =
        Cluster.byHand(
                Scheduler.builder()
                    .maxPlacements(7)
                    .hostBackoff(ofHosts)
                    .instanceBackoff(ofInstances))
            .scheduler();

    assertThat(limited.maxPlacements()).hasValue(7);
    assertThat(limited.hostBackoff()).contains(ofHosts);
    assertThat(limited.instanceBackoff()).contains(ofInstances);
    assertThat(scheduler.maxPlacements()).isEmpty();
    assertThat(scheduler.hostBackoff()).isEmpty();
    assertThat(scheduler.instanceBackoff()).isEmpty();
  }
}

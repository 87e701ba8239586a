package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.batch.BagSpec;
import dev.berth.core.decision.Decision;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Collections of a scheduler and its views can be iterated over while events are reported. */
class CollectionsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "a test");

  /** Returns a cluster with two hosts, two pools, two bags, and instances in every place. */
  private static Cluster cluster() {
    Cluster cluster = Cluster.byHand(Scheduler.builder().decisionLog(10));
    cluster.host("h1", 8).running("a", 1, "h1").running("b", 1, "h1").pending("c", 1);
    Scheduler scheduler = cluster.scheduler();
    scheduler.offerPool(new PoolSpec("p1", Cluster.cores(1), 9), 0);
    scheduler.offerPool(new PoolSpec("p2", Cluster.cores(1), 9), 0);
    for (String bag : List.of("x", "y")) {
      scheduler.submit(
          new BagSpec(
              bag,
              List.of(Cluster.request(bag + 1, 1).build(), Cluster.request(bag + 2, 1).build())),
          0);
    }
    cluster.pass(
        pass ->
            pass.provision(
                pass.pool("p1").orElseThrow(), 4, Optional.empty(), OptionalLong.empty(), WHY));
    List<Host> starting = scheduler.pools().get(0).starting();
    starting.stream()
        .limit(2)
        .forEach(each -> scheduler.addHost(scheduler.pools().get(0).spec().host(each.id()), 0));
    return cluster;
  }

  static Stream<Arguments> collections() {
    return Stream.of(
        of("scheduler.instances()", Scheduler::instances, (at, i) -> at.cancel(i.id(), 0)),
        of("scheduler.hosts()", Scheduler::hosts, (at, h) -> at.removeHost(h.id(), 0)),
        of(
            "scheduler.pools()",
            Scheduler::pools,
            (at, p) -> at.offerPool(new PoolSpec(p.name() + "new", Cluster.cores(1), 1), 0)),
        of("scheduler.bags()", Scheduler::bags, (at, b) -> at.cancelBag(b.id(), WHY, 0)),
        of(
            "host.instances()",
            at -> at.host("h1").orElseThrow().instances(),
            (at, i) -> at.completed(i.id(), 0)),
        of("pool.up()", at -> at.pools().get(0).up(), (at, h) -> at.removeHost(h.id(), 0)),
        of(
            "pool.starting()",
            at -> at.pools().get(0).starting(),
            (at, h) -> at.removeHost(h.id(), 0)),
        of(
            "bag.instances()",
            at -> at.bag("x").orElseThrow().instances(),
            (at, i) -> at.cancel(i.id(), 0)),
        of(
            "decisions().all()",
            (Function<Scheduler, List<Decision>>) at -> at.decisions().all(),
            (at, d) -> at.schedule(0)),
        of(
            "decisions().adjustments()",
            at -> at.decisions().adjustments(),
            (at, d) -> at.schedule(0)));
  }

  private static <T> Arguments of(
      String name,
      Function<Scheduler, ? extends Collection<T>> query,
      BiConsumer<Scheduler, T> event) {
    return Arguments.of(Named.of(name, query), event);
  }

  @ParameterizedTest
  @MethodSource("collections")
  <T> void allowsEventsDuringAnIteration(
      Function<Scheduler, ? extends Collection<T>> query, BiConsumer<Scheduler, T> event) {
    Scheduler scheduler = cluster().scheduler();
    Collection<T> listed = query.apply(scheduler);
    List<T> before = new ArrayList<>(listed);
    assertThat(before).isNotEmpty();

    for (T each : listed) {
      event.accept(scheduler, each);
    }

    assertThat(listed).as("a copy").containsExactlyElementsOf(before);
  }

  @ParameterizedTest
  @MethodSource("collections")
  <T> void cannotBeModified(
      Function<Scheduler, ? extends Collection<T>> query, BiConsumer<Scheduler, T> event) {
    Collection<T> listed = query.apply(cluster().scheduler());

    assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(listed::clear);
  }

  @Test
  void instancesAreCurrentAtEachCall() {
    Cluster cluster = Cluster.byHand().host("h1", 2);
    Scheduler scheduler = cluster.scheduler();
    assertThat(scheduler.instances()).isEmpty();

    cluster.pending("a", 1).pending("b", 1);
    assertThat(scheduler.instances()).extracting(Instance::id).containsExactly("a", "b");
    assertThat(scheduler.instances()).isSameAs(scheduler.instances());

    cluster.cancel("a");
    cluster.pass(pass -> pass.reject(cluster.instance("b"), WHY));
    assertThat(scheduler.instances()).isEmpty();
    assertThat(scheduler.instanceCount()).isZero();
  }
}

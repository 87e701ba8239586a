package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.api.Bag;
import dev.berth.api.BagSpec;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Plan;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.core.error.SchedulerFailedException;
import dev.berth.core.internal.state.Faults;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The engine fails at each step of an action, of undoing, of finishing a pass and of an event, one
 * step at a time. Either nothing has happened, or the scheduler has failed and takes no more calls.
 */
class FaultInjectionTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "because");
  private static final OptionalLong NEVER = OptionalLong.empty();

  /** An act on a pass, whose cluster the test knows. */
  interface Act {
    Object on(SchedulingPass pass, Cluster cluster);
  }

  /** Instances in all states, two bags, and a pool with a host that is up and one that starts. */
  private static Cluster cluster() {
    Cluster cluster = Cluster.byHand().host("h1", 4).host("h2", 9);
    for (String id : List.of("resized", "paused", "suspended", "moved", "ready", "stays")) {
      cluster.running(id, "bronze", 1, "h2");
    }
    cluster.running("victim", "bronze", 2, "h1").running("another", "bronze", 1, "h1");
    cluster.pass(pass -> pass.pause(cluster.instance("ready"), WHY));
    Scheduler scheduler = cluster.scheduler();
    scheduler.offerPool(new PoolSpec("p", cores(2), 9), cluster.now());
    cluster.pass(pass -> pass.provision(scheduler.pools().get(0), 2, Optional.empty(), NEVER, WHY));
    cluster.host("p-1", 2).at(5);
    for (String bag : List.of("cancelled", "assigned")) {
      scheduler.submit(
          new BagSpec(bag, List.of(Cluster.request(bag + "-member", 1).build())), cluster.now());
    }
    return cluster.pending("b", 3).pending("c", 1).pending("rejected", 1).pending("waits", 9);
  }

  private static List<Act> acts() {
    List<Act> acts = new ArrayList<>();
    acts.add(
        (pass, in) -> {
          try (Fork fork = pass.fork()) {
            return fork.place(in.instance("b"), in.host("h1"), victims(in));
          }
        });
    acts.add(
        (pass, in) -> {
          Fork fork = pass.fork();
          Outcome outcome = fork.place(in.instance("b"), in.host("h1"), victims(in));
          fork.keep();
          return outcome;
        });
    acts.add((pass, in) -> pass.place(in.instance("c"), in.host("h2")));
    acts.add((pass, in) -> pass.resize(in.instance("resized"), cores(1.5), WHY));
    acts.add((pass, in) -> pass.pause(in.instance("paused"), WHY));
    acts.add((pass, in) -> pass.suspend(in.instance("suspended"), WHY));
    acts.add((pass, in) -> pass.resume(in.instance("ready"), cores(1), WHY));
    acts.add((pass, in) -> pass.migrate(in.instance("moved"), in.host("p-1"), cores(1), WHY));
    acts.add((pass, in) -> pass.reject(in.instance("rejected"), WHY));
    acts.add((pass, in) -> pass.provision(pool(in), 1, Optional.empty(), NEVER, WHY));
    acts.add((pass, in) -> pass.release(pool(in).starting().get(0), WHY));
    acts.add((pass, in) -> pass.assign(bag(in, "assigned"), "cluster", NEVER, WHY));
    acts.add((pass, in) -> pass.cancel(bag(in, "cancelled"), WHY));
    acts.add((pass, in) -> pass.defer(in.instance("waits"), WHY));
    acts.add(
        (pass, in) -> {
          pass.wakeAt(in.now() + 1);
          return pass.pending();
        });
    return acts;
  }

  private static List<Instance> victims(Cluster in) {
    return List.of(in.instance("victim"), in.instance("another"));
  }

  private static Pool pool(Cluster in) {
    return in.scheduler().pools().get(0);
  }

  private static Bag bag(Cluster in, String id) {
    return in.scheduler().bag(id).orElseThrow();
  }

  static Stream<Supplier<? extends Throwable>> failures() {
    return Stream.of(
        StackOverflowError::new,
        () -> new OutOfMemoryError("injected"),
        () -> new IllegalStateException("a mistake of the engine"));
  }

  private static final class Given extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Test
  void allActsAreAcceptedWithoutFaults() {
    assertThat(planOf(cluster()).actions()).hasSize(14);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void passThatFailsAtAnyStepIsUndoneOrEndsTheScheduler(Supplier<? extends Throwable> failure) {
    int steps = sweep(failure, FaultInjectionTest::planOf);

    assertThat(steps).isGreaterThan(100);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void undoingThatFailsAtAnyStepEndsTheScheduler(Supplier<? extends Throwable> failure) {
    int steps =
        sweep(
            failure,
            cluster -> {
              Throwable thrown =
                  catchThrowable(
                      () ->
                          cluster.pass(
                              pass -> {
                                acts().forEach(each -> each.on(pass, cluster));
                                throw new Given();
                              }));
              if (thrown.getCause() instanceof Given) {
                return; // undone as it should be
              }
              throw rethrow(thrown);
            });

    assertThat(steps).isGreaterThan(150);
  }

  @Test
  void policyThatCatchesTheErrorCannotContinue() {
    List<Object> continued = new ArrayList<>();
    sweep(
        StackOverflowError::new,
        cluster ->
            cluster.pass(
                pass -> {
                  boolean failed = false;
                  for (Act each : acts()) {
                    try {
                      Object done = each.on(pass, cluster);
                      if (failed) {
                        continued.add(done);
                      }
                    } catch (StackOverflowError | RuntimeException caught) {
                      failed = true;
                    }
                  }
                }));

    assertThat(continued).isEmpty();
  }

  static Stream<Consumer<Cluster>> events() {
    return Stream.of(
        cluster -> cluster.host("h3", 1),
        cluster -> cluster.host("p-2", 2),
        cluster -> cluster.removed("h1"),
        cluster -> cluster.removed("p-2"),
        cluster -> cluster.pending("late", 1),
        cluster -> cluster.failed("victim"),
        cluster -> cluster.completed("victim"),
        cluster -> cluster.cancel("b"),
        cluster -> cluster.scheduler().cancelBag("cancelled", WHY, cluster.now()),
        cluster ->
            cluster
                .scheduler()
                .submit(
                    new BagSpec(
                        "late",
                        List.of(
                            Cluster.request("l1", 1).build(), Cluster.request("l2", 1).build())),
                    cluster.now()),
        cluster -> cluster.scheduler().offerPool(new PoolSpec("p", cores(2), 3), cluster.now()),
        cluster -> cluster.scheduler().usageReported("victim", cores(1), cores(0), cluster.now()),
        cluster -> cluster.scheduler().loadReported("h1", 1, cluster.now()));
  }

  @ParameterizedTest
  @MethodSource("events")
  void eventThatFailsAtAnyStepChangesNothingOrEndsTheScheduler(Consumer<Cluster> event) {
    failures().forEach(each -> assertThat(sweep(each, event)).isPositive());
  }

  // ---- The law

  private static Plan planOf(Cluster cluster) {
    return cluster.pass(pass -> acts().forEach(each -> each.on(pass, cluster)));
  }

  /** Lets each step of some work fail in turn. Returns the number of steps. */
  private static int sweep(Supplier<? extends Throwable> failure, Consumer<Cluster> work) {
    for (int step = 0; ; step++) {
      Cluster cluster = cluster();
      Snapshot before = cluster.snapshot();
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      boolean happened =
          Faults.at(
              step,
              failure,
              cluster.scheduler().state,
              () -> thrown.set(catchThrowable(() -> work.accept(cluster))));
      if (!happened) {
        assertThat(thrown).as("without a fault").hasNullValue();
        return step;
      }
      String when = "%s at step %d".formatted(failure.get(), step);
      assertThat(thrown.get()).as(when).isNotNull().isNotInstanceOf(AssertionError.class);
      assertUnchangedOrFailed(cluster, before, when);
    }
  }

  private static void assertUnchangedOrFailed(Cluster cluster, Snapshot before, String when) {
    Throwable refusal =
        catchThrowable(
            () -> cluster.scheduler().explain().whyPending("waits", cluster.scheduler().now()));
    if (refusal instanceof SchedulerFailedException) {
      assertFailed(cluster, when);
      return;
    }
    assertThat(cluster.snapshot()).as(when).isEqualTo(before);
    assertThat(planOf(cluster).actions())
        .as("the next plan after %s", when)
        .isEqualTo(planOf(cluster()).actions());
  }

  private static void assertFailed(Cluster cluster, String when) {
    List<String> hosts = cluster.scheduler().hosts().stream().map(Host::toString).toList();
    events()
        .forEach(
            each ->
                assertThat(catchThrowable(() -> each.accept(cluster)))
                    .as("an event after %s", when)
                    .isInstanceOf(SchedulerFailedException.class));
    assertThat(catchThrowable(cluster::pass))
        .as("a pass after %s", when)
        .isInstanceOf(SchedulerFailedException.class)
        .hasMessageContaining("takes no more events or passes");
    assertThat(cluster.scheduler().hosts().stream().map(Host::toString).toList())
        .as("hosts after %s", when)
        .isEqualTo(hosts);
    assertThat(cluster.scheduler().instances()).as("instances after %s", when).isNotEmpty();
  }

  private static RuntimeException rethrow(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) thrown;
  }
}

package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.core.error.PolicyFailedException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When a pass takes calls: until it is over, and actions only while no fork is open. */
class PassCallsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "because");
  private static final OptionalLong NEVER = OptionalLong.empty();

  /** What the calls are about; from the scheduler, since a pass that is over gives none. */
  record Subjects(Instance a, Instance b, Host empty, Bag bag, Pool pool, long now) {}

  /** Has a running instance, a pending one, a bag, and a pool with a host that is up and empty. */
  private final Cluster cluster = Cluster.byHand().host("h1", 4).running("a", 1, "h1");

  private final Subjects in;

  PassCallsTest() {
    cluster.pending("b", 1);
    cluster
        .scheduler()
        .submit(new BagSpec("bag", List.of(Cluster.request("m", 1).build())), cluster.now());
    cluster.scheduler().offerPool(new PoolSpec("p", cores(2), 9), cluster.now());
    Pool pool = cluster.scheduler().pools().get(0);
    cluster.pass(pass -> pass.provision(pool, 1, Optional.empty(), NEVER, WHY));
    cluster.host("p-1", 2);
    this.in =
        new Subjects(
            cluster.instance("a"),
            cluster.instance("b"),
            cluster.host("p-1"),
            cluster.scheduler().bag("bag").orElseThrow(),
            pool,
            cluster.now());
  }

  /** A call of a pass. */
  interface Call {
    void on(SchedulingPass pass, Subjects in);
  }

  static Stream<Call> actions() {
    return Stream.of(
        (pass, in) -> pass.place(in.b(), in.empty()),
        (pass, in) -> pass.resize(in.a(), cores(2), WHY),
        (pass, in) -> pass.pause(in.a(), WHY),
        (pass, in) -> pass.suspend(in.a(), WHY),
        (pass, in) -> pass.resume(in.a(), cores(1), WHY),
        (pass, in) -> pass.migrate(in.a(), in.empty(), cores(1), WHY),
        (pass, in) -> pass.reject(in.b(), WHY),
        (pass, in) -> pass.provision(in.pool(), 1, Optional.empty(), NEVER, WHY),
        (pass, in) -> pass.release(in.empty(), WHY),
        (pass, in) -> pass.assign(in.bag(), "c", NEVER, WHY),
        (pass, in) -> pass.cancel(in.bag(), WHY),
        (pass, in) -> pass.defer(in.b(), WHY),
        (pass, in) -> pass.defer(in.bag(), WHY),
        (pass, in) -> pass.wakeAt(in.now() + 1),
        (pass, in) -> pass.fork());
  }

  @ParameterizedTest
  @MethodSource("actions")
  void endedPassRefusesActions(Call action) {
    List<SchedulingPass> kept = new ArrayList<>();
    cluster.pass(kept::add);
    Snapshot before = cluster.snapshot();

    assertThatIllegalStateException()
        .isThrownBy(() -> action.on(kept.get(0), in))
        .withMessageContaining("is over");

    assertThat(cluster.snapshot()).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("actions")
  void passRefusesActionsWhileAForkIsOpen(Call action) {
    cluster.pass(
        pass -> {
          try (Fork fork = pass.fork()) {
            Snapshot before = Snapshot.of(fork);

            assertThatIllegalStateException()
                .isThrownBy(() -> action.on(pass, in))
                .withMessageContaining("has an open fork");

            assertThat(Snapshot.of(fork)).isEqualTo(before);
            action.on(fork, in);
          }
        });
  }

  static Stream<Consumer<SchedulingPass>> queries() {
    return Stream.of(
        SchedulingPass::number,
        SchedulingPass::now,
        SchedulingPass::triggers,
        SchedulingPass::random,
        SchedulingPass::hosts,
        SchedulingPass::pools,
        SchedulingPass::bags,
        SchedulingPass::endedBags,
        SchedulingPass::completions,
        SchedulingPass::pending,
        SchedulingPass::instances,
        SchedulingPass::openHosts,
        pass -> pass.host("h1"),
        pass -> pass.instance("a"),
        pass -> pass.group("g"),
        pass -> pass.budget("web"));
  }

  @ParameterizedTest
  @MethodSource("queries")
  void onlyAnEndedPassRefusesQueries(Consumer<SchedulingPass> query) {
    List<SchedulingPass> kept = new ArrayList<>();
    cluster.pass(
        pass -> {
          kept.add(pass);
          pass.fork();
          query.accept(pass);
        });

    assertThatIllegalStateException()
        .isThrownBy(() -> query.accept(kept.get(0)))
        .withMessageContaining("pass 3 is over");
  }

  @ParameterizedTest
  @MethodSource("actions")
  void passRefusesActionsOfAnotherThread(Call action) {
    cluster.pass(
        pass -> {
          Snapshot before = Snapshot.of(pass);

          assertThat(Threads.failureOn("helper", () -> action.on(pass, in)))
              .isInstanceOf(IllegalStateException.class)
              .hasMessage(
                  "thread helper uses pass 3, which thread %s runs. Only the thread of a pass may"
                      + " use it.",
                  Thread.currentThread().getName());

          assertThat(Snapshot.of(pass)).isEqualTo(before);
        });
  }

  @ParameterizedTest
  @MethodSource("queries")
  void passRefusesQueriesOfAnotherThread(Consumer<SchedulingPass> query) {
    cluster.pass(
        pass ->
            assertThat(Threads.failureOn("helper", () -> query.accept(pass)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("thread helper uses pass 3"));
  }

  @Test
  void forkIsKeptAndClosedOnlyByTheThreadOfItsPass() {
    cluster.pass(
        pass -> {
          Fork fork = pass.fork();
          fork.place(in.b(), in.empty());

          assertThat(Threads.failureOn("helper", fork::keep)).hasMessageContaining("helper");
          assertThat(Threads.failureOn("helper", fork::close)).hasMessageContaining("helper");

          assertThat(in.b().host()).contains(in.empty());
          fork.close();
        });

    assertThat(in.b().host()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("actions")
  void interruptionStopsThePassAtTheNextAction(Call action) {
    assertStopped(pass -> action.on(pass, in));
  }

  @ParameterizedTest
  @MethodSource("queries")
  void interruptionStopsThePassAtTheNextQuery(Consumer<SchedulingPass> query) {
    assertStopped(query);
  }

  private void assertStopped(Consumer<SchedulingPass> call) {
    Snapshot before = cluster.snapshot();
    try {
      assertThatExceptionOfType(PolicyFailedException.class)
          .isThrownBy(
              () ->
                  cluster.pass(
                      pass -> {
                        pass.place(in.b(), in.empty());
                        Thread.currentThread().interrupt();
                        call.accept(pass);
                      }))
          .withCauseInstanceOf(CancellationException.class)
          .withMessageEndingWith(
              "thread %s was interrupted, so pass 3 stops.", Thread.currentThread().getName());
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      Thread.interrupted(); // for the tests that follow
    }
    assertThat(cluster.snapshot()).isEqualTo(before);
  }

  @Test
  void policyCannotContinueAStoppedPass() {
    Snapshot before = cluster.snapshot();
    try {
      assertThatExceptionOfType(PolicyFailedException.class)
          .isThrownBy(
              () ->
                  cluster.pass(
                      pass -> {
                        Fork fork = pass.fork();
                        fork.place(in.b(), in.empty());
                        Thread.currentThread().interrupt();
                        assertThatExceptionOfType(CancellationException.class)
                            .isThrownBy(fork::keep);
                        assertThat(Thread.interrupted()).as("cleared by the policy").isTrue();
                        fork.close();
                        assertThatExceptionOfType(CancellationException.class)
                            .isThrownBy(() -> pass.place(in.b(), in.empty()));
                      }))
          .withCauseInstanceOf(CancellationException.class)
          .withMessageEndingWith(
              ": thread %s was interrupted, so pass 3 stops.", Thread.currentThread().getName());
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      Thread.interrupted();
    }
    assertThat(cluster.snapshot()).isEqualTo(before);
  }

  /** The arguments of an action are of the policy, so they may fail in its midst. */
  @Test
  void policyCannotContinueAPassThatAnErrorHasStopped() {
    Snapshot before = cluster.snapshot();
    StackOverflowError exhausted = new StackOverflowError();
    List<Instance> victims =
        new AbstractList<>() {
          @Override
          public Instance get(int index) {
            return in.a();
          }

          @Override
          public int size() {
            throw exhausted;
          }
        };

    assertThatExceptionOfType(PolicyFailedException.class)
        .isThrownBy(
            () ->
                cluster.pass(
                    pass -> {
                      pass.place(in.b(), in.empty());
                      assertThatThrownBy(() -> pass.place(in.b(), in.empty(), victims))
                          .isSameAs(exhausted);
                      assertThatExceptionOfType(CancellationException.class)
                          .isThrownBy(pass::number)
                          .withMessage("java.lang.StackOverflowError has stopped pass 3.")
                          .withCause(exhausted);
                    }))
        .withCauseInstanceOf(CancellationException.class);

    assertThat(cluster.snapshot()).isEqualTo(before);
  }

  @Test
  void endedPassComparesNoInstanceWithAHost() {
    List<SchedulingPass> kept = new ArrayList<>();
    cluster.pass(kept::add);
    SchedulingPass over = kept.get(0);

    assertThatIllegalStateException()
        .isThrownBy(() -> over.obstacle(in.b(), in.empty(), List.of()));
    assertThatIllegalStateException().isThrownBy(() -> over.tieBreak(in.b(), in.empty()));
    assertThatIllegalStateException().isThrownBy(() -> over.protection(in.b()));
  }
}

package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.Bag;
import dev.berth.api.BagSpec;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.api.policy.SchedulingPass.Fork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When a pass takes calls: until it is over, and actions only while no fork is open. */
class PassCallsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "because");
  private static final OptionalLong NEVER = OptionalLong.empty();

  /** Has a running instance, a pending one, a bag, and a pool with a host that is up and empty. */
  private final Cluster cluster = Cluster.byHand().host("h1", 4).running("a", 1, "h1");

  PassCallsTest() {
    cluster.pending("b", 1);
    cluster
        .scheduler()
        .submit(new BagSpec("bag", List.of(Cluster.request("m", 1).build())), cluster.now());
    cluster.scheduler().offerPool(new PoolSpec("p", cores(2), 9), cluster.now());
    cluster.pass(pass -> pass.provision(pool(cluster), 1, Optional.empty(), NEVER, WHY));
    cluster.host("p-1", 2);
  }

  // The subjects come from the scheduler, since a pass that is over gives none.

  private static Instance a(Cluster cluster) {
    return cluster.instance("a");
  }

  private static Instance b(Cluster cluster) {
    return cluster.instance("b");
  }

  private static Host empty(Cluster cluster) {
    return cluster.host("p-1");
  }

  private static Bag bag(Cluster cluster) {
    return cluster.scheduler().bag("bag").orElseThrow();
  }

  private static Pool pool(Cluster cluster) {
    return cluster.scheduler().pools().get(0);
  }

  /** A call of a pass of a cluster. */
  interface Call {
    void on(SchedulingPass pass, Cluster cluster);
  }

  static Stream<Call> actions() {
    return Stream.of(
        (pass, in) -> pass.place(b(in), empty(in)),
        (pass, in) -> pass.resize(a(in), cores(2), WHY),
        (pass, in) -> pass.pause(a(in), WHY),
        (pass, in) -> pass.suspend(a(in), WHY),
        (pass, in) -> pass.resume(a(in), cores(1), WHY),
        (pass, in) -> pass.migrate(a(in), empty(in), cores(1), WHY),
        (pass, in) -> pass.reject(b(in), WHY),
        (pass, in) -> pass.provision(pool(in), 1, Optional.empty(), NEVER, WHY),
        (pass, in) -> pass.release(empty(in), WHY),
        (pass, in) -> pass.assign(bag(in), "c", NEVER, WHY),
        (pass, in) -> pass.cancel(bag(in), WHY),
        (pass, in) -> pass.defer(b(in), WHY),
        (pass, in) -> pass.defer(bag(in), WHY),
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
        .isThrownBy(() -> action.on(kept.get(0), cluster))
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
                .isThrownBy(() -> action.on(pass, cluster))
                .withMessageContaining("has an open fork");

            assertThat(Snapshot.of(fork)).isEqualTo(before);
            action.on(fork, cluster);
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
        SchedulingPass::pending,
        SchedulingPass::instances,
        pass -> pass.host("h1"),
        pass -> pass.instance("a"));
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

  @Test
  void endedPassComparesNoInstanceWithAHost() {
    List<SchedulingPass> kept = new ArrayList<>();
    cluster.pass(kept::add);
    SchedulingPass over = kept.get(0);

    assertThatIllegalStateException()
        .isThrownBy(() -> over.obstacle(b(cluster), empty(cluster), List.of()));
    assertThatIllegalStateException().isThrownBy(() -> over.tieBreak(b(cluster), empty(cluster)));
  }
}

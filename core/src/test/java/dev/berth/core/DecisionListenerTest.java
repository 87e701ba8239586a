package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.api.Reason;
import dev.berth.api.plan.Plan;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.decision.Decision;
import dev.berth.core.decision.DecisionListener;
import dev.berth.core.error.PolicyFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A listener receives the decisions of passes, and nothing it does harms the scheduler. */
class DecisionListenerTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "a test");

  /** Notes what it receives, and then does something. */
  private static final class Notes implements DecisionListener {
    private final List<Object> received = new ArrayList<>();
    private Consumer<Object> then = received -> {};

    @Override
    public void decided(Decision decision) {
      received.add(decision);
      then.accept(decision);
    }

    @Override
    public void adjusted(ActionRecord action) {
      received.add(action);
      then.accept(action);
    }
  }

  private final Notes notes = new Notes();

  private Cluster cluster(int decisionLog) {
    return Cluster.byHand(Scheduler.builder().decisionLog(decisionLog).onDecision(notes))
        .host("h1", 4)
        .running("r", 1, "h1")
        .pending("a", 1)
        .pending("b", 1);
  }

  private static Plan actOn(Cluster cluster) {
    return cluster.pass(
        pass -> {
          pass.pause(cluster.instance("r"), WHY);
          pass.place(cluster.instance("a"), cluster.host("h1"));
          pass.place(cluster.instance("b"), cluster.host("h1"));
        });
  }

  @Test
  void receivesWhatTheLogKeeps() {
    Cluster cluster = cluster(100);
    actOn(cluster);

    List<Object> logged = new ArrayList<>(cluster.scheduler().decisions().all());
    logged.addAll(cluster.scheduler().decisions().adjustments());
    assertThat(notes.received).hasSize(4).containsExactlyElementsOf(logged);
  }

  @Test
  void receivesDecisionsThatNoLogKeeps() {
    Cluster cluster = cluster(0);
    actOn(cluster);

    assertThat(notes.received).hasSize(4);
    assertThat(cluster.scheduler().decisions().all()).isEmpty();
  }

  @Test
  void receivesNothingOfAnUndonePass() {
    Cluster cluster = cluster(100);
    notes.received.clear();

    assertThatExceptionOfType(PolicyFailedException.class)
        .isThrownBy(
            () ->
                cluster.pass(
                    pass -> {
                      pass.place(cluster.instance("a"), cluster.host("h1"));
                      throw new IllegalStateException("given");
                    }));

    assertThat(notes.received).isEmpty();
    cluster.pass();
    assertThat(notes.received).isEmpty();
  }

  @Test
  void sourcesOfHarmAreRefusedAndQueriesAnswered() {
    Cluster cluster = cluster(100);
    Scheduler scheduler = cluster.scheduler();
    List<Throwable> refusals = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    notes.then =
        received -> {
          refusals.add(catchThrowable(() -> scheduler.cancel("r", cluster.now())));
          refusals.add(catchThrowable(() -> scheduler.schedule(cluster.now())));
          refusals.add(catchThrowable(() -> scheduler.explain().whyPending("r", cluster.now())));
          counts.add(scheduler.instances().size());
        };

    Plan plan = actOn(cluster);

    assertThat(plan.actions()).hasSize(3);
    assertThat(refusals)
        .hasSize(9)
        .allSatisfy(
            each ->
                assertThat(each)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                        "a decision listener called its scheduler."
                            + " Maybe report the event after the pass."));
    assertThat(counts).containsOnly(3);
    notes.then = received -> {};
    scheduler.cancel("r", cluster.now());
    assertThat(scheduler.instanceCount()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"exception", "overflow", "memory", "checked"})
  void failuresReachTheHandlerOfTheThreadOnly(String kind) {
    Cluster cluster = cluster(100);
    Cluster equal = cluster(100);
    notes.received.clear();
    List<Throwable> handled = new ArrayList<>();
    notes.then = received -> fail(kind);
    Thread thread = Thread.currentThread();
    Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
    thread.setUncaughtExceptionHandler(
        (where, failure) -> {
          handled.add(failure);
          throw new IllegalStateException("of the handler");
        });
    Plan plan;
    try {
      plan = actOn(cluster);
    } finally {
      thread.setUncaughtExceptionHandler(before);
    }
    notes.then = received -> {};

    assertThat(handled).as("one for each of %s", notes.received).hasSize(3);
    assertThat(plan).isEqualTo(actOn(equal));
    assertThat(cluster.snapshot()).isEqualTo(equal.snapshot());
    assertThat(cluster.at(9).pass()).isEqualTo(equal.at(9).pass());
  }

  private static void fail(String kind) {
    switch (kind) {
      case "overflow" -> overflow(1);
      case "memory" -> throw new OutOfMemoryError("given");
      case "checked" -> DecisionListenerTest.<RuntimeException>sneak(new Exception("given"));
      default -> throw new IllegalStateException("given");
    }
  }

  @SuppressWarnings("InfiniteRecursion") // on purpose
  private static long overflow(long depth) {
    return overflow(depth + 1) + depth;
  }

  @SuppressWarnings("unchecked") // to throw what no listener declares
  private static <T extends Exception> void sneak(Exception thrown) throws T {
    throw (T) thrown;
  }

  @Test
  void policyThatCallsTheSchedulerIsNoListener() {
    Cluster cluster = cluster(9);

    assertThatExceptionOfType(PolicyFailedException.class)
        .isThrownBy(() -> cluster.pass(pass -> cluster.cancel("a")))
        .withMessageContaining("a policy called its scheduler from within a pass");
  }
}

package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.error.SchedulerFailedException;
import dev.berth.core.faults.Trial;
import dev.berth.test.TestRun;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Calls that overflow the stack wherever it ends: each call is made at the end of the stack, and
 * again some frames further from it, until it succeeds. The end is elsewhere in each run.
 */
class StackOverflowTest {

  private static final int RUNS = TestRun.cases(160);

  /** Frames are as large as the compiler has just made them, so what is seldom may take longer. */
  private static final int MOST_RUNS = 100 * RUNS;

  private static final long STACK = 200_000; // bytes

  /** An overflow in the initializer of a class would break the class for all later tests. */
  @BeforeAll
  static void initializesClasses() {
    for (Trial each : new FaultTrials().all().values()) {
      each.prepare();
      each.run();
    }
  }

  @Test
  void passWhosePolicyOverflowsTheStackIsUndoneOrEndsTheScheduler() {
    AtomicInteger overflows = new AtomicInteger();
    AtomicInteger undone = new AtomicInteger();
    List<Object> continued = new ArrayList<>();
    for (int run = 0; run < RUNS || (undone.get() <= RUNS / 10 && run < MOST_RUNS); run++) {
      FaultTrials.OnCluster trial =
          FaultTrials.byHand(
              cluster -> cluster.pass(pass -> actAtTheEnd(pass, cluster, overflows, continued)));
      Throwable thrown = onShortStack(run, trial);
      if (thrown != null) {
        undone.incrementAndGet();
        trial.check(thrown, "run " + run);
      }
    }
    assertThat(continued).as("accepted after an error").isEmpty();
    assertThat(overflows).as("overflows").hasValueGreaterThan(RUNS);
    assertThat(undone).as("passes with an error of the engine").hasValueGreaterThan(RUNS / 10);
  }

  /** Acts at each level of a recursion that has overflowed the stack, from the deepest. */
  private static void actAtTheEnd(
      SchedulingPass pass, Cluster cluster, AtomicInteger overflows, List<Object> continued) {
    int before = overflows.get();
    atTheEnd(
        () -> {
          boolean stopped = isStopped(pass);
          Object done =
              FaultTrials.acts().get(overflows.get() % FaultTrials.acts().size()).on(pass, cluster);
          if (stopped && done instanceof Outcome outcome && outcome.accepted()) {
            continued.add(done);
          }
          return overflows.get() - before > 50;
        },
        1,
        0,
        overflows);
  }

  private static boolean isStopped(SchedulingPass pass) {
    try {
      pass.number();
      return false;
    } catch (RuntimeException over) {
      return true;
    }
  }

  @Test
  void callThatOverflowsTheStackChangesNothingOrEndsTheScheduler() {
    AtomicInteger overflows = new AtomicInteger();
    int failed = 0;
    int undone = 0;
    for (int run = 0; run < RUNS || ((failed == 0 || undone == 0) && run < MOST_RUNS); run++) {
      Cluster cluster = FaultTrials.withPreemption();
      Cluster same = FaultTrials.withPreemption();
      List<Consumer<Cluster>> calls = calls();
      int stride = 1 + run;
      List<Consumer<Cluster>> done = new ArrayList<>();
      onShortStack(
          run,
          () ->
              atTheEnd(
                  () -> {
                    Consumer<Cluster> call = calls.get(done.size());
                    call.accept(cluster);
                    done.add(call);
                    return done.size() == calls.size();
                  },
                  stride,
                  0,
                  overflows));
      try {
        cluster.scheduler().explain().whyPending("waits", cluster.scheduler().now());
      } catch (SchedulerFailedException over) {
        failed++;
        FaultTrials.assertFailed(cluster, "run " + run);
        continue;
      }
      undone++;
      done.forEach(each -> each.accept(same));
      assertThat(cluster.snapshot()).as("after run %d", run).isEqualTo(same.snapshot());
      assertThat(cluster.pass()).as("the plan after run %d", run).isEqualTo(same.pass());
    }
    assertThat(overflows).as("overflows").hasValueGreaterThan(RUNS);
    assertThat(failed).as("failed schedulers").isPositive();
    assertThat(undone).as("schedulers that go on").isPositive();
  }

  private static List<Consumer<Cluster>> calls() {
    List<Consumer<Cluster>> calls = new ArrayList<>(FaultTrials.events().values());
    calls.add(5, Cluster::pass);
    calls.add(Cluster::pass);
    return calls;
  }

  // ---- The end of the stack

  private interface Attempt {
    /** Tries once more; returns whether it was the last time. */
    boolean again();
  }

  @SuppressWarnings("InfiniteRecursion") // the stack ends it
  private static boolean atTheEnd(Attempt attempt, int stride, int level, AtomicInteger overflows) {
    boolean last;
    try {
      last = atTheEnd(attempt, stride, level + 1, overflows);
    } catch (StackOverflowError end) {
      last = false;
    }
    if (last || level % stride != 0) {
      return last;
    }
    try {
      return attempt.again();
    } catch (StackOverflowError | RuntimeException failed) {
      overflows.incrementAndGet();
      return false;
    }
  }

  private static @Nullable Throwable onShortStack(int run, FaultTrials.OnCluster trial) {
    trial.prepare();
    return onShortStack(run, trial::run);
  }

  /** Runs work on a thread whose stack ends soon. Returns what it threw, or null. */
  private static @Nullable Throwable onShortStack(int run, Runnable work) {
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                shift(run % 37, work);
              } catch (Throwable caught) {
                thrown.set(caught);
              }
            },
            "short",
            STACK + run % 5 * 4096L);
    thread.start();
    Threads.join(thread);
    return thrown.get();
  }

  private static void shift(int frames, Runnable work) {
    if (frames == 0) {
      work.run();
    } else {
      shift(frames - 1, work);
    }
  }
}

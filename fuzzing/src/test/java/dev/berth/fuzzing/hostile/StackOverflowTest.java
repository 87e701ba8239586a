package dev.berth.fuzzing.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import dev.berth.core.error.SchedulerFailedException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A pass that overflows the stack, wherever the stack ends, is undone, or the scheduler has failed.
 */
class StackOverflowTest {

  private static final int RUNS = 40;
  private static final int MOST_RUNS = 100 * RUNS; // until both endings were met
  private static final long STACK = 200_000; // bytes

  @ParameterizedTest
  @ValueSource(strings = {"qos-driven", "priority", "bin-packing"})
  void passThatOverflowsTheStackIsUndoneOrEndsTheScheduler(String policy) throws Exception {
    Plan expected = scheduler(policy).schedule(2);
    int undone = 0;
    int failed = 0;
    for (int run = 0; run < RUNS || (undone * failed == 0 && run < MOST_RUNS); run++) {
      Scheduler scheduler = scheduler(policy);
      int stride = 1 + 2 * run;
      AtomicReference<@Nullable Plan> plan = new AtomicReference<>();
      Thread thread =
          new Thread(null, () -> passAtTheEnd(scheduler, stride, 0, plan), "short", STACK);
      thread.start();
      thread.join();
      if (plan.get() != null) {
        assertThat(plan.get()).as("the plan of run %d", run).isEqualTo(expected);
        StateLaws.check(scheduler);
        undone++;
      } else {
        assertThatExceptionOfType(SchedulerFailedException.class)
            .as("run %d", run)
            .isThrownBy(() -> scheduler.cancel("new0", 2));
        failed++;
      }
    }
    assertThat(undone).as("undone passes").isPositive();
    assertThat(failed).as("failed schedulers").isPositive();
  }

  /** Overflows the stack, then runs a pass at some levels from the deepest, until one succeeds. */
  @SuppressWarnings("InfiniteRecursion") // the stack ends it
  private static void passAtTheEnd(
      Scheduler scheduler, int stride, int level, AtomicReference<@Nullable Plan> plan) {
    try {
      passAtTheEnd(scheduler, stride, level + 1, plan);
    } catch (StackOverflowError end) {
      // now there is room for some frames
    }
    if (level % stride == 0 && plan.get() == null) {
      try {
        plan.set(scheduler.schedule(2));
      } catch (StackOverflowError | SchedulerFailedException failed) {
        // again with more room
      }
    }
  }

  private static Scheduler scheduler(String policy) {
    Scheduler scheduler =
        Scheduler.builder()
            .policy(policy)
            .serviceClasses(
                ServiceClass.builder("gold").build(),
                ServiceClass.builder("bronze").slo(0.5).importance(2).build())
            .build();
    for (int i = 0; i < 6; i++) {
      scheduler.addHost(new HostSpec("h" + i, cores(4)), 0);
      scheduler.submit(Request.builder("old" + i, "bronze").demand(cores(3)).build(), 0);
    }
    scheduler.schedule(0).placements().forEach(each -> scheduler.started(each.instance(), 1));
    for (int i = 0; i < 6; i++) {
      scheduler.submit(Request.builder("new" + i, "gold").demand(cores(1 + i % 4)).build(), 2);
    }
    return scheduler;
  }

  private static Resources cores(long cores) {
    return Resources.of(Dimension.CPU, cores * 1_000_000_000);
  }
}

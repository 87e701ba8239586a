package dev.berth.kubernetes.lab;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that runs tasks one after another. What only its tasks touch needs no lock. */
final class LabLoop implements Executor, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LabLoop.class);

  private final ScheduledThreadPoolExecutor executor;

  LabLoop(String name) {
    executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            },
            // After the end, answers and events that are still under way are dropped.
            (task, pool) -> {});
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public void execute(Runnable task) {
    executor.execute(() -> run(task));
  }

  /** Runs a task later, unless it is cancelled. */
  Future<?> schedule(Duration delay, Runnable task) {
    return executor.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A task of {} failed", Thread.currentThread().getName(), e);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}

package dev.berth.kubernetes.tasks;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that runs tasks one after another. What only its tasks touch needs no lock. */
public final class TaskThread implements Executor, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TaskThread.class);

  private final ScheduledThreadPoolExecutor executor;

  /**
   * Starts the thread.
   *
   * @param name the name of the thread
   */
  public TaskThread(String name) {
    executor =
        new ScheduledThreadPoolExecutor(
            1,
            daemons(name),
            // After the end, answers and events that are still under way are dropped.
            (task, pool) -> {});
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Returns what makes threads of a name that do not keep the JVM running. */
  public static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  @Override
  public void execute(Runnable task) {
    executor.execute(() -> run(task));
  }

  /** Runs a task later, unless it is cancelled. */
  public Future<?> schedule(Duration delay, Runnable task) {
    return executor.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Runs a task again and again, with a pause after each end. */
  public Future<?> repeat(Duration pause, Runnable task) {
    return executor.scheduleWithFixedDelay(
        () -> run(task), pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
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

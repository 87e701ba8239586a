package dev.berth.experiments.run;

import static dev.berth.api.Arguments.refuseIf;

import com.google.common.base.Throwables;
import com.google.common.util.concurrent.Uninterruptibles;
import dev.berth.experiments.run.ExperimentRunner.Listener;
import dev.berth.experiments.store.CellStore;
import dev.berth.experiments.store.JobFile;
import dev.berth.simulator.Progress;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.metrics.AvailabilityFile;
import dev.berth.simulator.metrics.MetricsCollector;
import dev.berth.simulator.result.RequestOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Runs cells on threads of this process. */
public final class LocalCells implements CellExecutor {

  private final int parallel;

  /**
   * Creates an executor.
   *
   * @param parallel number of cells that run at a time; 1 or more
   */
  public LocalCells(int parallel) {
    refuseIf(parallel < 1, "parallel was %s, must be 1 or more.", parallel);
    this.parallel = parallel;
  }

  @Override
  public Map<String, RunOutcome.Failed> run(
      Map<String, Cell> cells, CellStore store, boolean recordsJobs, Listener listener) {
    Task task = new Task(store, recordsJobs, listener);
    Queue queue = new Queue(cells.entrySet().iterator());
    Map<String, RunOutcome.Failed> failures = new ConcurrentHashMap<>();
    ExecutorService threads = Executors.newFixedThreadPool(parallel);
    try {
      CompletionService<Boolean> workers = new ExecutorCompletionService<>(threads);
      for (int i = 0; i < parallel; i++) {
        workers.submit(
            () -> {
              for (var next = queue.next(); next.isPresent(); next = queue.next()) {
                String key = next.get().getKey();
                task.run(key, next.get().getValue()).ifPresent(failed -> failures.put(key, failed));
              }
              return true;
            });
      }
      for (int i = 0; i < parallel; i++) {
        await(workers);
      }
      return failures;
    } finally {
      threads.shutdownNow(); // after a failure: interrupts the other runs
      Uninterruptibles.awaitTerminationUninterruptibly(threads);
    }
  }

  /** The cells that no thread has begun. */
  private record Queue(Iterator<Map.Entry<String, Cell>> cells) {

    synchronized Optional<Map.Entry<String, Cell>> next() {
      return cells.hasNext() ? Optional.of(cells.next()) : Optional.empty();
    }
  }

  /** Waits until a thread has ended: at once if it failed. */
  private static void await(CompletionService<Boolean> workers) {
    try {
      workers.take().get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted during runs.", interrupted);
    } catch (ExecutionException failure) {
      Throwable cause = Objects.requireNonNull(failure.getCause());
      Throwables.throwIfUnchecked(cause);
      throw new IllegalStateException(cause);
    }
  }

  /** Runs one cell after another on each thread. */
  private record Task(CellStore store, boolean recordsJobs, Listener listener) {

    Optional<RunOutcome.Failed> run(String key, Cell cell) {
      Progress progress;
      synchronized (listener) {
        progress = listener.starts(cell);
      }
      RunOutcome outcome;
      try {
        outcome = runAndKeep(key, cell, progress);
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
      synchronized (listener) {
        listener.ends(cell, outcome);
      }
      return outcome instanceof RunOutcome.Failed failed ? Optional.of(failed) : Optional.empty();
    }

    private RunOutcome runAndKeep(String key, Cell cell, Progress progress) throws IOException {
      Path draft = store.draft(key);
      List<String> classes =
          cell.setting().settings().scenario().workload().serviceClasses().stream()
              .sorted(MetricsCollector.MOST_IMPORTANT_FIRST)
              .map(each -> each.name())
              .toList();
      List<SimulationListener> listeners;
      synchronized (listener) {
        listeners = new ArrayList<>(listener.observers(cell));
      }
      RunOutcome outcome;
      try (AvailabilityFile.Writer availabilities = new AvailabilityFile.Writer(draft, classes);
          JobFile.Writer jobs = recordsJobs ? new JobFile.Writer(store.jobsDraft(key)) : null) {
        listeners.add(
            SimulationListener.onRequestEnded(
                each -> {
                  add(each, availabilities, jobs);
                  listener.ends(cell, each);
                }));
        outcome = cell.run(stoppable(progress), listeners);
      }
      if (outcome instanceof RunOutcome.Finished finished) {
        store.keep(key, finished.metrics(), recordsJobs);
      } else {
        Files.delete(draft);
        Files.deleteIfExists(store.jobsDraft(key));
      }
      return outcome;
    }

    private static Progress stoppable(Progress progress) {
      return (simulated, fraction) -> {
        if (Thread.currentThread().isInterrupted()) {
          throw new CancellationException("another run failed.");
        }
        progress.reached(simulated, fraction);
      };
    }

    private static void add(
        RequestOutcome outcome,
        AvailabilityFile.Writer availabilities,
        JobFile.@Nullable Writer jobs) {
      try {
        availabilities.add(outcome);
        if (jobs != null) {
          jobs.add(outcome);
        }
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }
}

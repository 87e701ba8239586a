package dev.berth.experiments;

import com.google.common.util.concurrent.Uninterruptibles;
import dev.berth.simulator.Progress;
import dev.berth.simulator.RequestOutcome;
import dev.berth.simulator.metrics.AvailabilityFile;
import dev.berth.simulator.metrics.MetricsCollector;
import dev.berth.simulator.metrics.RunMetrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs the cells of an experiment that its store does not have yet. The result depends on the
 * experiment alone: not on how many cells run at a time, nor on what was in the store before.
 */
public final class ExperimentRunner {

  private final CellStore store;
  private final int parallel;
  private final Listener listener;

  /**
   * A runner.
   *
   * @param store where cells are kept; not closed
   * @param parallel how many cells run at a time; 1 or more
   * @param listener is told what happens
   */
  public ExperimentRunner(CellStore store, int parallel, Listener listener) {
    if (parallel < 1) {
      throw new IllegalArgumentException("parallel was %s, must be 1 or more.".formatted(parallel));
    }
    this.store = store;
    this.parallel = parallel;
    this.listener = listener;
  }

  /** Is told how an experiment goes on; by several threads, one at a time. */
  public interface Listener {

    /** Nobody listens. */
    Listener NOBODY =
        new Listener() {
          @Override
          public void begins(int toRun, int kept) {}

          @Override
          public Progress starts(Cell cell) {
            return (simulated, fraction) -> {};
          }

          @Override
          public void ends(Cell cell, RunOutcome outcome) {}
        };

    /**
     * It begins.
     *
     * @param toRun how many cells are to be run
     * @param kept how many are there from before
     */
    void begins(int toRun, int kept);

    /** A cell starts. Returns what is told how far it has come, by the thread that runs it. */
    Progress starts(Cell cell);

    /** A cell has ended. */
    void ends(Cell cell, RunOutcome outcome);
  }

  /**
   * Runs what is missing.
   *
   * @return one result for each cell of the experiment, in order
   * @throws UncheckedIOException if the store cannot be read or written
   */
  public List<CellResult> run(Experiment experiment) {
    List<Cell> cells = experiment.cells();
    List<String> keys = cells.stream().map(CellKey::of).toList();
    Map<String, RunOutcome> outcomes = new HashMap<>();
    Map<String, Cell> missing = new LinkedHashMap<>(); // cells with one key are one
    for (int i = 0; i < cells.size(); i++) {
      String key = keys.get(i);
      if (!missing.containsKey(key) && !outcomes.containsKey(key)) {
        Optional<RunMetrics> kept = find(key);
        kept.ifPresent(metrics -> outcomes.put(key, new RunOutcome.Finished(metrics)));
        if (kept.isEmpty()) {
          missing.put(key, cells.get(i));
        }
      }
    }
    listener.begins(missing.size(), outcomes.size());
    outcomes.putAll(runAll(missing));
    List<CellResult> results = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      String key = keys.get(i);
      results.add(
          new CellResult(
              cells.get(i), Objects.requireNonNull(outcomes.get(key)), store.availabilities(key)));
    }
    return results;
  }

  private Optional<RunMetrics> find(String key) {
    try {
      return store.find(key);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private Map<String, RunOutcome> runAll(Map<String, Cell> missing) {
    ExecutorService threads = Executors.newFixedThreadPool(parallel);
    try {
      Map<String, Future<RunOutcome>> running = new LinkedHashMap<>();
      missing.forEach(
          (key, cell) -> {
            Callable<RunOutcome> work = () -> run(key, cell);
            running.put(key, threads.submit(work));
          });
      Map<String, RunOutcome> outcomes = new HashMap<>();
      for (var each : running.entrySet()) {
        outcomes.put(each.getKey(), await(each.getValue()));
      }
      return outcomes;
    } finally {
      threads.shutdownNow(); // after a failure: what is under way stops where it is
      Uninterruptibles.awaitTerminationUninterruptibly(threads);
    }
  }

  private static RunOutcome await(Future<RunOutcome> running) {
    try {
      return running.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while runs were under way.", interrupted);
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      if (failure.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException(failure.getCause());
    }
  }

  private RunOutcome run(String key, Cell cell) {
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
    return outcome;
  }

  private RunOutcome runAndKeep(String key, Cell cell, Progress progress) throws IOException {
    Path draft = store.draft(key);
    List<String> classes =
        cell.setting().settings().scenario().workload().serviceClasses().stream()
            .sorted(MetricsCollector.MOST_IMPORTANT_FIRST)
            .map(each -> each.name())
            .toList();
    RunOutcome outcome;
    try (AvailabilityFile.Writer availabilities = new AvailabilityFile.Writer(draft, classes)) {
      outcome = cell.run(stoppable(progress), each -> add(availabilities, each));
    }
    if (outcome instanceof RunOutcome.Finished finished) {
      store.keep(key, finished.metrics());
    } else {
      Files.delete(draft);
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

  private static void add(AvailabilityFile.Writer availabilities, RequestOutcome outcome) {
    try {
      availabilities.add(outcome);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}

package dev.berth.experiments.run;

import static dev.berth.api.Arguments.refuseIf;

import com.google.common.base.Throwables;
import com.google.common.util.concurrent.Uninterruptibles;
import dev.berth.experiments.store.CellStore;
import dev.berth.experiments.store.JobFile;
import dev.berth.simulator.Progress;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.metrics.AvailabilityFile;
import dev.berth.simulator.metrics.MetricsCollector;
import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.result.RequestOutcome;
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
import org.jspecify.annotations.Nullable;

/**
 * Runs the cells of an experiment that its store lacks. The result depends only on the experiment:
 * not on the number of parallel runs, nor on the initial content of the store.
 */
public final class ExperimentRunner {

  private final CellStore store;
  private final int parallel;
  private final Listener listener;
  private final boolean recordsJobs;

  /**
   * Creates a runner that does not record the jobs.
   *
   * @param store stores the cells; not closed
   * @param parallel number of cells that run at a time; 1 or more
   * @param listener receives the progress
   */
  public ExperimentRunner(CellStore store, int parallel, Listener listener) {
    this(store, parallel, listener, false);
  }

  /**
   * Creates a runner.
   *
   * @param store stores the cells; not closed
   * @param parallel number of cells that run at a time; 1 or more
   * @param listener receives the progress
   * @param recordsJobs whether to store the {@linkplain CellResult#jobs jobs} of each cell. A cell
   *     that was stored without them runs again.
   */
  public ExperimentRunner(CellStore store, int parallel, Listener listener, boolean recordsJobs) {
    refuseIf(parallel < 1, "parallel was %s, must be 1 or more.", parallel);
    this.store = store;
    this.parallel = parallel;
    this.listener = listener;
    this.recordsJobs = recordsJobs;
  }

  /** Receives the progress of an experiment. Several threads call it, one at a time. */
  public interface Listener {

    /** Ignores all progress. */
    Listener NONE = new Listener() {};

    /**
     * The experiment begins.
     *
     * @param toRun number of cells to run
     * @param kept number of cells already stored
     */
    default void begins(int toRun, int kept) {}

    /**
     * A cell starts. Returns the listener for its progress, which the thread that runs the cell
     * calls.
     */
    default Progress starts(Cell cell) {
      return (simulated, fraction) -> {};
    }

    /**
     * Returns what hears all that happens in a cell that is about to run; by default nothing. The
     * thread that runs the cell calls it.
     */
    default List<SimulationListener> observers(Cell cell) {
      return List.of();
    }

    /** A cell has ended. */
    default void ends(Cell cell, RunOutcome outcome) {}

    /**
     * A request of a cell that runs has ended, or is unfinished at the end of the run; by default
     * ignored. The threads of cells that run in parallel call it at the same time.
     */
    default void ends(Cell cell, RequestOutcome outcome) {}
  }

  /**
   * Runs the missing cells.
   *
   * @return one result for each cell of the experiment, in order
   * @throws UncheckedIOException if the store cannot be read or written
   */
  public List<CellResult> run(Experiment experiment) {
    return run(experiment, Shard.WHOLE);
  }

  /**
   * Runs the missing cells of a part.
   *
   * @return one result for each cell of the part, in the order of the experiment; possibly empty
   * @throws UncheckedIOException if the store cannot be read or written
   */
  public List<CellResult> run(Experiment experiment, Shard part) {
    List<Keyed> cells =
        experiment.cells().stream()
            .map(each -> new Keyed(CellKey.of(each), each))
            .filter(each -> part.includes(each.key()))
            .toList();
    Map<String, RunOutcome> outcomes = new HashMap<>();
    Map<String, Cell> missing = new LinkedHashMap<>(); // cells with the same key run once
    for (Keyed each : cells) {
      String key = each.key();
      if (!missing.containsKey(key) && !outcomes.containsKey(key)) {
        Optional<RunMetrics> kept = find(key);
        kept.ifPresent(metrics -> outcomes.put(key, new RunOutcome.Finished(metrics)));
        if (kept.isEmpty()) {
          missing.put(key, each.cell());
        }
      }
    }
    listener.begins(missing.size(), outcomes.size());
    outcomes.putAll(runAll(missing));
    return cells.stream().map(each -> result(each, outcomes)).toList();
  }

  private CellResult result(Keyed keyed, Map<String, RunOutcome> outcomes) {
    String key = keyed.key();
    RunOutcome outcome = Objects.requireNonNull(outcomes.get(key));
    boolean hasJobs = recordsJobs && outcome instanceof RunOutcome.Finished;
    return new CellResult(
        keyed.cell(),
        outcome,
        store.availabilities(key),
        hasJobs ? Optional.of(store.jobs(key)) : Optional.empty());
  }

  /** A cell and its digest. */
  private record Keyed(String key, Cell cell) {}

  private Optional<RunMetrics> find(String key) {
    try {
      return store.find(key, recordsJobs);
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
      threads.shutdownNow(); // after a failure: interrupts the other runs
      Uninterruptibles.awaitTerminationUninterruptibly(threads);
    }
  }

  private static RunOutcome await(Future<RunOutcome> running) {
    try {
      return running.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted during runs.", interrupted);
    } catch (ExecutionException failure) {
      Throwable cause = Objects.requireNonNull(failure.getCause());
      Throwables.throwIfUnchecked(cause);
      throw new IllegalStateException(cause);
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

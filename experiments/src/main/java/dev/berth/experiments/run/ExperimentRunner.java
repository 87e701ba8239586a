package dev.berth.experiments.run;

import dev.berth.experiments.store.CellStore;
import dev.berth.experiments.store.StoredCell;
import dev.berth.simulator.Progress;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.result.RequestOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the cells of an experiment that its store lacks. The result depends only on the experiment:
 * not on the number of parallel runs, nor on the initial content of the store.
 */
public final class ExperimentRunner {

  private final CellStore store;
  private final CellExecutor where;
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
   * @param recordsJobs whether to store the jobs of each cell. A cell that was stored without them
   *     runs again.
   */
  public ExperimentRunner(CellStore store, int parallel, Listener listener, boolean recordsJobs) {
    this(store, new LocalCells(parallel), listener, recordsJobs);
  }

  /**
   * Creates a runner.
   *
   * @param store stores the cells; not closed
   * @param where runs the cells
   * @param listener receives the progress
   * @param recordsJobs whether to store the jobs of each cell. A cell that was stored without them
   *     runs again.
   */
  public ExperimentRunner(
      CellStore store, CellExecutor where, Listener listener, boolean recordsJobs) {
    this.store = store;
    this.where = where;
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
            .map(each -> new Keyed(each.digest(), each))
            .filter(each -> part.includes(each.key()))
            .toList();
    Map<String, StoredCell> stored = new HashMap<>();
    Map<String, Cell> missing = new LinkedHashMap<>(); // cells with the same key run once
    for (Keyed each : cells) {
      String key = each.key();
      if (!missing.containsKey(key) && !stored.containsKey(key)) {
        find(key)
            .ifPresentOrElse(found -> stored.put(key, found), () -> missing.put(key, each.cell()));
      }
    }
    listener.begins(missing.size(), stored.size());
    Map<String, RunOutcome.Failed> failures = where.run(missing, store, recordsJobs, listener);
    for (String each : missing.keySet()) {
      if (!failures.containsKey(each)) {
        stored.put(each, find(each).orElseThrow());
      }
    }
    return cells.stream()
        .map(
            each ->
                new CellResult(
                    each.cell(),
                    Optional.ofNullable(stored.get(each.key())),
                    Optional.ofNullable(failures.get(each.key()))))
        .toList();
  }

  /** A cell and its digest. */
  private record Keyed(String key, Cell cell) {}

  private Optional<StoredCell> find(String key) {
    try {
      return store.find(key, recordsJobs);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}

package dev.berth.experiments.run;

import dev.berth.experiments.store.CellStore;
import java.util.Map;

/** Where the cells of an experiment run. */
@FunctionalInterface
public interface CellExecutor {

  /**
   * Runs cells, and stores those that finish.
   *
   * @param cells by their digest
   * @param store keeps them
   * @param recordsJobs whether to store the jobs of each cell
   * @param listener receives the progress, one call at a time
   * @return the failures, by the digest of the cell; all others are stored
   * @throws java.io.UncheckedIOException if the store cannot be written or an input cannot be read
   * @throws ExperimentFailedException if the cells cannot run there
   */
  Map<String, RunOutcome.Failed> run(
      Map<String, Cell> cells,
      CellStore store,
      boolean recordsJobs,
      ExperimentRunner.Listener listener);
}

package dev.berth.experiments.run;

import dev.berth.experiments.store.StoredCell;
import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.result.RunResult;
import java.util.Optional;

/**
 * The result of one cell: how one policy fared in one case. The measurements stay in the store, and
 * each call reads them, so that memory does not depend on their size.
 *
 * @param cell the cell that ran
 * @param stored what is stored of the run; empty if it failed
 * @param failed why the run failed; empty if it finished
 */
public record CellResult(
    Cell cell, Optional<StoredCell> stored, Optional<RunOutcome.Failed> failed) {

  /** Returns the result of a run that finished. */
  public static CellResult of(Cell cell, StoredCell stored) {
    return new CellResult(cell, Optional.of(stored), Optional.empty());
  }

  /** Returns the result of a run that failed. */
  public static CellResult of(Cell cell, RunOutcome.Failed failed) {
    return new CellResult(cell, Optional.empty(), Optional.of(failed));
  }

  /** Returns the policy that ran. */
  public ComparedPolicy policy() {
    return cell.policy();
  }

  /**
   * Returns the measurements if the run finished.
   *
   * @throws java.io.UncheckedIOException if they cannot be read
   */
  public Optional<RunMetrics> metrics() {
    return stored.map(StoredCell::metrics);
  }

  /**
   * Returns the totals of the run if it finished. Much faster than {@link #metrics}.
   *
   * @throws java.io.UncheckedIOException if they cannot be read
   */
  public Optional<RunResult> totals() {
    return stored.map(StoredCell::totals);
  }

  /** Returns why the run failed, in one line; empty if it finished. */
  public Optional<String> failure() {
    return failed.map(RunOutcome.Failed::why);
  }
}

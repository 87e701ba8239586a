package dev.berth.experiments.run;

import dev.berth.experiments.store.JobFile;
import dev.berth.experiments.store.RequestLife;
import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.result.RunResult;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The result of one cell: how one policy fared in one case.
 *
 * @param cell the cell that ran
 * @param outcome outcome of its run
 * @param availabilities availability of each request, in an {@link
 *     dev.berth.simulator.metrics.AvailabilityFile}; undefined if the run failed
 * @param jobs the {@link RequestLife} of each request, in a {@link JobFile}; empty if they were not
 *     recorded, or if the run failed
 */
public record CellResult(Cell cell, RunOutcome outcome, Path availabilities, Optional<Path> jobs) {

  /** Creates a result whose jobs were not recorded. */
  public CellResult(Cell cell, RunOutcome outcome, Path availabilities) {
    this(cell, outcome, availabilities, Optional.empty());
  }

  /** Returns the policy that ran. */
  public ComparedPolicy policy() {
    return cell.policy();
  }

  /** Returns the measurements if the run finished. */
  public Optional<RunMetrics> metrics() {
    return outcome instanceof RunOutcome.Finished finished
        ? Optional.of(finished.metrics())
        : Optional.empty();
  }

  /** Returns the totals of the run if it finished. */
  public Optional<RunResult> totals() {
    return metrics().map(RunMetrics::result);
  }

  /** Returns why the run failed, in one line; empty if it finished. */
  public Optional<String> failure() {
    return outcome instanceof RunOutcome.Failed failed
        ? Optional.of(failed.why())
        : Optional.empty();
  }
}

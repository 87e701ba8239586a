package dev.berth.experiments;

import dev.berth.simulator.metrics.RunMetrics;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The result of one cell.
 *
 * @param cell the cell that ran
 * @param outcome outcome of its run
 * @param availabilities availability of each request, in an {@link
 *     dev.berth.simulator.metrics.AvailabilityFile}; undefined if the run failed
 */
public record CellResult(Cell cell, RunOutcome outcome, Path availabilities) {

  /** Returns the measurements if the run finished. */
  public Optional<RunMetrics> metrics() {
    return outcome instanceof RunOutcome.Finished finished
        ? Optional.of(finished.metrics())
        : Optional.empty();
  }
}

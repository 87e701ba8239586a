package dev.berth.experiments;

import dev.berth.simulator.metrics.RunMetrics;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What became of one cell.
 *
 * @param cell what was run
 * @param outcome what became of it
 * @param availabilities what each request got, an {@link
 *     dev.berth.simulator.metrics.AvailabilityFile}; of no meaning if it failed
 */
public record CellResult(Cell cell, RunOutcome outcome, Path availabilities) {

  /** Returns what was measured, if the run came to its end. */
  public Optional<RunMetrics> metrics() {
    return outcome instanceof RunOutcome.Finished finished
        ? Optional.of(finished.metrics())
        : Optional.empty();
  }
}

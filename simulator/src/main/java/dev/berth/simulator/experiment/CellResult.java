package dev.berth.simulator.experiment;

import java.nio.file.Path;

/**
 * What became of one cell.
 *
 * @param cell what was run
 * @param outcome what became of it
 * @param availabilities what each request got, an {@link
 *     dev.berth.simulator.metrics.AvailabilityFile}; of no meaning if it failed
 */
public record CellResult(Cell cell, RunOutcome outcome, Path availabilities) {}

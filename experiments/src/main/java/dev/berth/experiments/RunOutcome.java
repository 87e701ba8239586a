package dev.berth.experiments;

import dev.berth.simulator.metrics.RunMetrics;

/** What became of one run. */
public sealed interface RunOutcome {

  /**
   * It came to its end.
   *
   * @param metrics what was measured
   */
  record Finished(RunMetrics metrics) implements RunOutcome {}

  /**
   * The policy could not be made, or threw in a pass.
   *
   * @param why what happened, in a line
   * @param failure what it threw
   */
  record Failed(String why, Throwable failure) implements RunOutcome {}
}

package dev.berth.experiments.run;

import dev.berth.simulator.metrics.RunMetrics;

/** The outcome of one run. */
public sealed interface RunOutcome {

  /**
   * The run finished.
   *
   * @param metrics the measurements
   */
  record Finished(RunMetrics metrics) implements RunOutcome {}

  /**
   * The policy could not be created, or threw in a pass.
   *
   * @param why the reason, in one line
   * @param failure the exception
   */
  record Failed(String why, Throwable failure) implements RunOutcome {}
}

package dev.berth.cli;

import dev.berth.simulator.Progress;
import dev.berth.simulator.experiment.Cell;
import dev.berth.simulator.experiment.ExperimentRunner;
import dev.berth.simulator.experiment.RunOutcome;

/** Shows how far the runs of a comparison have come, one after the other. */
record RunWatcher(Watcher watcher) implements ExperimentRunner.Listener {

  @Override
  public void begins(int toRun, int kept) {}

  @Override
  public Progress starts(Cell cell) {
    return watcher.begin(cell.contender().label());
  }

  @Override
  public void ends(Cell cell, RunOutcome outcome) {
    watcher.end();
  }
}

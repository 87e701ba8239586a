package dev.berth.cli.terminal;

import dev.berth.core.config.Durations;
import dev.berth.experiments.Cell;
import dev.berth.experiments.ExperimentRunner;
import dev.berth.experiments.RunOutcome;
import dev.berth.simulator.Progress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Shows the progress of the runs of a comparison, and how long each took. */
public final class RunWatcher implements ExperimentRunner.Listener {

  private final Watcher watcher;
  private final Optional<PrintWriter> target;
  private final LongSupplier clock;
  private long startedAt;

  /**
   * Creates a watcher.
   *
   * @param watcher shows the progress
   * @param target where the durations are printed; empty: nowhere
   * @param clock in nanoseconds
   */
  public RunWatcher(Watcher watcher, Optional<PrintWriter> target, LongSupplier clock) {
    this.watcher = watcher;
    this.target = target;
    this.clock = clock;
  }

  @Override
  public void begins(int toRun, int kept) {}

  @Override
  public Progress starts(Cell cell) {
    startedAt = clock.getAsLong();
    return watcher.begin(cell.policy().label());
  }

  @Override
  public void ends(Cell cell, RunOutcome outcome) {
    watcher.end();
    if (outcome instanceof RunOutcome.Finished && target.isPresent()) {
      Duration took = Duration.ofMillis((clock.getAsLong() - startedAt) / 1_000_000);
      target.get().printf("%s took %s.%n", cell.policy().label(), Durations.format(took));
      target.get().flush();
    }
  }
}

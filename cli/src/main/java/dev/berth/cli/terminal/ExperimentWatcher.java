package dev.berth.cli.terminal;

import dev.berth.core.config.Durations;
import dev.berth.experiments.Case;
import dev.berth.experiments.Cell;
import dev.berth.experiments.ExperimentRunner;
import dev.berth.experiments.RunOutcome;
import dev.berth.report.Numbers;
import dev.berth.report.render.Printable;
import dev.berth.simulator.Progress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Prints a line for each run of an experiment that ends, with an estimate of the time left. */
public final class ExperimentWatcher implements ExperimentRunner.Listener {

  private final PrintWriter target;
  private final int parallel;
  private final LongSupplier clock;
  private final Map<String, Long> startedAt = new HashMap<>(); // by case and policy
  private int toRun;
  private int ended;
  private long spent; // by runs, in nanoseconds

  /**
   * Creates a watcher.
   *
   * @param target where it prints
   * @param parallel number of runs at a time
   * @param clock in nanoseconds
   */
  public ExperimentWatcher(PrintWriter target, int parallel, LongSupplier clock) {
    this.target = target;
    this.parallel = parallel;
    this.clock = clock;
  }

  @Override
  public void begins(int newCells, int kept) {
    toRun = newCells;
    if (kept > 0) {
      target.printf("%s of %s runs are stored already.%n", kept, kept + newCells);
      target.flush();
    }
  }

  @Override
  public Progress starts(Cell cell) {
    startedAt.put(name(cell), clock.getAsLong());
    return (simulated, fraction) -> {};
  }

  @Override
  public void ends(Cell cell, RunOutcome outcome) {
    long now = clock.getAsLong();
    long took = now - startedAt.getOrDefault(name(cell), now);
    spent += took;
    ended++;
    int left = toRun - ended;
    Case setting = cell.setting();
    target.printf(
        "[%s/%s] %s: %s on %s x %s, seed %s: %s%s%n",
        ended,
        toRun,
        Printable.line(cell.policy().label()),
        Printable.line(setting.workload()),
        Printable.line(setting.infrastructure()),
        Numbers.plain(setting.scale()),
        setting.seed(),
        outcome instanceof RunOutcome.Failed ? "failed" : seconds(took),
        left == 0 ? "" : ", about " + seconds(spent / ended * left / parallel) + " left");
    target.flush();
  }

  private static String name(Cell cell) {
    return cell.setting().number() + " " + cell.policy().label();
  }

  private static String seconds(long nanos) {
    return Durations.format(Duration.ofSeconds(Math.max(1, TimeUnit.NANOSECONDS.toSeconds(nanos))));
  }
}

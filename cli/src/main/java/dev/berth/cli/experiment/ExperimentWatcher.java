package dev.berth.cli.experiment;

import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.Cell;
import dev.berth.experiments.run.ExperimentRunner;
import dev.berth.experiments.run.RunOutcome;
import dev.berth.report.Numbers;
import dev.berth.simulator.Progress;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Shows how many runs of an experiment have ended, with an estimate of the time left. */
public final class ExperimentWatcher implements ExperimentRunner.Listener {

  private final ProgressDisplay display;
  private final PrintWriter target;
  private final String name;
  private final Map<String, Double> running = new LinkedHashMap<>(); // fraction of each
  private int kept;
  private int toRun;
  private int ended;
  private int failed;

  /**
   * Creates a watcher.
   *
   * @param display shows the progress
   * @param target where the number of stored runs is printed
   * @param name of the experiment
   */
  public ExperimentWatcher(ProgressDisplay display, PrintWriter target, String name) {
    this.display = display;
    this.target = target;
    this.name = name;
  }

  @Override
  public synchronized void begins(int newCells, int keptCells) {
    kept += keptCells; // a study may consist of several experiments
    toRun += newCells;
    if (keptCells > 0) {
      target.printf("%s of %s runs are stored already.%n", keptCells, keptCells + newCells);
      target.flush();
    }
    if (newCells > 0) {
      display.begin(name);
      show();
    }
  }

  @Override
  public synchronized Progress starts(Cell cell) {
    String run = describe(cell);
    reached(run, 0);
    return (simulated, fraction) -> reached(run, fraction.orElse(0));
  }

  @Override
  public synchronized void ends(Cell cell, RunOutcome outcome) {
    running.remove(describe(cell));
    ended++;
    failed += outcome instanceof RunOutcome.Failed ? 1 : 0;
    if (ended < toRun) {
      show();
    } else {
      display.end();
    }
  }

  /** Returns the number of stored runs, in words: {@code "212 of 560 runs"}. */
  public synchronized String stored() {
    return "%s of %s runs".formatted(kept + ended - failed, kept + toRun);
  }

  private synchronized void reached(String run, double fraction) {
    running.put(run, fraction);
    show();
  }

  private void show() {
    double done = ended + running.values().stream().mapToDouble(Double::doubleValue).sum();
    List<String> details = new ArrayList<>();
    details.add("%s of %s runs".formatted(kept + ended, kept + toRun));
    if (failed > 0) {
      details.add(failed + " failed");
    }
    running.keySet().stream().findFirst().ifPresent(details::add);
    display.reached(OptionalDouble.of(done / toRun), details.toArray(String[]::new));
  }

  private static String describe(Cell cell) {
    Case setting = cell.setting();
    return "%s: %s on %s x %s, seed %s"
        .formatted(
            cell.policy().label(),
            setting.workload(),
            setting.infrastructure(),
            setting.withVariant(Numbers.plain(setting.scale())),
            setting.seed());
  }
}

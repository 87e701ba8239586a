package dev.berth.cli.compare;

import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.cli.terminal.ProgressText;
import dev.berth.core.config.Durations;
import dev.berth.experiments.run.Cell;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.ExperimentRunner;
import dev.berth.experiments.run.RunOutcome;
import dev.berth.experiments.run.SimulatedTimeline;
import dev.berth.report.Numbers;
import dev.berth.report.render.Printable;
import dev.berth.simulator.Progress;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Shows the progress of the runs of a comparison, and the main figures of each when it ends. */
public final class RunWatcher implements ExperimentRunner.Listener {

  private static final int DIGITS = 3;

  /** Shorter times are printed to the millisecond. */
  private static final Duration EXACT = Duration.ofSeconds(10);

  private final ProgressDisplay display;
  private final Optional<PrintWriter> target;
  private final LongSupplier clock;
  private final boolean recordsTimelines;
  private final Map<ComparedPolicy, SimulatedTimeline> timelines = new LinkedHashMap<>();
  private final LowestServed lowest = new LowestServed();
  private volatile int runs;
  private int started;
  private final AtomicInteger ended = new AtomicInteger();
  private long startedAt;

  /**
   * Creates a watcher.
   *
   * @param display shows the progress, and in long comparisons the figures of ended runs
   * @param target where the figures are printed at once; empty: on the display
   * @param clock in nanoseconds
   * @param recordsTimelines whether it records what runs where and when under each policy
   */
  public RunWatcher(
      ProgressDisplay display,
      Optional<PrintWriter> target,
      LongSupplier clock,
      boolean recordsTimelines) {
    this.display = display;
    this.target = target;
    this.clock = clock;
    this.recordsTimelines = recordsTimelines;
  }

  @Override
  public void begins(int toRun, int kept) {
    runs = toRun;
  }

  @Override
  public Progress starts(Cell cell) {
    started++;
    startedAt = clock.getAsLong();
    return display.beginSimulation(
        "%s (%s of %s)".formatted(cell.policy().label(), started, runs),
        cell.setting().settings().scenario().until());
  }

  @Override
  public List<SimulationListener> observers(Cell cell) {
    if (!recordsTimelines || cell.policy().role() != ComparedPolicy.Role.POLICY) {
      return List.of();
    }
    SimulatedTimeline timeline =
        new SimulatedTimeline(cell.setting().settings().scenario().workload().serviceClasses());
    timelines.put(cell.policy(), timeline);
    return List.of(timeline);
  }

  @Override
  public void ends(Cell cell, RunOutcome outcome) {
    if (outcome instanceof RunOutcome.Failed) {
      timelines.remove(cell.policy());
    }
    display.end();
    ended.incrementAndGet();
    String label = Printable.line(cell.policy().label());
    if (outcome instanceof RunOutcome.Finished finished) {
      Duration took = Duration.ofMillis((clock.getAsLong() - startedAt) / 1_000_000);
      print(figures(label, took, finished.metrics().result()));
    } else {
      display.note(label + " failed.");
    }
  }

  @Override
  public void ends(Cell cell, RequestOutcome outcome) {
    lowest.add(cell, outcome);
  }

  /** Returns the timelines of the policies whose runs ended, in the order of the runs. */
  Map<ComparedPolicy, SimulatedTimeline> timelines() {
    return timelines;
  }

  /** Returns the requests that were served worst. */
  LowestServed lowest() {
    return lowest;
  }

  private void print(String line) {
    if (target.isEmpty()) {
      display.note(line);
    } else {
      target.get().println(line);
      target.get().flush();
    }
  }

  /** Returns the mean availability of each class, in a line that fits into 80 columns. */
  private static String figures(String label, Duration took, RunResult result) {
    String availability =
        result.classes().stream()
            .filter(each -> each.mean().isPresent())
            .map(RunWatcher::mean)
            .collect(Collectors.joining(", "));
    return "%s took %s: availability %s."
        .formatted(label, text(took), availability.isEmpty() ? "–" : availability);
  }

  private static String text(Duration took) {
    return took.compareTo(EXACT) < 0 ? Durations.format(took) : ProgressText.rounded(took);
  }

  private static String mean(ClassResult figures) {
    return Printable.line(figures.name()) + " " + Numbers.fixed(figures.mean(), DIGITS);
  }

  /** Returns how many runs have ended, in words: {@code "2 of 4 runs"}. Any thread may ask. */
  public String done() {
    return "%s of %s runs".formatted(ended.get(), runs);
  }
}

package dev.berth.cli.bench;

import dev.berth.cli.terminal.TimeText;
import dev.berth.core.config.Durations;
import dev.berth.experiments.run.RunSettings;
import dev.berth.report.Document;
import dev.berth.report.Numbers;
import dev.berth.report.Table;
import dev.berth.report.Table.Cell;
import dev.berth.report.Table.Column;
import dev.berth.simulator.result.ClassResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The outcome of runs at scale for people: a column for each policy. */
public final class ScaleDocument {

  private final List<ScaleOutcome> outcomes;
  private final Table.Builder table = Table.builder("runs", "Runs at scale");

  private ScaleDocument(List<ScaleOutcome> outcomes) {
    this.outcomes = outcomes;
  }

  /**
   * Returns the document.
   *
   * @param apart shortest time between passes
   * @param outcomes one for each policy; may be empty
   */
  public static Document of(RunSettings settings, Duration apart, List<ScaleOutcome> outcomes) {
    String title =
        "%s hosts for %s, watchdog %s, passes at least %s apart, seed %s"
            .formatted(
                Numbers.grouped(settings.scenario().infrastructure().hosts().size()),
                Durations.format(settings.scenario().until()),
                Durations.format(settings.watchdog()),
                Durations.format(apart),
                settings.seed());
    return outcomes.isEmpty()
        ? Document.of(title)
        : Document.of(title, new ScaleDocument(outcomes).table());
  }

  private Table table() {
    table.column(Column.unnamed("figure"));
    for (int i = 0; i < outcomes.size(); i++) {
      String policy = outcomes.get(i).result().policy();
      table.column(Column.ofNumbers(policy).withKey("run-" + (i + 1)).withGap(3));
    }
    row("requests", each -> count(each.result().arrivals()));
    row("completed", each -> count(each.result().completed()));
    row("events", each -> count(each.events()));
    row("passes", each -> count(each.result().passes()));
    row("placements", each -> count(each.result().placements()));
    row("preemptions", each -> count(each.result().preemptions()));
    table.group("");
    row("live, maximum", each -> count(each.load().liveMax()));
    row(
        "pending, mean and maximum",
        each ->
            Cell.of(
                Numbers.grouped(Math.round(each.load().pendingMean()))
                    + " "
                    + Numbers.grouped(each.load().pendingMax())));
    for (int i = 0; i < uses(); i++) {
      int dimension = i;
      String name = outcomes.get(0).load().steps().get(0).uses().get(i).dimension();
      row(
          name + " demanded, mean and maximum",
          each -> shares(each, dimension, ScaleLoad.Use::demanded));
      row(
          name + " granted, mean and maximum",
          each -> shares(each, dimension, ScaleLoad.Use::granted));
    }
    for (int i = 0; i < outcomes.get(0).result().classes().size(); i++) {
      int rank = i;
      String name = outcomes.get(0).result().classes().get(rank).name();
      table.group("");
      row(name + ": requests", each -> count(result(each, rank).count()));
      row("  SLO met", each -> Cell.number(result(each, rank).met(), 4));
      row("  availability, mean", each -> Cell.number(result(each, rank).mean(), 4));
      row("  preempted", each -> count(result(each, rank).preemptions()));
    }
    table.group("");
    row("elapsed", each -> time(each.cost().wallNanos()));
    row("CPU", each -> time(each.cost().cpuNanos()));
    row("events per second", each -> count(Math.round(each.cost().perSecond(each.events()))));
    row("peak heap, MB", each -> count(each.cost().peakHeapBytes() >> 20));
    row("  after collections", each -> count(each.cost().peakKeptBytes() >> 20));
    return table.build();
  }

  private int uses() {
    List<ScaleLoad.Step> steps = outcomes.get(0).load().steps();
    return steps.isEmpty() ? 0 : steps.get(0).uses().size();
  }

  private static ClassResult result(ScaleOutcome outcome, int rank) {
    return outcome.result().classes().get(rank);
  }

  private void row(String name, Function<ScaleOutcome, Cell> cell) {
    List<Cell> cells = new ArrayList<>(List.of(Cell.of(name)));
    outcomes.forEach(each -> cells.add(cell.apply(each)));
    table.row(cells);
  }

  private static Cell shares(
      ScaleOutcome outcome, int dimension, ToDoubleFunction<ScaleLoad.Use> share) {
    double sum = 0;
    double most = 0;
    for (ScaleLoad.Step step : outcome.load().steps()) {
      double at = share.applyAsDouble(step.uses().get(dimension));
      sum += at;
      most = Math.max(most, at);
    }
    double mean = sum / outcome.load().steps().size();
    return Cell.of(Numbers.fixed(mean, 2) + " " + Numbers.fixed(most, 2));
  }

  private static Cell count(long number) {
    return Cell.of((double) number, 0);
  }

  private static Cell time(long nanos) {
    return Cell.of(TimeText.of(nanos));
  }
}

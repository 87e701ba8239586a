package dev.berth.cli.output;

import dev.berth.core.config.Durations;
import dev.berth.experiments.RunSettings;
import dev.berth.experiments.output.Numbers;
import dev.berth.experiments.output.TextTable;
import dev.berth.simulator.ClassResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The outcome of runs at scale as a table for people: a column for each policy. */
public final class ScaleTable {

  private final List<ScaleOutcome> outcomes;
  private final TextTable table;

  private ScaleTable(List<ScaleOutcome> outcomes) {
    this.outcomes = outcomes;
    this.table = new TextTable(outcomes.stream().map(each -> 3).toArray(Integer[]::new));
  }

  /** Returns the lines, each without its end. */
  public static List<String> lines(RunSettings settings, Duration apart, List<ScaleOutcome> outcomes) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%,d hosts for %s, period %s, passes at least %s apart, seed %s",
            settings.scenario().infrastructure().hosts().size(),
            Durations.format(settings.scenario().until()),
            Durations.format(settings.period()),
            Durations.format(apart),
            settings.seed()));
    if (!outcomes.isEmpty()) {
      lines.add("");
      lines.addAll(new ScaleTable(outcomes).filled());
    }
    return lines;
  }

  private List<String> filled() {
    row("", each -> each.result().policy());
    row("requests", each -> count(each.result().arrivals()));
    row("completed", each -> count(each.result().completed()));
    row("events", each -> count(each.events()));
    row("passes", each -> count(each.result().passes()));
    row("placements", each -> count(each.result().placements()));
    row("preemptions", each -> count(each.result().preemptions()));
    table.across("");
    row("live at most", each -> count(each.load().liveMax()));
    row(
        "pending, mean and most",
        each ->
            count(Math.round(each.load().pendingMean())) + " " + count(each.load().pendingMax()));
    for (int i = 0; i < uses(); i++) {
      int dimension = i;
      String name = outcomes.get(0).load().steps().get(0).uses().get(i).dimension();
      row(
          name + " asked for, mean and most",
          each -> shares(each, dimension, ScaleLoad.Use::demanded));
      row(
          name + " granted, mean and most",
          each -> shares(each, dimension, ScaleLoad.Use::granted));
    }
    for (int i = 0; i < outcomes.get(0).result().classes().size(); i++) {
      int rank = i;
      String name = outcomes.get(0).result().classes().get(rank).name();
      table.across("");
      row(name + ": requests", each -> count(result(each, rank).count()));
      row("  SLO met", each -> Numbers.share(result(each, rank).fulfilment(), 4));
      row("  availability, mean", each -> Numbers.share(result(each, rank).mean(), 4));
      row("  preempted", each -> count(result(each, rank).preemptions()));
    }
    table.across("");
    row("elapsed", each -> TimeText.of(each.cost().wallNanos()));
    row("CPU", each -> TimeText.of(each.cost().cpuNanos()));
    row("events per second", each -> count(Math.round(each.cost().perSecond(each.events()))));
    row("heap at most, MB", each -> megabytes(each.cost().peakHeapBytes()));
    row("  after collections", each -> megabytes(each.cost().peakKeptBytes()));
    return table.render();
  }

  private int uses() {
    List<ScaleLoad.Step> steps = outcomes.get(0).load().steps();
    return steps.isEmpty() ? 0 : steps.get(0).uses().size();
  }

  private static ClassResult result(ScaleOutcome outcome, int rank) {
    return outcome.result().classes().get(rank);
  }

  private void row(String name, Function<ScaleOutcome, String> cell) {
    List<String> cells = new ArrayList<>(List.of(name));
    outcomes.forEach(each -> cells.add(cell.apply(each)));
    table.row(cells);
  }

  private static String shares(
      ScaleOutcome outcome, int dimension, ToDoubleFunction<ScaleLoad.Use> share) {
    double sum = 0;
    double most = 0;
    for (ScaleLoad.Step step : outcome.load().steps()) {
      double at = share.applyAsDouble(step.uses().get(dimension));
      sum += at;
      most = Math.max(most, at);
    }
    return Numbers.share(sum / outcome.load().steps().size(), 2) + " " + Numbers.share(most, 2);
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String megabytes(long bytes) {
    return count(bytes >> 20);
  }
}

package dev.berth.experiments.studies.metascheduling;

import dev.berth.experiments.Sample;
import dev.berth.experiments.output.FigureTable;
import dev.berth.experiments.output.Numbers;
import dev.berth.experiments.scenario.MetaschedulingScenarios.Grid;
import dev.berth.experiments.studies.metascheduling.MetaRuns.Mode;
import dev.berth.experiments.study.Study;
import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.Details;
import dev.berth.report.IntervalChart;
import dev.berth.report.Series;
import dev.berth.report.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/** Metascheduling policies against one another and against what is possible (section 4). */
public final class MetaStudy implements Study {

  private static final int SEEDS = 30;
  private static final double LEAST_SECONDS = 1; // of few runs an interval may reach below 0

  private final int seeds;

  public MetaStudy() {
    this(SEEDS);
  }

  /** One with so many runs of each, two at least. */
  public MetaStudy(int seeds) {
    this.seeds = seeds;
  }

  @Override
  public String name() {
    return "meta-all";
  }

  @Override
  public String title() {
    return "Metascheduling: 40 jobs on ten sites, eight scenarios (figures 3 and 4)";
  }

  @Override
  public Report run(Setting setting) {
    MetaRuns runs = MetaRuns.of(setting.registry(), setting.seed(), seeds);
    List<String> lines = new ArrayList<>();
    lines.add(title());
    lines.add("");
    lines.add(
        "Mean execution time in s over %s runs, ± 95 %% confidence; in brackets the standard deviation"
            .formatted(seeds));
    lines.add("within a run, on average. The paper has plots only.");
    lines.add("");
    lines.add("All at once: decided one after another, 831 ms each");
    List<Block> blocks = new ArrayList<>();
    add(runs, Mode.AT_ONCE, true, lines, blocks);
    lines.add("");
    lines.add("One every 20 s");
    add(runs, Mode.SPACED, true, lines, blocks);
    lines.add("");
    lines.add("found: an assignment by one who knew all jobs; it exists, a better one may.");
    lines.add("bound: no assignment is better than that; there may be none that reaches it.");
    lines.add("");
    lines.add("What the paper says of its results, and whether ours agree:");
    List<MetaClaims.Statement> statements = new MetaClaims(runs).all();
    blocks.addAll(agreement(statements));
    lines.addAll(told(statements));
    lines.add("");
    lines.add("All at one instant (means only)");
    add(runs, Mode.INSTANT, false, lines, blocks);
    lines.add("");
    lines.add("Cold start: no site has run the application before; all at once (means only)");
    add(runs, Mode.COLD_AT_ONCE, false, lines, blocks);
    lines.add("");
    lines.add("Cold start, one every 20 s (means only)");
    add(runs, Mode.COLD_SPACED, false, lines, blocks);
    return new Report(lines, blocks, List.of(runs.runs(), runs.figures()));
  }

  private void add(MetaRuns runs, Mode mode, boolean full, List<String> lines, List<Block> blocks) {
    FigureTable table = table(runs, mode, full);
    lines.addAll(table.lines());
    String id = "%s-%s".formatted(name(), mode.toString().replaceAll("[^a-z0-9]+", "-"));
    blocks.add(
        table.block(
            id,
            "Mean execution time in s, %s%s"
                .formatted(
                    mode, full ? ", ± 95 %; in brackets the standard deviation within a run" : ""),
            "scenario"));
    blocks.add(chart(id + "-means", runs, mode));
  }

  private static IntervalChart chart(String id, MetaRuns runs, Mode mode) {
    List<Series<IntervalChart.Interval>> series = new ArrayList<>();
    for (String policy : policies(mode)) {
      Map<String, IntervalChart.Interval> intervals = new LinkedHashMap<>();
      for (Grid grid : Grid.values()) {
        Sample means = runs.means(mode, grid, policy);
        intervals.put(
            grid.name(),
            new IntervalChart.Interval(
                means.mean(),
                Math.max(LEAST_SECONDS, means.mean() - means.halfWidth()),
                means.mean() + means.halfWidth()));
      }
      series.add(new Series<>(label(policy), intervals));
    }
    return new IntervalChart(
        id,
        "Mean execution time, " + mode,
        "Means over %s runs with their 95 %% confidence intervals, on a logarithmic axis.%s%s"
            .formatted(
                runs.seeds(),
                MetaRuns.PUBLISHED.contains(mode) ? " The paper has a plot without numbers." : "",
                policies(mode).contains(MetaRuns.FOUND)
                    ? " found: an assignment by one who knew all jobs; bound: what none can beat."
                    : ""),
        "scenario",
        Axis.of("execution time", "s").asLogarithmic(),
        Arrays.stream(Grid.values()).map(Grid::name).toList(),
        series,
        Optional.empty());
  }

  private static String label(String policy) {
    return switch (policy) {
      case MetaRuns.FOUND -> "found";
      case MetaRuns.BOUND -> "bound";
      default -> policy;
    };
  }

  private List<Block> agreement(List<MetaClaims.Statement> statements) {
    return List.of(
        new Table(
            name() + "-statements",
            "What the paper says of its results, and whether ours agree",
            List.of(Table.Column.ofText("statement"), Table.Column.ofText("ours agree")),
            statements.stream()
                .map(
                    each ->
                        List.of(
                            Table.Cell.of(each.words()),
                            Table.Cell.of(each.holds() ? "yes" : "no")))
                .toList()),
        new Details("Where they hold and where not, and why", String.join("\n", told(statements))));
  }

  private static List<String> told(List<MetaClaims.Statement> statements) {
    List<String> lines = new ArrayList<>();
    for (MetaClaims.Statement each : statements) {
      lines.add("  %s  %s".formatted(each.holds() ? "yes" : "no ", each.words()));
      each.details().forEach(detail -> lines.add("         " + detail));
    }
    return lines;
  }

  /** Returns who is run so, and what bounds there are. */
  private static List<String> policies(Mode mode) {
    List<String> policies = new ArrayList<>(MetaRuns.POLICIES);
    if (mode != Mode.COLD_AT_ONCE && mode != Mode.COLD_SPACED) {
      policies.addAll(List.of(MetaRuns.FOUND, MetaRuns.BOUND));
    }
    return policies;
  }

  private static FigureTable table(MetaRuns runs, Mode mode, boolean full) {
    List<String> policies = policies(mode);
    List<String> above =
        new ArrayList<>(List.of("", "", "cpu-", "", "lottery-", "wall-time-", "power-of-"));
    List<String> below =
        new ArrayList<>(
            List.of("", "random", "load", "lottery", "with-load", "estimated", "two-choices"));
    if (policies.contains(MetaRuns.FOUND)) {
      above.addAll(List.of("", ""));
      below.addAll(List.of(label(MetaRuns.FOUND), label(MetaRuns.BOUND)));
    }
    Integer[] gaps = new Integer[policies.size()];
    Arrays.fill(gaps, 3);
    FigureTable table = new FigureTable(gaps);
    table.columns(above, below);
    for (Grid grid : Grid.values()) {
      row(
          table,
          grid.name(),
          policies,
          full,
          (policy, deviations) ->
              deviations ? runs.deviations(mode, grid, policy) : runs.means(mode, grid, policy));
    }
    row(table, "all", policies, false, (policy, deviations) -> runs.overall(mode, policy));
    return table;
  }

  private static void row(
      FigureTable table,
      String label,
      List<String> policies,
      boolean full,
      BiFunction<String, Boolean, Sample> figure) {
    List<Table.Cell> cells = new ArrayList<>(List.of(FigureTable.words(label)));
    for (String policy : policies) {
      Sample means = figure.apply(policy, false);
      cells.add(
          full && !policy.equals(MetaRuns.BOUND)
              ? FigureTable.estimate(
                  "%s (%s)"
                      .formatted(
                          Numbers.estimate(means, 1),
                          Numbers.share(figure.apply(policy, true).mean(), 0)),
                  means)
              : FigureTable.number(means.mean(), 1));
    }
    table.row(cells);
  }
}

package dev.berth.experiments.studies.metascheduling;

import dev.berth.experiments.figures.Cells;
import dev.berth.experiments.figures.Sample;
import dev.berth.experiments.scenario.MetaschedulingScenarios.Grid;
import dev.berth.experiments.studies.metascheduling.MetaRuns.Mode;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.ClaimBlocks;
import dev.berth.experiments.study.StudyResult;
import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.IntervalChart;
import dev.berth.report.Numbers;
import dev.berth.report.OnlyFor;
import dev.berth.report.Series;
import dev.berth.report.Stack;
import dev.berth.report.Table;
import dev.berth.report.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Metascheduling policies compared with each other and with bounds (section 4). */
public final class MetaStudy extends AbstractStudy {

  private static final int SEEDS = 30;
  private static final double LEAST_SECONDS = 1; // an interval of few runs may reach below 0

  /** Names of columns in two lines, and those of the bounds. */
  private static final Map<String, String> COLUMNS =
      Map.of(
          "cpu-load",
          "cpu-\nload",
          "lottery-with-load",
          "lottery-\nwith-load",
          "wall-time-estimated",
          "wall-time-\nestimated",
          "power-of-two-choices",
          "power-of-\ntwo-choices",
          MetaRuns.FOUND,
          "found",
          MetaRuns.BOUND,
          "bound");

  private final int seeds;

  /** Creates the study with 30 seeds. */
  public MetaStudy() {
    this(SEEDS);
  }

  /**
   * Creates the study.
   *
   * @param seeds number of seeds; 2 or more
   */
  public MetaStudy(int seeds) {
    super("meta-all", "Metascheduling: 40 jobs on ten sites, eight scenarios (figures 3 and 4)");
    this.seeds = seeds;
  }

  @Override
  public StudyResult run(Setting setting) {
    MetaRuns runs = MetaRuns.of(setting, seeds);
    List<Claim> claims = new MetaClaims(runs).all();
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        Text.ofLines(
            "Mean execution time in s over %s runs, ± 95 %% confidence; in brackets the standard deviation"
                .formatted(seeds),
            "within a run, on average. The paper has plots only."));
    blocks.addAll(
        blocks(runs, Mode.AT_ONCE, true, "All at once: decided one after another, 831 ms each"));
    blocks.addAll(blocks(runs, Mode.SPACED, true, "One every 20 s"));
    blocks.add(
        Text.ofLines(
            "found: an assignment found with full knowledge of all jobs; a better one may exist.",
            "bound: no assignment is better; possibly none reaches it."));
    blocks.addAll(
        ClaimBlocks.of(name(), "Claims of the paper, and whether our results agree", claims));
    blocks.add(Text.of(MetaClaims.CRITERION));
    blocks.addAll(blocks(runs, Mode.INSTANT, false, "All at one instant (means only)"));
    blocks.addAll(
        blocks(
            runs,
            Mode.COLD_AT_ONCE,
            false,
            "Cold start: no site has run the application before; all at once (means only)"));
    blocks.addAll(blocks(runs, Mode.COLD_SPACED, false, "Cold start, one every 20 s (means only)"));
    return new StudyResult(blocks, claims, List.of(runs.runs(), runs.figures()));
  }

  private List<Block> blocks(MetaRuns runs, Mode mode, boolean full, String title) {
    String id = "%s-%s".formatted(name(), mode.toString().replaceAll("[^a-z0-9]+", "-"));
    return List.of(
        Stack.of(OnlyFor.inText(title), table(id, runs, mode, full)),
        chart(id + "-means", runs, mode));
  }

  private static IntervalChart chart(String id, MetaRuns runs, Mode mode) {
    List<String> grids = Arrays.stream(Grid.values()).map(Grid::name).toList();
    return new IntervalChart(
        id,
        "Mean execution time, " + mode,
        "Means over %s runs with their 95 %% confidence intervals, on a logarithmic axis.%s%s"
            .formatted(
                runs.seeds(),
                MetaRuns.PUBLISHED.contains(mode) ? " The paper has a plot without numbers." : "",
                policies(mode).contains(MetaRuns.FOUND)
                    ? " found: an assignment found with full knowledge of all jobs; bound: no assignment is better."
                    : ""),
        "scenario",
        Axis.of("execution time", "s").asLogarithmic(),
        grids,
        policies(mode).stream()
            .map(
                policy ->
                    Series.of(
                        label(policy),
                        grids,
                        each -> interval(runs, mode, Grid.valueOf(each), policy)))
            .toList(),
        Optional.empty());
  }

  private static Optional<IntervalChart.Interval> interval(
      MetaRuns runs, Mode mode, Grid grid, String policy) {
    Sample means = runs.means(mode, grid, policy);
    double margin = means.halfWidth().orElseThrow();
    double low = Math.max(LEAST_SECONDS, means.mean() - margin);
    return Optional.of(new IntervalChart.Interval(means.mean(), low, means.mean() + margin));
  }

  private static String label(String policy) {
    return switch (policy) {
      case MetaRuns.FOUND -> "found";
      case MetaRuns.BOUND -> "bound";
      default -> policy;
    };
  }

  /** Returns the policies of a mode, and its bounds. */
  private static List<String> policies(Mode mode) {
    List<String> policies = new ArrayList<>(MetaRuns.POLICIES);
    if (mode != Mode.COLD_AT_ONCE && mode != Mode.COLD_SPACED) {
      policies.addAll(List.of(MetaRuns.FOUND, MetaRuns.BOUND));
    }
    return policies;
  }

  private static Table table(String id, MetaRuns runs, Mode mode, boolean full) {
    Table.Builder table =
        Table.builder(
                id,
                "Mean execution time in s, %s%s"
                    .formatted(
                        mode,
                        full ? ", ± 95 %; in brackets the standard deviation within a run" : ""))
            .column(Table.Column.unnamed("scenario"));
    List<String> policies = policies(mode);
    for (String each : policies) {
      table.column(Table.Column.ofNumbers(COLUMNS.getOrDefault(each, each)).withGap(3));
    }
    for (Grid grid : Grid.values()) {
      List<Table.Cell> cells = new ArrayList<>(List.of(Table.Cell.of(grid.name())));
      for (String policy : policies) {
        Sample means = runs.means(mode, grid, policy);
        cells.add(
            full && !policy.equals(MetaRuns.BOUND)
                ? withDeviation(means, runs.deviations(mode, grid, policy))
                : Cells.mean(means, 1));
      }
      table.row(cells);
    }
    List<Table.Cell> cells = new ArrayList<>(List.of(Table.Cell.of("all")));
    policies.forEach(each -> cells.add(Cells.mean(runs.overall(mode, each), 1)));
    table.row(cells);
    return table.build();
  }

  private static Table.Cell withDeviation(Sample means, Sample deviations) {
    Table.Cell estimate = Cells.estimate(means, 1);
    return estimate.withText(
        "%s (%s)".formatted(estimate.text(), Numbers.fixed(deviations.mean(), 0)));
  }
}

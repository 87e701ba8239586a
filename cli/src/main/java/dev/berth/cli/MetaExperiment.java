package dev.berth.cli;

import dev.berth.cli.MetaRuns.Mode;
import dev.berth.simulator.MetaScenarios.Grid;
import dev.berth.simulator.experiment.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/** Metascheduling policies against one another and against what is possible (section 4). */
final class MetaExperiment implements Reproduction {

  private static final int SEEDS = 30;

  private final int seeds;

  MetaExperiment() {
    this(SEEDS);
  }

  /** One with so many runs of each, two at least. */
  MetaExperiment(int seeds) {
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
    lines.addAll(table(runs, Mode.AT_ONCE, true));
    lines.add("");
    lines.add("One every 20 s");
    lines.addAll(table(runs, Mode.SPACED, true));
    lines.add("");
    lines.add("found: an assignment by one who knew all jobs; it exists, a better one may.");
    lines.add("bound: no assignment is better than that; there may be none that reaches it.");
    lines.add("");
    lines.add("What the paper says of its results, and whether ours agree:");
    for (MetaStatements.Statement each : new MetaStatements(runs).all()) {
      lines.add("  %s  %s".formatted(each.holds() ? "yes" : "no ", each.words()));
      each.details().forEach(detail -> lines.add("         " + detail));
    }
    lines.add("");
    lines.add("All at one instant (means only)");
    lines.addAll(table(runs, Mode.INSTANT, false));
    lines.add("");
    lines.add("Cold start: no site has run the application before; all at once (means only)");
    lines.addAll(table(runs, Mode.COLD_AT_ONCE, false));
    lines.add("");
    lines.add("Cold start, one every 20 s (means only)");
    lines.addAll(table(runs, Mode.COLD_SPACED, false));
    return new Report(lines, List.of(runs.runs(), runs.figures()));
  }

  private static List<String> table(MetaRuns runs, Mode mode, boolean full) {
    List<String> policies = new ArrayList<>(MetaRuns.POLICIES);
    List<String> above =
        new ArrayList<>(List.of("", "", "cpu-", "", "lottery-", "wall-time-", "power-of-"));
    List<String> below =
        new ArrayList<>(
            List.of("", "random", "load", "lottery", "with-load", "estimated", "two-choices"));
    if (mode != Mode.COLD_AT_ONCE && mode != Mode.COLD_SPACED) {
      policies.addAll(List.of(MetaRuns.FOUND, MetaRuns.BOUND));
      above.addAll(List.of("", ""));
      below.addAll(List.of("found", "bound"));
    }
    Integer[] gaps = new Integer[policies.size()];
    Arrays.fill(gaps, 3);
    TextTable table = new TextTable(gaps);
    table.row(above);
    table.row(below);
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
    return table.render();
  }

  private static void row(
      TextTable table,
      String label,
      List<String> policies,
      boolean full,
      BiFunction<String, Boolean, Sample> figure) {
    List<String> cells = new ArrayList<>(List.of(label));
    for (String policy : policies) {
      Sample means = figure.apply(policy, false);
      String cell = Numbers.share(means.mean(), 1);
      if (full && !policy.equals(MetaRuns.BOUND)) {
        cell +=
            " ±%s (%s)"
                .formatted(
                    Numbers.share(means.halfWidth(), 1),
                    Numbers.share(figure.apply(policy, true).mean(), 0));
      }
      cells.add(cell);
    }
    table.row(cells);
  }
}

package dev.berth.experiments.studies.memory;

import dev.berth.experiments.PolicySpec;
import dev.berth.experiments.output.ComparedBars;
import dev.berth.experiments.scenario.QueueScenarios;
import dev.berth.experiments.studies.memory.QueueClaim.QueueFigures;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.ClaimBlocks;
import dev.berth.experiments.study.PublishedTables;
import dev.berth.experiments.study.RunFigure;
import dev.berth.experiments.study.StudyResult;
import dev.berth.experiments.study.StudyRun;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.Chart;
import dev.berth.report.CsvText;
import dev.berth.report.Grid;
import dev.berth.report.Numbers;
import dev.berth.report.Stack;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.LoggedJob;
import dev.berth.simulator.RequestOutcome;
import dev.berth.simulator.Scenario;
import dev.berth.traces.format.swf.SwfLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Queue disciplines on the jobs of a real log (thesis, chapter 4). */
public final class QueueStudy extends AbstractStudy {

  private static final double SECOND = 1e9;
  private static final String FIFO = "fifo";

  /** The figures, by their names in the published tables. */
  private static final Map<String, RunFigure> FIGURES = new LinkedHashMap<>();

  static {
    FIGURES.put("late", RunFigure.LATE);
    FIGURES.put("total", RunFigure.TOTAL);
    FIGURES.put("lateness", RunFigure.LATENESS);
    FIGURES.put("turnaround", RunFigure.TURNAROUND);
  }

  private final int jobs;
  private final int cores;
  private final List<PolicySpec> policies;
  private final List<QueueClaim> claims;
  private final List<String> remarks;

  QueueStudy(
      String name,
      String title,
      Input log,
      int jobs,
      int cores,
      List<PolicySpec> policies,
      List<QueueClaim> claims,
      List<String> remarks) {
    super(name, title, log);
    this.jobs = jobs;
    this.cores = cores;
    this.policies = policies;
    this.claims = claims;
    this.remarks = remarks;
  }

  @Override
  public StudyResult run(Setting setting) {
    List<LoggedJob> first = SwfLog.firstThatRan(setting.input(), jobs);
    Scenario scenario = QueueScenarios.of(name(), first, cores, setting.seed());
    StudyRuns runs = StudyRuns.of(policies, seed -> scenario, 1, setting);
    PublishedTables.Table published = published();
    QueueFigures ours = (label, figure) -> ours(runs, label, figure);
    QueueFigures theirs = (label, figure) -> published.get(label, figure).orElse(Double.NaN);
    List<Claim> checked = claims.stream().map(each -> each.check(theirs, ours)).toList();
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        Text.ofLines(List.of(cut(Path.of(setting.input()).getFileName().toString(), first))));
    blocks.add(Stack.of(table(runs), Text.of(units(runs))));
    blocks.add(new Grid(2, charts(runs)));
    blocks.addAll(
        ClaimBlocks.of(name(), "Claims of the thesis, and whether our results agree", checked));
    if (!checked.stream().allMatch(Claim::holds)) {
      List<String> lines = new ArrayList<>();
      lines.add("Why they do not, with this log:");
      remarks.forEach(each -> lines.add("  " + each));
      blocks.add(Text.ofLines(lines));
    }
    return new StudyResult(blocks, checked, List.of(metrics(runs), jobs(runs)));
  }

  private PublishedTables.Table published() {
    return PublishedTables.read(QueueStudy.class, "published-memory.json").table(name());
  }

  private static double ours(StudyRuns runs, String label, String figure) {
    RunFigure its = FIGURES.get(figure);
    if (its == null) {
      throw new IllegalArgumentException("There is no figure \"%s\".".formatted(figure));
    }
    return runs.first(label).get(its);
  }

  // ---- Table

  private String cut(String file, List<LoggedJob> first) {
    long wide = first.stream().filter(each -> each.processors() > cores).count();
    double mean =
        first.stream().mapToInt(each -> Math.min(each.processors(), cores)).average().orElse(0);
    return "%s: the first %s jobs that ran (up to job %s), in the order of the log, all submitted at time 0; %s cores on average%s."
        .formatted(
            file,
            jobs,
            first.get(first.size() - 1).number(),
            Numbers.fixed(mean, 1),
            wide == 0
                ? ""
                : "; %s jobs that used more than %s cores request all %s"
                    .formatted(wide, cores, cores));
  }

  private Table table(StudyRuns runs) {
    PublishedTables.Table published = published();
    Table.Builder table =
        Table.builder(name() + "-figures", "Queue disciplines: published and ours")
            .column(Table.Column.ofText("discipline"));
    FIGURES
        .keySet()
        .forEach(
            figure -> {
              String heading = figure.equals("late") ? figure : figure + ", fifo = 1";
              table
                  .column(Table.Column.ofNumbers("published").withHeading(heading).withGap(3))
                  .column(Table.Column.ofNumbers("ours").withHeading(heading));
            });
    for (String label : runs.labels()) {
      List<Table.Cell> cells = new ArrayList<>(List.of(Table.Cell.of(label)));
      for (String figure : FIGURES.keySet()) {
        if (figure.equals("late")) {
          cells.add(Table.Cell.number(published.get(label, figure), 0));
          cells.add(Table.Cell.number(ours(runs, label, figure), 0));
        } else {
          cells.add(Table.Cell.number(ratio(published, label, figure), 3));
          cells.add(Table.Cell.number(ours(runs, label, figure) / ours(runs, FIFO, figure), 3));
        }
      }
      table.row(cells);
    }
    return table.build();
  }

  /** Returns the units that the ratios of the table are in. */
  private String units(StudyRuns runs) {
    PublishedTables.Table published = published();
    return "fifo, published: %s of %s late, total %s, lateness %s, turnaround %s, in an unknown unit; ours: %s late, %s s, %s s, %s s."
        .formatted(
            Numbers.fixed(published.get(FIFO, "late"), 0),
            jobs,
            Numbers.fixed(published.get(FIFO, "total"), 0),
            Numbers.fixed(published.get(FIFO, "lateness"), 0),
            Numbers.fixed(published.get(FIFO, "turnaround"), 0),
            Numbers.fixed(ours(runs, FIFO, "late"), 0),
            Numbers.fixed(ours(runs, FIFO, "total"), 0),
            Numbers.fixed(ours(runs, FIFO, "lateness"), 0),
            Numbers.fixed(ours(runs, FIFO, "turnaround"), 0));
  }

  private static OptionalDouble ratio(
      PublishedTables.Table published, String label, String figure) {
    OptionalDouble value = published.get(label, figure);
    return value.isEmpty()
        ? value
        : OptionalDouble.of(value.getAsDouble() / published.get(FIFO, figure).orElseThrow());
  }

  // ---- Charts

  private List<Chart> charts(StudyRuns runs) {
    PublishedTables.Table published = published();
    ComparedBars late = new ComparedBars();
    for (String label : runs.labels()) {
      late.add(
          label, percent(published.get(label, "late")), 100.0 * ours(runs, label, "late") / jobs);
    }
    return List.of(
        late.chart(
            name() + "-late",
            "Late jobs",
            "Share of the jobs that ended after their deadline.",
            "discipline",
            Axis.of("late jobs", "%")),
        ratios(runs, "total", "Total time"),
        ratios(runs, "lateness", "Lateness"),
        ratios(runs, "turnaround", "Mean turnaround"));
  }

  private OptionalDouble percent(OptionalDouble late) {
    return late.isPresent() ? OptionalDouble.of(100 * late.getAsDouble() / jobs) : late;
  }

  private Chart ratios(StudyRuns runs, String figure, String heading) {
    ComparedBars bars = new ComparedBars();
    for (String label : runs.labels()) {
      bars.add(
          label,
          ratio(published(), label, figure),
          ours(runs, label, figure) / ours(runs, FIFO, figure));
    }
    return bars.chart(
        "%s-%s".formatted(name(), figure),
        heading,
        heading + "; FIFO without backfilling is 1.",
        "discipline",
        Axis.of(figure + ", fifo = 1"));
  }

  // ---- Series

  private CsvText metrics(StudyRuns runs) {
    CsvText series =
        new CsvText(
            name() + "-metrics",
            "discipline",
            "late",
            "total_s",
            "lateness_s",
            "mean_turnaround_s");
    for (String label : runs.labels()) {
      series.row(
          label,
          (long) ours(runs, label, "late"),
          ours(runs, label, "total"),
          ours(runs, label, "lateness"),
          ours(runs, label, "turnaround"));
    }
    return series;
  }

  private CsvText jobs(StudyRuns runs) {
    CsvText series =
        new CsvText(name() + "-jobs", "discipline", "job", "started_s", "done_s", "late_s");
    for (String label : runs.labels()) {
      for (RequestOutcome each : runs.first(label).outcomes()) {
        series.row(
            label,
            each.request().id(),
            each.firstReadyAt().orElse(0) / SECOND,
            each.report().endedAt() / SECOND,
            StudyRun.latenessNanos(each) / SECOND);
      }
    }
    return series;
  }
}

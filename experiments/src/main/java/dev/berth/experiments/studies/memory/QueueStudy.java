package dev.berth.experiments.studies.memory;

import com.google.common.collect.ImmutableMap;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.figures.ComparedBars;
import dev.berth.experiments.figures.CsvColumns;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.scenario.QueueScenarios;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.experiments.studies.memory.FigureClaim.Figures;
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
import dev.berth.simulator.Scenario;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.workload.LoggedJob;
import dev.berth.traces.format.swf.SwfLog;
import dev.berth.traces.input.Input;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Queue disciplines on the jobs of a real log (thesis, chapter 4). */
public final class QueueStudy extends AbstractStudy {

  private static final double SECOND = 1e9;
  private static final String FIFO = "fifo";

  private static final List<Figure<StudyRun>> ALL =
      List.of(RunFigure.LATE, RunFigure.TOTAL, RunFigure.LATENESS, RunFigure.TURNAROUND);
  private static final PublishedTables PUBLISHED =
      PublishedTables.read(QueueStudy.class, "published-memory.json");

  /** The ratios to those of FIFO, and the titles of their charts. */
  private static final Map<Figure<StudyRun>, String> RATIOS =
      ImmutableMap.of(
          RunFigure.TOTAL, "Total time",
          RunFigure.LATENESS, "Lateness",
          RunFigure.TURNAROUND, "Mean turnaround");

  private final int jobs;
  private final int cores;
  private final List<PolicySpec> policies;
  private final List<FigureClaim> claims;
  private final List<String> remarks;

  QueueStudy(
      String name,
      String title,
      Input log,
      int jobs,
      int cores,
      List<PolicySpec> policies,
      List<FigureClaim> claims,
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
    Figures ours = (figure, label) -> runs.first(label).get(named(figure));
    Figures theirs =
        (figure, label) -> PUBLISHED.table(name()).get(label, figure).orElse(Double.NaN);
    List<Claim> checked = claims.stream().map(each -> each.check(theirs, ours)).toList();
    List<Block> blocks = new ArrayList<>();
    blocks.add(Text.ofLines(cut(Path.of(setting.input()).getFileName().toString(), first)));
    blocks.add(Stack.of(table(runs, ours), Text.of(units(ours))));
    blocks.add(new Grid(2, charts(runs, ours)));
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

  private static Figure<StudyRun> named(String figure) {
    return ALL.stream().filter(each -> each.key().equals(figure)).findFirst().orElseThrow();
  }

  private OptionalDouble published(Figure<StudyRun> figure, String label) {
    return PUBLISHED.table(name()).get(label, figure.key());
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

  private Table table(StudyRuns runs, Figures ours) {
    Columns<String> columns =
        new Columns<String>()
            .text("discipline", label -> label)
            .compared(
                "late",
                label -> Table.Cell.number(published(RunFigure.LATE, label), 0),
                label -> Table.Cell.number(ours.get(RunFigure.LATE.key(), label), 0));
    RATIOS
        .keySet()
        .forEach(
            figure ->
                columns.compared(
                    ratio(figure),
                    label -> Table.Cell.number(publishedRatio(figure, label), 3),
                    label -> Table.Cell.number(ratio(ours, figure, label), 3)));
    return columns.table(
        name() + "-figures", "Queue disciplines: published and ours", runs.labels());
  }

  private static String ratio(Figure<StudyRun> figure) {
    return figure.key() + ", fifo = 1";
  }

  private static double ratio(Figures figures, Figure<StudyRun> figure, String label) {
    return figures.get(figure.key(), label) / figures.get(figure.key(), FIFO);
  }

  private OptionalDouble publishedRatio(Figure<StudyRun> figure, String label) {
    OptionalDouble value = published(figure, label);
    return value.isEmpty()
        ? value
        : OptionalDouble.of(value.getAsDouble() / published(figure, FIFO).orElseThrow());
  }

  /** Returns the units that the ratios of the table are in. */
  private String units(Figures ours) {
    List<Object> figures = new ArrayList<>();
    ALL.forEach(each -> figures.add(Numbers.fixed(published(each, FIFO), 0)));
    figures.add(1, jobs);
    ALL.forEach(each -> figures.add(Numbers.fixed(ours.get(each.key(), FIFO), 0)));
    return "fifo, published: %s of %s late, total %s, lateness %s, turnaround %s, in an unknown unit; ours: %s late, %s s, %s s, %s s."
        .formatted(figures.toArray());
  }

  // ---- Charts

  private List<Chart> charts(StudyRuns runs, Figures ours) {
    ComparedBars late = new ComparedBars();
    for (String label : runs.labels()) {
      late.add(
          label,
          percent(published(RunFigure.LATE, label)),
          100.0 * ours.get(RunFigure.LATE.key(), label) / jobs);
    }
    List<Chart> charts = new ArrayList<>();
    charts.add(
        late.chart(
            name() + "-late",
            "Late jobs",
            "Share of the jobs that ended after their deadline.",
            "discipline",
            Axis.of("late jobs", "%")));
    RATIOS.forEach(
        (figure, heading) -> {
          ComparedBars bars = new ComparedBars();
          runs.labels()
              .forEach(
                  each -> bars.add(each, publishedRatio(figure, each), ratio(ours, figure, each)));
          charts.add(
              bars.chart(
                  "%s-%s".formatted(name(), figure.key()),
                  heading,
                  heading + "; FIFO without backfilling is 1.",
                  "discipline",
                  Axis.of(ratio(figure))));
        });
    return charts;
  }

  private OptionalDouble percent(OptionalDouble late) {
    return late.isPresent() ? OptionalDouble.of(100 * late.getAsDouble() / jobs) : late;
  }

  // ---- Series

  private CsvText metrics(StudyRuns runs) {
    return new CsvColumns<StudyRun>()
        .add("discipline", StudyRun::label)
        .add(ALL, each -> each, 3)
        .of(name() + "-metrics", runs.all());
  }

  private CsvText jobs(StudyRuns runs) {
    record Row(String label, RequestOutcome job) {}
    List<Row> rows = new ArrayList<>();
    runs.all().forEach(run -> run.outcomes().forEach(each -> rows.add(new Row(run.label(), each))));
    return new CsvColumns<Row>()
        .add("discipline", Row::label)
        .add("job", each -> each.job().request().id())
        .add("started_s", each -> each.job().firstReadyAt().orElse(0) / SECOND)
        .add("done_s", each -> each.job().report().endedAt() / SECOND)
        .add("late_s", each -> StudyRun.latenessNanos(each.job()) / SECOND)
        .of(name() + "-jobs", rows);
  }
}

package dev.berth.experiments.studies.elastic;

import dev.berth.experiments.figures.Cells;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.figures.CsvColumns;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.figures.Sample;
import dev.berth.experiments.study.RunFigure;
import dev.berth.experiments.study.StudyRun;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.Block;
import dev.berth.report.CsvText;
import dev.berth.report.Grid;
import dev.berth.report.LineChart;
import dev.berth.report.Marks;
import dev.berth.report.Numbers;
import dev.berth.report.Point;
import dev.berth.report.Stack;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.fleet.FleetSample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Table, charts and series of simulated runs on elastic clusters.
 *
 * @param id begins the ids of all
 * @param caption of the table
 * @param runs ours
 * @param wanted sum of the hosts for each bag (QMV0), by number of the run
 * @param bound least host-hours, in the mean
 */
record ElasticFigures(
    String id, String caption, StudyRuns runs, List<Double> wanted, double bound) {

  private static final double MINUTE = 60e9;
  private static final int MOST_POINTS = 1_000;
  private static final String QUEUE_DEPTH = "queue-depth";
  private static final List<Figure<StudyRun>> AFTER_CLUSTERS =
      List.of(
          RunFigure.LAST_BAG,
          RunFigure.MEAN_BAG,
          RunFigure.HOST_HOURS,
          RunFigure.BUSY,
          RunFigure.LOST);

  /** Returns the table and the charts. */
  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        Stack.of(
            table(),
            Text.of(
                "Ending each bag by its deadline (makespan rule, from its submission) takes at least %s host-hours (clairvoyant bound)."
                    .formatted(Numbers.fixed(bound, 1)))));
    blocks.addAll(charts());
    return blocks;
  }

  private Table table() {
    Columns<String> columns =
        new Columns<String>()
            .text("policy", label -> label)
            .cells(RunFigure.STARTED.words(), 3, label -> cell(label, RunFigure.STARTED))
            .cells(
                "used again",
                3,
                label ->
                    knowsBags(label)
                        ? Cells.estimate(Sample.of(reused(label)), 1)
                        : Table.Cell.absent())
            .cells(
                RunFigure.CLUSTERS.words(),
                3,
                label -> knowsBags(label) ? cell(label, RunFigure.CLUSTERS) : Table.Cell.absent());
    AFTER_CLUSTERS.forEach(each -> columns.cells(each.words(), 3, label -> cell(label, each)));
    return columns.table(id + "-real", caption, runs.labels());
  }

  private static boolean knowsBags(String label) {
    return !label.startsWith(QUEUE_DEPTH);
  }

  private Table.Cell cell(String label, Figure<StudyRun> figure) {
    return Cells.estimate(runs.sample(label, figure), figure.digits());
  }

  /** Returns the hosts that bags used again, run by run. */
  private List<Double> reused(String label) {
    List<Double> reused = new ArrayList<>();
    for (StudyRun run : runs.runs(label)) {
      reused.add(Math.max(0, wanted.get(reused.size()) - run.get(RunFigure.STARTED)));
    }
    return reused;
  }

  // ---- Charts

  private List<Block> charts() {
    Map<String, Double> bounds = new LinkedHashMap<>();
    runs.labels().forEach(each -> bounds.put(each, bound));
    return List.of(
        new Grid(
            2,
            List.of(
                bars(
                    "cost",
                    "Paid time",
                    "Host-hours from request to release of each host. The mark is the least that ends each bag by its "
                        + "deadline (clairvoyant bound).",
                    Axis.of("host-hours"),
                    RunFigure.HOST_HOURS,
                    Optional.of(new Marks("clairvoyant bound", bounds))),
                bars(
                    "time",
                    "Time of a bag",
                    "Mean time from a bag's submission to its end.",
                    Axis.of("mean bag", "min"),
                    RunFigure.MEAN_BAG,
                    Optional.empty()))),
        hosts());
  }

  private BarChart bars(
      String which,
      String title,
      String description,
      Axis axis,
      Figure<StudyRun> figure,
      Optional<Marks> marks) {
    return new BarChart(
        "%s-%s".formatted(id, which),
        title,
        description,
        "policy",
        axis,
        true,
        runs.labels(),
        List.of(Cells.bars("ours", runs.labels(), each -> runs.sample(each, figure))),
        marks);
  }

  private LineChart hosts() {
    List<LineChart.Line> lines = new ArrayList<>();
    for (String label : runs.labels()) {
      lines.add(LineChart.Line.of(label, hostsOverTime(runs.first(label).samples())));
    }
    return new LineChart(
        id + "-hosts",
        "Hosts over time",
        "The first run of each policy: hosts that start, are up or stop, on a logarithmic axis that shows 0 "
            + "as 1.",
        Axis.of("time", "min"),
        Axis.of("hosts").asLogarithmic(),
        LineChart.Style.STEP,
        lines,
        List.of());
  }

  /** Returns the number of hosts over time, thinned out evenly if it changes often. */
  private static List<Point> hostsOverTime(List<FleetSample> samples) {
    List<Point> changes = new ArrayList<>();
    int before = 0;
    for (FleetSample each : samples) {
      if (each.all() != before) {
        changes.add(new Point(each.at() / MINUTE, Math.max(1, each.all())));
      }
      before = each.all();
    }
    int step = (changes.size() + MOST_POINTS - 1) / MOST_POINTS;
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      if (i % step == 0 || i == changes.size() - 1) {
        points.add(changes.get(i));
      }
    }
    return points;
  }

  // ---- Series

  /** Returns hosts over time by state, of the first run of each policy. */
  CsvText hostSeries() {
    record Row(String label, FleetSample hosts) {}
    List<Row> rows = new ArrayList<>();
    for (String label : runs.labels()) {
      runs.first(label).samples().forEach(each -> rows.add(new Row(label, each)));
    }
    return new CsvColumns<Row>()
        .add("policy", Row::label)
        .add("minutes", each -> each.hosts().at() / MINUTE)
        .add("starting", each -> each.hosts().starting())
        .add("idle", each -> each.hosts().idle())
        .add("busy", each -> each.hosts().busy())
        .add("stopping", each -> each.hosts().stopping())
        .add("all", each -> each.hosts().all())
        .of(id + "-hosts", rows);
  }

  /** Returns the totals of all runs. */
  CsvText totals() {
    record Row(StudyRun run, double reused) {}
    List<Row> rows = new ArrayList<>();
    for (String label : runs.labels()) {
      List<StudyRun> its = runs.runs(label);
      List<Double> reused = reused(label);
      for (int i = 0; i < its.size(); i++) {
        rows.add(new Row(its.get(i), reused.get(i)));
      }
    }
    return new CsvColumns<Row>()
        .add("policy", each -> each.run().label())
        .add("seed", each -> each.run().result().seed())
        .add(List.of(RunFigure.STARTED), Row::run, 3)
        .add("used_again", Row::reused)
        .add(List.of(RunFigure.CLUSTERS), Row::run, 3)
        .add(AFTER_CLUSTERS, Row::run, 3)
        .of(id + "-totals", rows);
  }
}

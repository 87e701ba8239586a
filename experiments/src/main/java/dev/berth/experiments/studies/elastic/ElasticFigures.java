package dev.berth.experiments.studies.elastic;

import dev.berth.experiments.Sample;
import dev.berth.experiments.output.Cells;
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
import dev.berth.report.Series;
import dev.berth.report.Stack;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.FleetSample;
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
  private static final List<RunFigure> AFTER_CLUSTERS =
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
    Table.Builder table =
        Table.builder(id + "-real", caption).column(Table.Column.ofText("policy"));
    for (String each :
        List.of(
            "hosts started",
            "used again",
            "clusters",
            "last end min",
            "mean bag min",
            "host-hours",
            "busy %",
            "lost tasks %")) {
      table.column(Table.Column.ofNumbers(each).withGap(3));
    }
    for (String label : runs.labels()) {
      boolean knowsBags = !label.startsWith(QUEUE_DEPTH);
      List<Table.Cell> cells = new ArrayList<>(List.of(Table.Cell.of(label)));
      cells.add(cell(label, RunFigure.STARTED, 1));
      cells.add(knowsBags ? Cells.estimate(Sample.of(reused(label)), 1) : Table.Cell.absent());
      cells.add(knowsBags ? cell(label, RunFigure.CLUSTERS, 2) : Table.Cell.absent());
      AFTER_CLUSTERS.forEach(each -> cells.add(cell(label, each, 1)));
      table.row(cells);
    }
    return table.build();
  }

  private Table.Cell cell(String label, RunFigure figure, int digits) {
    return Cells.estimate(runs.sample(label, figure), digits);
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
    Map<String, BarChart.Bar> cost = new LinkedHashMap<>();
    Map<String, BarChart.Bar> times = new LinkedHashMap<>();
    Map<String, Double> bounds = new LinkedHashMap<>();
    for (String label : runs.labels()) {
      cost.put(label, bar(runs.sample(label, RunFigure.HOST_HOURS)));
      times.put(label, bar(runs.sample(label, RunFigure.MEAN_BAG)));
      bounds.put(label, bound);
    }
    return List.of(
        new Grid(
            2,
            List.of(
                new BarChart(
                    id + "-cost",
                    "Paid time",
                    "Host-hours from request to release of each host. The mark is the least that ends each bag by its "
                        + "deadline (clairvoyant bound).",
                    "policy",
                    Axis.of("host-hours"),
                    true,
                    runs.labels(),
                    List.of(new Series<>("ours", cost)),
                    Optional.of(new Marks("clairvoyant bound", bounds))),
                new BarChart(
                    id + "-time",
                    "Time of a bag",
                    "Mean time from a bag's submission to its end.",
                    "policy",
                    Axis.of("mean bag", "min"),
                    true,
                    runs.labels(),
                    List.of(new Series<>("ours", times)),
                    Optional.empty()))),
        hosts());
  }

  private static BarChart.Bar bar(Sample sample) {
    return new BarChart.Bar(sample.mean(), sample.halfWidth());
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
    CsvText series =
        new CsvText(
            id + "-hosts", "policy", "minutes", "starting", "idle", "busy", "stopping", "all");
    for (String label : runs.labels()) {
      for (FleetSample each : runs.first(label).samples()) {
        series.row(
            label,
            each.at() / MINUTE,
            each.starting(),
            each.idle(),
            each.busy(),
            each.stopping(),
            each.all());
      }
    }
    return series;
  }

  /** Returns the totals of all runs. */
  CsvText totals() {
    CsvText series =
        new CsvText(
            id + "-totals",
            "policy",
            "seed",
            "started",
            "used_again",
            "clusters",
            "last_end_min",
            "mean_bag_min",
            "host_hours",
            "busy_percent",
            "lost_percent");
    for (String label : runs.labels()) {
      List<Double> reused = reused(label);
      List<StudyRun> all = runs.runs(label);
      for (int i = 0; i < all.size(); i++) {
        StudyRun run = all.get(i);
        List<Object> row = new ArrayList<>();
        row.add(label);
        row.add(run.result().seed());
        row.add(run.get(RunFigure.STARTED));
        row.add(reused.get(i));
        row.add(run.get(RunFigure.CLUSTERS));
        AFTER_CLUSTERS.forEach(
            each -> {
              var figure = each.of(run);
              row.add(figure.isPresent() ? figure.getAsDouble() : "");
            });
        series.row(row.toArray());
      }
    }
    return series;
  }
}

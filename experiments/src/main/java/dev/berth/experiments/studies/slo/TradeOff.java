package dev.berth.experiments.studies.slo;

import com.google.common.collect.ImmutableMap;
import dev.berth.experiments.figures.Cells;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.figures.Sample;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.experiments.study.Study;
import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.Chart;
import dev.berth.report.Grid;
import dev.berth.report.LineChart;
import dev.berth.report.Numbers;
import dev.berth.report.OnlyFor;
import dev.berth.report.Point;
import dev.berth.report.Reference;
import dev.berth.report.ScatterChart;
import dev.berth.report.Table;
import dev.berth.simulator.workload.ServiceClasses;
import java.util.ArrayList;
import java.util.List;

/** What preemptions buy: validation 1 while ε, the share of its life for restarts, moves. */
record TradeOff(Runs runs) {

  private static final List<Double> SHARES =
      List.of(0.0025, 0.005, 0.01, 0.0125, 0.015, 0.02, 0.04);
  private static final String BRONZE = ServiceClasses.BRONZE;
  private static final List<Figure> DEFICITS = List.of(Figure.DEFICIT, Figure.MAX_DEFICIT);

  static TradeOff of(int seeds, Study.Setting setting) {
    List<PolicySpec> policies = new ArrayList<>();
    policies.add(PolicySpec.of(HysteresisStudy.QOS_DRIVEN));
    for (double each : SHARES) {
      policies.add(
          PolicySpec.of(
              label(each),
              HysteresisStudy.HYSTERESIS,
              "{\"restartShare\":%s}".formatted(Numbers.plain(each))));
    }
    return new TradeOff(
        Runs.of(
            HysteresisStudy.runs(
                policies,
                BuiltInWorkloads.WATCHDOG,
                seed -> BuiltInWorkloads.validation1(seed, BuiltInWorkloads.WATCHDOG),
                seeds,
                setting)));
  }

  private static String label(double share) {
    return "ε " + Numbers.plain(share);
  }

  List<Block> blocks(String study) {
    String title = "The trade-off: validation 1 as ε (restartShare) moves";
    return List.of(
        OnlyFor.inText(title),
        table(study, title),
        new Grid(2, List.of(bought(study), byShare(study))));
  }

  private Table table(String study, String title) {
    Columns<String> columns = new Columns<String>().unnamed("policy", label -> label);
    ImmutableMap.of(
            "preemptions", Figure.PREEMPTIONS,
            "lost work h", Figure.LOST_WORK,
            "penalty core h", Figure.PENALTY)
        .forEach(
            (name, figure) ->
                columns.cells(
                    name, label -> Cells.estimate(runs.total(label, figure), figure.digits())));
    columns.cells(
        "silver",
        "SLO met",
        label -> Cells.estimate(runs.of(label, ServiceClasses.SILVER, Figure.MET), 3));
    ImmutableMap.of(
            "min", Figure.MIN,
            "mean", Figure.MEAN,
            "SLO met", Figure.MET,
            "deficit", Figure.DEFICIT,
            "max", Figure.MAX_DEFICIT)
        .forEach(
            (name, figure) ->
                columns.cells(
                    "bronze",
                    name,
                    label -> Cells.estimate(runs.of(label, BRONZE, figure), figure.digits())));
    return columns.table(study + "-restart-share", title, runs.labels());
  }

  private static String words(Figure deficit) {
    return deficit == Figure.DEFICIT ? "mean" : "greatest";
  }

  private Chart bought(String study) {
    List<ScatterChart.Cloud> clouds = new ArrayList<>();
    for (Figure each : DEFICITS) {
      clouds.add(
          new ScatterChart.Cloud(
              words(each) + " deficit, qos-hysteresis",
              SHARES.stream().map(share -> point(label(share), each)).toList()));
    }
    for (Figure each : DEFICITS) {
      clouds.add(
          new ScatterChart.Cloud(
              words(each) + " deficit, qos-driven",
              List.of(point(HysteresisStudy.QOS_DRIVEN, each))));
    }
    double most =
        clouds.stream()
            .flatMap(each -> each.points().stream())
            .mapToDouble(Point::x)
            .max()
            .orElseThrow();
    return new ScatterChart(
        study + "-trade-off",
        "What preemptions buy",
        "Mean and greatest deficit of bronze against the number of preemptions, means over the"
            + " seeds. From the "
            + "left, ε is %s."
                .formatted(String.join(", ", SHARES.stream().map(Numbers::plain).toList())),
        Axis.of("preemptions").within(0, thousandAbove(most)),
        Axis.of("deficit of bronze"),
        clouds,
        List.of());
  }

  private static double thousandAbove(double value) {
    return 1_000 * (1 + Math.floor(value / 1_000));
  }

  private Point point(String label, Figure deficit) {
    return new Point(
        runs.total(label, Figure.PREEMPTIONS).mean(), runs.of(label, BRONZE, deficit).mean());
  }

  private Chart byShare(String study) {
    List<LineChart.Line> lines =
        DEFICITS.stream()
            .map(each -> line(words(each) + " deficit, qos-hysteresis", each))
            .toList();
    double usual = runs.of(HysteresisStudy.QOS_DRIVEN, BRONZE, Figure.DEFICIT).mean();
    return new LineChart(
        study + "-by-share",
        "Deficit of bronze by ε",
        "Mean and greatest deficit of bronze by the share of its life that an instance may spend on"
            + " restarts. The bands are 95 % confidence intervals. The horizontal line is the mean"
            + " under qos-driven.",
        Axis.of("ε").asLogarithmic(),
        Axis.of("deficit of bronze"),
        LineChart.Style.STRAIGHT,
        lines,
        List.of(Reference.horizontal("mean, qos-driven", usual)));
  }

  private LineChart.Line line(String name, Figure figure) {
    List<Point> points = new ArrayList<>();
    List<LineChart.Range> band = new ArrayList<>();
    for (double share : SHARES) {
      Sample sample = runs.of(label(share), BRONZE, figure);
      double half = sample.halfWidth().orElse(0);
      points.add(new Point(share, sample.mean()));
      band.add(new LineChart.Range(sample.mean() - half, sample.mean() + half));
    }
    return new LineChart.Line(name, points, band);
  }
}

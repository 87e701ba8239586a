package dev.berth.report.render;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.report.Attachment;
import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.BarChart.Bar;
import dev.berth.report.BoxChart;
import dev.berth.report.BoxChart.Box;
import dev.berth.report.Chart;
import dev.berth.report.Details;
import dev.berth.report.Document;
import dev.berth.report.Folded;
import dev.berth.report.Grid;
import dev.berth.report.HeatMap;
import dev.berth.report.HeatMap.Bins;
import dev.berth.report.HeatMap.Quadrant;
import dev.berth.report.HeatMap.Quadrants;
import dev.berth.report.IntervalChart;
import dev.berth.report.IntervalChart.Interval;
import dev.berth.report.LineChart;
import dev.berth.report.LineChart.Line;
import dev.berth.report.LineChart.Range;
import dev.berth.report.Marks;
import dev.berth.report.Point;
import dev.berth.report.Reference;
import dev.berth.report.ScatterChart;
import dev.berth.report.ScatterChart.Cloud;
import dev.berth.report.Section;
import dev.berth.report.Series;
import dev.berth.report.Table;
import dev.berth.report.Table.Cell;
import dev.berth.report.Table.Column;
import dev.berth.report.Text;
import dev.berth.report.TimelineChart;
import dev.berth.timeline.RunTimeline;
import dev.berth.timeline.TimelineRecorder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.Collectors;

/** A document with charts, tables and text, filled like the report of an experiment. */
final class SampleDocument {

  /** Text that a page must escape. */
  static final String HOSTILE =
      "</script><img src=x onerror=\"document.title='taken'\"> <!--<script> \"q\" 'a' & ]]>"
          + " {{data}} $1 \\ \u2028 \uD83D\uDEA2 \u05E9\u05DC\u05D5\u05DD \u202Eabc\u202C";

  private static final List<String> CLASSES = List.of("production", "middle", "batch", "free");
  private static final List<String> POLICIES = List.of("qos-driven", "priority", "first-fit");
  private static final Axis AVAILABILITY = Axis.of("availability", "share of time");

  private SampleDocument() {}

  /** Writes the page to the file that the first argument names. */
  public static void main(String[] arguments) throws IOException {
    new HtmlRenderer().write(page(), Path.of(arguments[0]));
  }

  static Document page() {
    return new Document(
        "Availability under contention",
        "Three policies over one trace of 8,152 requests on 1,523 hosts; seeds 1 to 30.",
        List.of(
            new Section(
                "summary",
                "Summary",
                List.of(
                    Text.of(
                        "Each policy saw the same requests and the same luck. Values are means over"
                            + " seeds, with half the width of their 95 % confidence intervals."),
                    Text.bullets(
                        "qos-driven meets the objective of all classes but one.",
                        "priority gives the highest classes all, and the lowest next to nothing."),
                    table(),
                    new Details(
                        "Effective configuration",
                        "{\n  \"policy\" : \"qos-driven\",\n  \"safetyMargin\" : 0.01\n}"))),
            new Section("classes", "By class", List.of(bars(), boxes(), intervals())),
            new Section("requests", "By request", List.of(scatter(), heatMaps())),
            new Section(
                "time", "Over time", List.of(demand(), new Grid(2, List.of(band(), decay())))),
            new Section("published", "Published and ours", List.of(published())),
            new Section(
                "what-ran",
                "What ran",
                List.of(timeline(), new Folded("More", List.of(Text.of("Folded."))))),
            new Section(
                "names", "Names of all kinds " + HOSTILE, List.of(hostile(), hostileChart()))),
        List.of(
            new Attachment("results.json", "application/json", "{\"a\":\"" + HOSTILE + "\"}"),
            new Attachment(
                "results.csv", "text/csv", "policy,availability\r\nqos-driven,0.97\r\n")));
  }

  /** Two runs, of which each preempts an instance with a hostile name. */
  static TimelineChart timeline() {
    List<TimelineChart.Run> runs = new ArrayList<>();
    for (String policy : List.of("qos-driven", "priority")) {
      TimelineRecorder recorder =
          new TimelineRecorder(
              List.of(
                  ServiceClass.builder("production").slo(0.99).build(),
                  ServiceClass.builder("batch").slo(0.5).importance(2).build()),
              0);
      Resources core = Resources.of(Dimension.CPU, Dimension.CPU.whole(1));
      long hour = Duration.ofHours(1).toNanos();
      recorder.hostUp(new HostSpec("host-1", core), 0);
      recorder.submitted(Request.builder(HOSTILE, "batch").demand(core).build(), 0);
      recorder.acted(new Action.Place(HOSTILE, "host-1", List.of()), hour);
      recorder.ready(HOSTILE, 2 * hour);
      recorder.submitted(Request.builder("urgent", "production").demand(core).build(), 4 * hour);
      recorder.acted(new Action.Preempt(HOSTILE, "host-1", "urgent"), 5 * hour);
      recorder.acted(new Action.Place("urgent", "host-1", List.of(HOSTILE)), 5 * hour);
      recorder.ready("urgent", 5 * hour);
      recorder.ended("urgent", RunTimeline.End.COMPLETED, false, 8 * hour);
      runs.add(
          new TimelineChart.Run(
              policy, recorder.finish(10 * hour), "berth explain {id} --at {at} --policy x"));
    }
    return new TimelineChart("timeline", "What ran where", "Two runs of one host.", runs);
  }

  private static Table table() {
    List<List<Cell>> rows = new ArrayList<>();
    rows.add(
        List.of(
            Cell.of("qos-driven"),
            Cell.of(0.9731, 0.0021, 4).asBest(),
            Cell.of(0.8123, 0.0103, 4).asBest(),
            Cell.of(0.51, 0.02, 4),
            Cell.of(12345, 0),
            Cell.of(1.25, 2).asBest()));
    rows.add(
        List.of(
            Cell.of("priority"),
            Cell.of(0.9702, 0.0019, 4),
            Cell.of(0.6011, 0.0212, 4),
            Cell.of(0.03, 0.001, 4),
            Cell.of(8210, 0),
            Cell.of(1.91, 2)));
    rows.add(
        List.of(
            Cell.of("first-fit"),
            Cell.of(0.7012, 0.0191, 4),
            Cell.of(0.7110, 0.0112, 4),
            Cell.of(0.7099, 0.01, 4).asBest(),
            Cell.of(0, 0).asBest(),
            Cell.of("–")));
    return Table.of(
        "summary-table",
        "Mean availability by class, preemptions and penalty",
        List.of(
            Column.ofText("policy"),
            Column.ofNumbers("production", ""),
            Column.ofNumbers("middle", ""),
            Column.ofNumbers("batch", ""),
            Column.ofNumbers("preemptions", ""),
            Column.ofNumbers("penalty", "k$")),
        rows);
  }

  private static BarChart bars() {
    List<Series<Bar>> series = new ArrayList<>();
    double[][] values = {
      {0.99, 0.91, 0.55, 0.2}, {0.999, 0.75, 0.31, 0.02}, {0.7, 0.71, 0.69, 0.7}
    };
    for (int p = 0; p < POLICIES.size(); p++) {
      Map<String, Bar> bars = new LinkedHashMap<>();
      for (int c = 0; c < CLASSES.size(); c++) {
        if (p != 1 || c != 3) {
          bars.put(CLASSES.get(c), Bar.of(values[p][c], 0.01 + 0.02 * c));
        }
      }
      series.add(new Series<>(POLICIES.get(p), bars));
    }
    return new BarChart(
        "availability-bars",
        "Mean availability by class",
        "Bars are means over 30 seeds, whiskers their 95 % confidence intervals; dashes are the"
            + " objectives. Free requests have none, and priority never ran one.",
        "service class",
        AVAILABILITY.within(0, 1.1),
        false,
        CLASSES,
        series,
        Optional.of(
            new Marks("objective", Map.of("production", 0.95, "middle", 0.9, "batch", 0.5))));
  }

  private static BoxChart boxes() {
    Random random = new Random(3);
    List<Series<Box>> series = new ArrayList<>();
    for (String policy : POLICIES) {
      Map<String, Box> boxes = new LinkedHashMap<>();
      for (String each : CLASSES) {
        double[] sample = new double[7];
        Arrays.setAll(sample, i -> Math.min(1, Math.max(0, 0.6 + 0.25 * random.nextGaussian())));
        Arrays.sort(sample);
        boxes.put(
            each,
            new Box(
                sample[0],
                sample[1],
                sample[3],
                sample[5],
                sample[6],
                OptionalDouble.of(Arrays.stream(sample).average().orElseThrow()),
                17));
      }
      series.add(new Series<>(policy, boxes));
    }
    return new BoxChart(
        "availability-boxes",
        "Availability of requests by class",
        "Boxes are quartiles, whiskers reach from the 5th to the 95th percentile, symbols are"
            + " means.",
        "service class",
        AVAILABILITY.within(0, 1),
        CLASSES,
        series,
        Optional.of(
            new Marks("objective", Map.of("production", 0.95, "middle", 0.9, "batch", 0.5))));
  }

  private static IntervalChart intervals() {
    List<String> contention = List.of("0.8", "0.9", "1.0", "1.1", "1.2", "1.3", "1.4");
    List<Series<Interval>> series = new ArrayList<>();
    for (int p = 0; p < POLICIES.size(); p++) {
      Map<String, Interval> intervals = new LinkedHashMap<>();
      for (int i = 0; i < contention.size(); i++) {
        double mean = 10 * Math.exp(i * (0.4 + 0.35 * p));
        intervals.put(contention.get(i), new Interval(mean, mean * 0.8, mean * 1.35));
      }
      series.add(new Series<>(POLICIES.get(p), intervals));
    }
    return new IntervalChart(
        "penalty-intervals",
        "Penalty by contention",
        "Means over 30 seeds with 95 % confidence intervals. The axis is logarithmic.",
        "contention (demand / capacity)",
        Axis.of("penalty", "$").asLogarithmic(),
        contention,
        series,
        Optional.empty());
  }

  private static ScatterChart scatter() {
    Random random = new Random(7);
    List<Cloud> clouds = new ArrayList<>();
    int[] sizes = {4000, 1500, 300};
    for (int p = 0; p < POLICIES.size(); p++) {
      double shape = 0.5 + p;
      int size = sizes[p];
      List<Point> points =
          random.doubles(size).map(u -> Math.pow(u, shape)).sorted().boxed().toList().stream()
              .collect(
                  ArrayList::new,
                  (list, y) -> list.add(new Point(100.0 * list.size() / size, y)),
                  List::addAll);
      clouds.add(new Cloud(POLICIES.get(p), points));
    }
    return new ScatterChart(
        "availability-sorted",
        "Availability of each request, sorted",
        "Each symbol is one request; the lowest availability is at the left.",
        Axis.of("requests, sorted", "%"),
        AVAILABILITY,
        clouds,
        List.of(Reference.horizontal("objective 0.9", 0.9), Reference.vertical("median", 50)));
  }

  private static Grid heatMaps() {
    List<Chart> charts = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Random random = new Random(i);
      List<Point> points = new ArrayList<>();
      double spread = 0.15 + 0.1 * i;
      for (int k = 0; k < 20000; k++) {
        double x = Math.max(0, 1 - Math.abs(random.nextGaussian()) * spread);
        points.add(
            new Point(x, Math.min(1, Math.max(0, x + spread * random.nextGaussian() - 0.1 * i))));
      }
      charts.add(heatMap("paired-" + CLASSES.get(i), CLASSES.get(i), points));
    }
    return new Grid(3, charts);
  }

  private static List<HeatMap.Cell> cells(Bins bins, List<Point> points) {
    return points.stream()
        .collect(
            Collectors.groupingBy(
                each -> List.of(bins.indexOf(each.x()), bins.indexOf(each.y())),
                Collectors.counting()))
        .entrySet()
        .stream()
        .map(each -> new HeatMap.Cell(each.getKey().get(0), each.getKey().get(1), each.getValue()))
        .toList();
  }

  private static HeatMap heatMap(String id, String title, List<Point> points) {
    double at = 0.9;
    double all = points.size();
    Bins bins = new Bins(0, 1, 40);
    return new HeatMap(
        id,
        "Request by request: " + title,
        "Above the dotted line, priority gave more; below it, qos-driven did.",
        Axis.of("qos-driven"),
        Axis.of("priority"),
        bins,
        bins,
        cells(bins, points),
        true,
        Optional.of(
            new Quadrants(
                at,
                at,
                new Quadrant(
                    "priority only",
                    points.stream().filter(p -> p.x() < at && p.y() >= at).count() / all),
                new Quadrant(
                    "both meet it",
                    points.stream().filter(p -> p.x() >= at && p.y() >= at).count() / all),
                new Quadrant(
                    "neither", points.stream().filter(p -> p.x() < at && p.y() < at).count() / all),
                new Quadrant(
                    "qos-driven only",
                    points.stream().filter(p -> p.x() >= at && p.y() < at).count() / all))),
        true);
  }

  private static LineChart demand() {
    List<Line> lines = new ArrayList<>();
    for (int c = 0; c < CLASSES.size(); c++) {
      List<Point> points = new ArrayList<>();
      for (int hour = 0; hour <= 168; hour++) {
        points.add(
            new Point(
                hour, 900 + 200 * c + (300 + 100 * c) * Math.sin(hour / 24.0 * 2 * Math.PI + c)));
      }
      lines.add(Line.of(CLASSES.get(c), points));
    }
    return new LineChart(
        "demand",
        "Demand and capacity",
        "CPU asked for by those who are there, by class, the first class lowest.",
        Axis.of("time", "h"),
        Axis.of("CPU", "cores"),
        LineChart.Style.STACKED_STEP,
        lines,
        List.of(Reference.horizontal("capacity", 6500), Reference.vertical("a third fails", 100)));
  }

  private static LineChart band() {
    List<Line> lines = new ArrayList<>();
    for (int p = 0; p < 2; p++) {
      List<Point> points = new ArrayList<>();
      List<Range> band = new ArrayList<>();
      for (int i = 0; i <= 20; i++) {
        double y = 1 - 0.02 * i - 0.01 * p * i;
        points.add(new Point(0.5 + i * 0.05, y));
        band.add(new Range(y - 0.01 - 0.002 * i, y + 0.01 + 0.001 * i));
      }
      lines.add(new Line(POLICIES.get(p), points, band));
    }
    return LineChart.of(
        "availability-contention",
        "Availability by contention",
        "Lines are means, bands their 95 % confidence intervals.",
        Axis.of("contention"),
        AVAILABILITY,
        lines);
  }

  private static LineChart decay() {
    List<Line> lines = new ArrayList<>();
    for (int p = 0; p < 3; p++) {
      List<Point> points = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        points.add(new Point(Math.pow(10, i / 60.0), Math.exp(-i / (40.0 + 20 * p))));
      }
      lines.add(Line.of(POLICIES.get(p), points));
    }
    return LineChart.of(
        "deficits",
        "Share of requests with a larger deficit",
        "Both axes are logarithmic.",
        Axis.of("deficit", "s").asLogarithmic(),
        Axis.of("share of requests").asLogarithmic(),
        lines);
  }

  private static BarChart published() {
    List<String> metrics =
        List.of(
            "requests that meet their objective",
            "preemptions per request",
            "mean deficit of who misses it",
            "migrations");
    Map<String, Bar> published = new LinkedHashMap<>();
    Map<String, Bar> ours = new LinkedHashMap<>();
    for (int i = 0; i < metrics.size(); i++) {
      published.put(metrics.get(i), Bar.of(92 - 21 * i));
      ours.put(metrics.get(i), Bar.of(90 - 18 * i, 2));
    }
    return new BarChart(
        "published-bars",
        "Published figures beside ours",
        "In per cent of what first-fit reaches.",
        "figure",
        Axis.of("of first-fit", "%"),
        true,
        metrics,
        List.of(new Series<>("published", published), new Series<>("ours", ours)),
        Optional.of(new Marks("bound", Map.of("migrations", 60.0))));
  }

  private static Table hostile() {
    return Table.of(
        "hostile-table",
        HOSTILE,
        List.of(Column.ofText(HOSTILE), Column.ofNumbers("number", HOSTILE)),
        List.of(
            List.of(Cell.of(HOSTILE), Cell.of(1e9, 1)),
            List.of(Cell.of("=SUM(A1)"), Cell.of(-0.5, 0.1, 2))));
  }

  private static IntervalChart hostileChart() {
    return new IntervalChart(
        "hostile-chart",
        HOSTILE,
        HOSTILE,
        HOSTILE,
        Axis.of(HOSTILE, "{value}"),
        List.of(HOSTILE, "{b}"),
        List.of(
            new Series<>(
                HOSTILE, Map.of(HOSTILE, new Interval(2, 1, 3), "{b}", new Interval(1e-7, -1, 1)))),
        Optional.of(new Marks(HOSTILE + HOSTILE, Map.of("{b}", 0.0))));
  }
}

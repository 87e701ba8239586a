package dev.berth.report.render;

import dev.berth.report.BarChart;
import dev.berth.report.BoxChart;
import dev.berth.report.CategoryChart;
import dev.berth.report.Chart;
import dev.berth.report.HeatMap;
import dev.berth.report.IntervalChart;
import dev.berth.report.LineChart;
import dev.berth.report.Numbers;
import dev.berth.report.Point;
import dev.berth.report.ScatterChart;
import dev.berth.report.Series;
import dev.berth.report.Table;
import dev.berth.report.Table.Cell;
import dev.berth.report.Table.Column;
import dev.berth.report.TimelineChart;
import dev.berth.timeline.RunTimeline;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The data of charts as tables: a row for each point, value or cell that a chart draws. */
final class ChartTables {

  private static final String OUTLIERS = "outliers";
  private static final Column SERIES = Column.ofText("series");

  private ChartTables() {}

  static Table of(Chart chart) {
    if (chart instanceof LineChart lines) {
      return lines(lines);
    }
    if (chart instanceof ScatterChart scatter) {
      return scatter(scatter);
    }
    if (chart instanceof TimelineChart timeline) {
      return timeline(timeline);
    }
    if (chart instanceof CategoryChart<?> values) {
      return byCategory(values);
    }
    return heatMap((HeatMap) chart);
  }

  private static Table timeline(TimelineChart chart) {
    Table.Builder table =
        Table.builder(chart.id(), chart.title())
            .column(Column.ofText("run"))
            .column(Column.ofText("instance"))
            .column(Column.ofText("class"))
            .column(Column.ofText("state"))
            .column(Column.ofText("host"))
            .column(Column.ofNumbers("from", "s"))
            .column(Column.ofNumbers("to", "s"));
    for (TimelineChart.Run run : chart.runs()) {
      RunTimeline its = run.timeline();
      RunTimeline.Spans spans = its.spans();
      for (int i = 0; i < spans.from().size(); i++) {
        int instance = spans.instance().index(i);
        int host = spans.host().index(i);
        int serviceClass = instance < 0 ? -1 : its.instances().serviceClass().index(instance);
        table.row(
            Cell.of(run.name()),
            instance < 0 ? Cell.absent() : Cell.of(its.instances().ids().get(instance)),
            instance < 0 ? Cell.absent() : Cell.of(its.classes().get(serviceClass).name()),
            Cell.of(spans.state().as(i, RunTimeline.State.values()).name()),
            host < 0 ? Cell.absent() : Cell.of(its.hosts().get(host).name()),
            exact(spans.from().get(i) / 1e9),
            exact(spans.to().get(i) / 1e9));
      }
    }
    return table.build();
  }

  private static Table lines(LineChart chart) {
    Table.Builder table =
        Table.builder(chart.id(), chart.title())
            .column(SERIES)
            .column(Column.ofNumbers("x", chart.x().unit()))
            .column(Column.ofNumbers("y", chart.y().unit()))
            .column(Column.ofNumbers("low", chart.y().unit()))
            .column(Column.ofNumbers("high", chart.y().unit()));
    for (LineChart.Line line : chart.lines()) {
      for (int i = 0; i < line.points().size(); i++) {
        Point point = line.points().get(i);
        boolean banded = !line.band().isEmpty();
        table.row(
            Cell.of(line.name()),
            exact(point.x()),
            exact(point.y()),
            banded ? exact(line.band().get(i).low()) : Cell.absent(),
            banded ? exact(line.band().get(i).high()) : Cell.absent());
      }
    }
    return table.build();
  }

  private static Table scatter(ScatterChart chart) {
    Table.Builder table =
        Table.builder(chart.id(), chart.title())
            .column(SERIES)
            .column(Column.ofNumbers("x", chart.x().unit()))
            .column(Column.ofNumbers("y", chart.y().unit()));
    for (ScatterChart.Cloud cloud : chart.clouds()) {
      for (Point point : cloud.points()) {
        table.row(Cell.of(cloud.name()), exact(point.x()), exact(point.y()));
      }
    }
    return table.build();
  }

  private static Table byCategory(CategoryChart<?> chart) {
    Table.Builder table =
        Table.builder(chart.id(), chart.title())
            .column(Column.ofText(chart.category()).withKey("category"))
            .column(SERIES);
    for (String each : figures(chart)) {
      String unit = each.equals(OUTLIERS) ? "" : chart.value().unit();
      table.column(Column.ofNumbers(each, unit));
    }
    for (String each : chart.categories()) {
      for (Series<?> one : chart.series()) {
        Object value = one.values().get(each);
        if (value != null) {
          List<Cell> row = new ArrayList<>(List.of(Cell.of(each), Cell.of(one.name())));
          row.addAll(cells(value));
          table.row(row);
        }
      }
    }
    return table.build();
  }

  private static List<String> figures(CategoryChart<?> chart) {
    if (chart instanceof BarChart) {
      return List.of("value", "error");
    }
    return chart instanceof IntervalChart
        ? List.of("mean", "low", "high")
        : List.of("low", "lower quartile", "median", "upper quartile", "high", "mean", OUTLIERS);
  }

  private static List<Cell> cells(Object value) {
    if (value instanceof BarChart.Bar bar) {
      return List.of(exact(bar.value()), exact(bar.error()));
    }
    if (value instanceof IntervalChart.Interval interval) {
      return List.of(exact(interval.mean()), exact(interval.low()), exact(interval.high()));
    }
    BoxChart.Box box = (BoxChart.Box) value;
    return List.of(
        exact(box.low()),
        exact(box.lowerQuartile()),
        exact(box.median()),
        exact(box.upperQuartile()),
        exact(box.high()),
        exact(box.mean()),
        Cell.count(box.outliers()));
  }

  private static Table heatMap(HeatMap chart) {
    Table.Builder table =
        Table.builder(chart.id(), chart.title())
            .column(Column.ofNumbers("x from", chart.x().unit()))
            .column(Column.ofNumbers("y from", chart.y().unit()))
            .column(Column.ofNumbers("count"));
    for (HeatMap.Cell cell : chart.cells()) {
      table.row(
          exact(start(chart.xBins(), cell.x())),
          exact(start(chart.yBins(), cell.y())),
          Cell.count(cell.count()));
    }
    return table.build();
  }

  private static double start(HeatMap.Bins bins, int bin) {
    return bins.from() + (bins.to() - bins.from()) * bin / bins.count();
  }

  private static Cell exact(double value) {
    return Cell.of(Numbers.plain(value), value);
  }

  private static Cell exact(OptionalDouble value) {
    return value.isPresent() ? exact(value.getAsDouble()) : Cell.absent();
  }
}

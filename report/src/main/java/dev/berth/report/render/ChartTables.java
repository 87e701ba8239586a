package dev.berth.report.render;

import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.BoxChart;
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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

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
    if (chart instanceof BarChart bars) {
      return byCategory(
          chart,
          bars.category(),
          bars.value(),
          bars.categories(),
          bars.series(),
          List.of("value", "error"),
          bar ->
              List.of(
                  exact(bar.value()),
                  bar.error().isPresent() ? exact(bar.error().getAsDouble()) : Cell.absent()));
    }
    if (chart instanceof IntervalChart intervals) {
      return byCategory(
          chart,
          intervals.category(),
          intervals.value(),
          intervals.categories(),
          intervals.series(),
          List.of("mean", "low", "high"),
          each -> List.of(exact(each.mean()), exact(each.low()), exact(each.high())));
    }
    if (chart instanceof BoxChart boxes) {
      return byCategory(
          chart,
          boxes.category(),
          boxes.value(),
          boxes.categories(),
          boxes.series(),
          List.of("low", "lower quartile", "median", "upper quartile", "high", "mean", OUTLIERS),
          ChartTables::box);
    }
    return heatMap((HeatMap) chart);
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

  private static <V> Table byCategory(
      Chart chart,
      String category,
      Axis axis,
      List<String> categories,
      List<Series<V>> series,
      List<String> figures,
      Function<V, List<Cell>> cells) {
    Table.Builder table =
        Table.builder(chart.id(), chart.title())
            .column(Column.ofText(category).withKey("category"))
            .column(SERIES);
    figures.forEach(
        figure ->
            table.column(Column.ofNumbers(figure, figure.equals(OUTLIERS) ? "" : axis.unit())));
    for (String each : categories) {
      for (Series<V> one : series) {
        V value = one.values().get(each);
        if (value != null) {
          List<Cell> row = new ArrayList<>(List.of(Cell.of(each), Cell.of(one.name())));
          row.addAll(cells.apply(value));
          table.row(row);
        }
      }
    }
    return table.build();
  }

  private static List<Cell> box(BoxChart.Box box) {
    return List.of(
        exact(box.low()),
        exact(box.lowerQuartile()),
        exact(box.median()),
        exact(box.upperQuartile()),
        exact(box.high()),
        box.mean().isPresent() ? exact(box.mean().getAsDouble()) : Cell.absent(),
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
}

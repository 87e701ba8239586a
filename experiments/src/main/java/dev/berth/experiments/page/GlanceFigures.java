package dev.berth.experiments.page;

import com.google.common.collect.Maps;
import dev.berth.experiments.figures.Cells;
import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.figures.Summary;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.Chart;
import dev.berth.report.Marks;
import dev.berth.report.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The pictures that show at a glance which policy serves better, and when. */
final class GlanceFigures {

  private GlanceFigures() {}

  /** Returns the share of the requests of each class that met their objective. */
  static Chart met(String id, String title, Summary.Group group) {
    List<Series<BarChart.Bar>> series = new ArrayList<>();
    Optional<Marks> possible = Optional.empty();
    for (Summary.Row row : group.rows()) {
      Series<BarChart.Bar> bars =
          Cells.bars(
              row.policy().label(), group.classNames(), each -> row.get(each, ClassFigures.MET));
      if (row.policy().role() == ComparedPolicy.Role.POLICY) {
        series.add(bars);
      } else if (row.policy().role() == ComparedPolicy.Role.UPPER_BOUND) {
        possible =
            Optional.of(
                new Marks(bars.name(), Maps.transformValues(bars.values(), BarChart.Bar::value)));
      }
    }
    return new BarChart(
        id,
        title,
        "Share of the requests of each class that met their objective.",
        "class",
        Axis.of("met").within(0, 1),
        false,
        group.classNames(),
        series,
        possible);
  }
}

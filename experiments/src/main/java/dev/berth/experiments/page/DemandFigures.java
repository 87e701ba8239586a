package dev.berth.experiments.page;

import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.Chart;
import dev.berth.report.Grid;
import dev.berth.report.LineChart;
import dev.berth.report.Numbers;
import dev.berth.report.Point;
import dev.berth.report.Reference;
import dev.berth.report.Text;
import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.metrics.Timeline;
import dev.berth.simulator.metrics.Timeline.Column;
import dev.berth.simulator.metrics.Timeline.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Demand over time, by class, compared with the capacity (figures 1 and 2). */
final class DemandFigures {

  private static final int MOST_WORKLOADS = 10;

  private DemandFigures() {}

  static List<Block> of(List<CellResult> results) {
    Map<String, List<CellResult>> byWorkload = new LinkedHashMap<>();
    for (CellResult each : results) {
      if (each.stored().isPresent()) {
        byWorkload
            .computeIfAbsent(each.cell().setting().workload(), name -> new ArrayList<>())
            .add(each);
      }
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        Text.of(
            "Demand of the admitted requests, stacked by class (figures 1 and 2 of the paper). If the "
                + "infinite host was run, its run is shown, in which no request waits. Lines: capacity "
                + "of the hosts."
                + (byWorkload.size() > MOST_WORKLOADS
                    ? " The first %s workloads.".formatted(MOST_WORKLOADS)
                    : "")));
    int number = 1;
    for (var each : byWorkload.entrySet()) {
      if (number <= MOST_WORKLOADS) {
        List<Chart> charts = charts(number, each.getKey(), each.getValue());
        if (!charts.isEmpty()) {
          blocks.add(new Grid(2, charts));
        }
      }
      number++;
    }
    return blocks;
  }

  private static List<Chart> charts(int number, String workload, List<CellResult> its) {
    Optional<CellResult> unhindered =
        its.stream()
            .filter(each -> each.cell().policy().role() == ComparedPolicy.Role.UPPER_BOUND)
            .findFirst();
    RunMetrics run = unhindered.orElse(its.get(0)).metrics().orElseThrow();
    Timeline timeline = run.timeline();
    Set<String> dimensions = new LinkedHashSet<>();
    timeline.columns().stream()
        .filter(each -> each.quantity() == Quantity.DEMAND)
        .forEach(each -> dimensions.add(each.dimension()));
    List<Chart> charts = new ArrayList<>();
    for (String dimension : dimensions) {
      List<LineChart.Line> lines = new ArrayList<>();
      for (Column column : timeline.columns()) {
        if (column.quantity() == Quantity.DEMAND && column.dimension().equals(dimension)) {
          lines.add(LineChart.Line.of(column.serviceClass(), points(timeline, column)));
        }
      }
      if (lines.stream().anyMatch(each -> !each.points().isEmpty())) {
        charts.add(
            new LineChart(
                "demand-%s-%s".formatted(number, ExperimentPage.plain(dimension)),
                "%s: %s".formatted(workload, dimension),
                "Demand of each class over time, stacked, and the capacity.",
                Axis.of("time", "h").within(0, end(lines)),
                Axis.of(dimension),
                LineChart.Style.STACKED_STEP,
                lines,
                capacities(its, dimension)));
      }
    }
    return charts;
  }

  private static double end(List<LineChart.Line> lines) {
    return lines.stream()
        .flatMap(each -> each.points().stream())
        .mapToDouble(Point::x)
        .max()
        .orElseThrow();
  }

  private static List<Point> points(Timeline timeline, Column column) {
    return IntStream.range(0, column.values().size())
        .mapToObj(i -> new Point((i + 1) * timeline.step() / 3600, column.values().get(i)))
        .toList();
  }

  /** Returns the capacity of the hosts at the start, at each scale. */
  private static List<Reference> capacities(List<CellResult> its, String dimension) {
    Map<String, Reference> references = new LinkedHashMap<>();
    for (CellResult each : its) {
      String label = "× " + Numbers.plain(each.cell().setting().scale());
      if (each.cell().policy().role() != ComparedPolicy.Role.UPPER_BOUND
          && !references.containsKey(label)) {
        List<Double> capacity =
            each.metrics().orElseThrow().timeline().values(Quantity.CAPACITY, dimension, "");
        if (!capacity.isEmpty()) {
          references.put(label, Reference.horizontal(label, capacity.get(0)));
        }
      }
    }
    return List.copyOf(references.values());
  }
}

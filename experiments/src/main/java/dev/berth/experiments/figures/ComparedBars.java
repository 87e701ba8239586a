package dev.berth.experiments.figures;

import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.Series;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Bars of published figures beside ours. A figure that was not published has no bar. */
public final class ComparedBars {

  private final Map<String, BarChart.Bar> published = new LinkedHashMap<>();
  private final Map<String, BarChart.Bar> ours = new LinkedHashMap<>();

  /** Adds a figure. */
  public void add(String category, OptionalDouble theirs, double mine) {
    theirs.ifPresent(value -> published.put(category, BarChart.Bar.of(value)));
    ours.put(category, BarChart.Bar.of(mine));
  }

  /** Adds a figure of ours over several runs: its mean and 95 % confidence interval. */
  public void add(String category, OptionalDouble theirs, Sample mine) {
    theirs.ifPresent(value -> published.put(category, BarChart.Bar.of(value)));
    ours.put(category, Cells.bar(mine));
  }

  /** Returns the chart; bars grow to the right, for categories have long names. */
  public BarChart chart(String id, String title, String description, String category, Axis value) {
    List<Series<BarChart.Bar>> series =
        Stream.of(new Series<>("published", published), new Series<>("ours", ours))
            .filter(each -> !each.values().isEmpty())
            .toList();
    return new BarChart(
        id,
        title,
        description,
        category,
        value,
        true,
        List.copyOf(ours.keySet()),
        series,
        Optional.empty());
  }
}

package dev.berth.report;

import java.util.List;
import java.util.Optional;

/**
 * Means with their confidence intervals, side by side for each category.
 *
 * @param id of the chart
 * @param title of the chart
 * @param description of the chart
 * @param category name of the categories, such as {@code policy}
 * @param value the vertical axis
 * @param categories not empty, different
 * @param series not empty, with different names
 * @param marks values to compare the means with
 */
public record IntervalChart(
    String id,
    String title,
    String description,
    String category,
    Axis value,
    List<String> categories,
    List<Series<Interval>> series,
    Optional<Marks> marks)
    implements CategoryChart<IntervalChart.Interval> {

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if there is no category or series, two have the same name, a
   *     series has an unknown category, or the axis cannot show a value
   */
  public IntervalChart {
    Checks.head(id, title, description);
    Checks.notBlank("category of " + id, category);
    categories = List.copyOf(categories);
    series = List.copyOf(series);
    Checks.categories(categories, series);
    for (Series<Interval> each : series) {
      for (Interval interval : each.values().values()) {
        value.check(id, interval.low());
      }
    }
    if (marks.isPresent()) {
      marks.get().check(id, categories, series, value);
    }
  }

  /**
   * A mean and its confidence interval.
   *
   * @param mean between low and high
   * @param low lower end of the interval
   * @param high upper end of the interval
   */
  public record Interval(double mean, double low, double high) {

    /**
     * Checks the order.
     *
     * @throws IllegalArgumentException if one is not finite, or the mean is outside
     */
    public Interval {
      Checks.ascending("interval", low, mean, high);
    }
  }
}

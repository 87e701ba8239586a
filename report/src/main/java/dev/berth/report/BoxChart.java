package dev.berth.report;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Distributions as boxes, side by side for each category.
 *
 * @param id of the chart
 * @param title of the chart
 * @param description of the chart; says what the whiskers mean
 * @param category name of the categories, such as {@code policy}
 * @param value the vertical axis
 * @param categories not empty, different
 * @param series not empty, with different names
 * @param marks values to compare the distributions with
 */
public record BoxChart(
    String id,
    String title,
    String description,
    String category,
    Axis value,
    List<String> categories,
    List<Series<Box>> series,
    Optional<Marks> marks)
    implements CategoryChart<BoxChart.Box> {

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if there is no category or series, two have the same name, a
   *     series has an unknown category, or the axis cannot show a value
   */
  public BoxChart {
    Checks.head(id, title, description);
    Checks.notBlank("category of " + id, category);
    categories = List.copyOf(categories);
    series = List.copyOf(series);
    Checks.categories(categories, series);
    for (Series<Box> each : series) {
      for (Box box : each.values().values()) {
        value.check(id, box.low());
        box.mean().ifPresent(mean -> value.check(id, mean));
      }
    }
    if (marks.isPresent()) {
      marks.get().check(id, categories, series, value);
    }
  }

  /**
   * A distribution in five numbers.
   *
   * @param low end of the lower whisker
   * @param lowerQuartile lower end of the box
   * @param median the line in the box
   * @param upperQuartile upper end of the box
   * @param high end of the upper whisker
   * @param mean drawn as a symbol; need not lie in the box
   * @param outliers number of values beyond the whiskers; shown as a number
   */
  public record Box(
      double low,
      double lowerQuartile,
      double median,
      double upperQuartile,
      double high,
      OptionalDouble mean,
      long outliers) {

    /**
     * Checks the order.
     *
     * @throws IllegalArgumentException if one is not finite, they descend, or outliers are negative
     */
    public Box {
      Checks.ascending("box", low, lowerQuartile, median, upperQuartile, high);
      Checks.finite("mean", mean);
      Checks.notNegative("outliers", (double) outliers);
    }
  }
}

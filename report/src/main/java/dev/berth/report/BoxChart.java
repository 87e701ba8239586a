package dev.berth.report;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Distributions as boxes, side by side for each category.
 *
 * @param id of the chart
 * @param title of the chart
 * @param description of the chart; says what the ends of the whiskers are
 * @param category what the categories are
 * @param value from below to above
 * @param categories not empty, different
 * @param series not empty, of different names
 * @param marks what the distributions are held against
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
    implements Chart {

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if there is no category or series, two have one name, a series
   *     names a category that is not there, or a value cannot be on the axis
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
   * @param low where the lower whisker ends
   * @param lowerQuartile where the box begins
   * @param median the line in it
   * @param upperQuartile where it ends
   * @param high where the upper whisker ends
   * @param mean a symbol, which may lie anywhere
   * @param outliers how many values lie beyond the whiskers; told, not drawn
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

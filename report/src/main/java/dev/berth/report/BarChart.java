package dev.berth.report;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Bars that start at 0, side by side for each category.
 *
 * @param id of the chart
 * @param title of the chart
 * @param description of the chart
 * @param category name of the categories, such as {@code policy}
 * @param value the axis along the bars; not logarithmic
 * @param horizontal whether bars grow to the right, which leaves room for long names
 * @param categories not empty, different
 * @param series not empty, with different names
 * @param marks values to compare the bars with
 */
public record BarChart(
    String id,
    String title,
    String description,
    String category,
    Axis value,
    boolean horizontal,
    List<String> categories,
    List<Series<Bar>> series,
    Optional<Marks> marks)
    implements CategoryChart<BarChart.Bar> {

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if there is no category or series, two have the same name, a
   *     series has an unknown category, or the axis is logarithmic
   */
  public BarChart {
    Checks.head(id, title, description);
    Checks.notBlank("category of " + id, category);
    categories = List.copyOf(categories);
    series = List.copyOf(series);
    Checks.categories(categories, series);
    if (value.logarithmic()) {
      throw new IllegalArgumentException(
          "value of %s was logarithmic, must be linear: bars start at 0. Maybe".formatted(id)
              + " an IntervalChart?");
    }
    if (marks.isPresent()) {
      marks.get().check(id, categories, series, value);
    }
  }

  /** Returns upright bars without marks. */
  public static BarChart of(
      String id,
      String title,
      String description,
      String category,
      Axis value,
      List<String> categories,
      List<Series<Bar>> series) {
    return new BarChart(
        id, title, description, category, value, false, categories, series, Optional.empty());
  }

  /**
   * One bar.
   *
   * @param value where it ends
   * @param error half the width of its confidence interval; not negative
   */
  public record Bar(double value, OptionalDouble error) {

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is not finite, or the error negative
     */
    public Bar {
      Checks.finite("value", value);
      error.ifPresent(half -> Checks.notNegative("error", half));
    }

    /** Returns a bar without an error. */
    public static Bar of(double value) {
      return new Bar(value, OptionalDouble.empty());
    }

    /** Returns a bar with an error. */
    public static Bar of(double value, double error) {
      return new Bar(value, OptionalDouble.of(error));
    }
  }
}

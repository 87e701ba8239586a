package dev.berth.report;

import java.util.List;
import java.util.Map;

/**
 * A value for each category to compare all series with, such as an objective. It is drawn across
 * the series.
 *
 * @param name of the values; not blank
 * @param values by category; finite
 */
public record Marks(String name, Map<String, Double> values) {

  /**
   * Copies the map.
   *
   * @throws IllegalArgumentException if the name is blank or a value not finite
   */
  public Marks {
    Checks.notBlank("name", name);
    values = Map.copyOf(values);
    values.forEach((category, value) -> Checks.finite(name + " of " + category, value));
  }

  void check(String chart, List<String> categories, List<? extends Series<?>> series, Axis axis) {
    if (series.stream().anyMatch(each -> each.name().equals(name))) {
      throw new IllegalArgumentException(
          "marks of %s were named '%s' like a series, must have another name."
              .formatted(chart, name));
    }
    Checks.known("marks '%s'".formatted(name), values, categories);
    values.values().forEach(value -> axis.check(chart, value));
  }
}

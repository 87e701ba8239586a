package dev.berth.report;

import java.util.List;
import java.util.Map;

/**
 * One value for each category that all series are held against, drawn across them: an objective.
 *
 * @param name of what they are; not blank
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
          "marks of %s were named '%s', must be told apart from the series."
              .formatted(chart, name));
    }
    Checks.known("marks '%s'".formatted(name), values, categories);
    values.values().forEach(value -> axis.check(chart, value));
  }
}

package dev.berth.report;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The values of one thing in a chart by categories. A name has the same colour, symbol, dash and
 * pattern throughout a page.
 *
 * @param name not blank
 * @param values by category; nothing is drawn for a category without a value
 * @param <V> type of the value of a category
 */
public record Series<V>(String name, Map<String, V> values) {

  /**
   * Copies the map.
   *
   * @throws IllegalArgumentException if the name is blank
   */
  public Series {
    Checks.notBlank("name", name);
    values = Map.copyOf(values);
  }

  /**
   * Returns a series with the values of some categories.
   *
   * @param value gives the value of a category; empty if it has none
   */
  public static <V> Series<V> of(
      String name, List<String> categories, Function<String, Optional<V>> value) {
    Map<String, V> values = new HashMap<>();
    categories.forEach(each -> value.apply(each).ifPresent(its -> values.put(each, its)));
    return new Series<>(name, values);
  }
}

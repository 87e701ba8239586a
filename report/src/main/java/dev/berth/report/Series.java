package dev.berth.report;

import java.util.Map;

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
}

package dev.berth.report;

import java.util.Map;

/**
 * What belongs together in a chart by categories. One name has one colour, symbol, dash and pattern
 * throughout a page.
 *
 * @param name not blank
 * @param values by category; a category that is not there has none, and nothing is drawn for it
 * @param <V> what is drawn for a category
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

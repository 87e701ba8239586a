package dev.berth.report;

import java.util.List;
import java.util.Optional;

/**
 * A chart of series that have a value for each of some categories, or for none.
 *
 * @param <V> what is drawn for a value
 */
public sealed interface CategoryChart<V> extends Chart permits BarChart, IntervalChart, BoxChart {

  /** Returns what the categories are. */
  String category();

  /** Returns the axis of the values. */
  Axis value();

  /** Returns the categories, in order. */
  List<String> categories();

  /** Returns the series. */
  List<Series<V>> series();

  /** Returns a value for each category to compare with. */
  Optional<Marks> marks();
}

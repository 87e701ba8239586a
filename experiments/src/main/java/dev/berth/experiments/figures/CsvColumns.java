package dev.berth.experiments.figures;

import dev.berth.report.CsvText;
import dev.berth.report.Numbers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * Columns of a CSV table, each with how it is read.
 *
 * @param <R> what a row is about
 */
public final class CsvColumns<R> {

  private final Map<String, Function<R, ?>> columns = new LinkedHashMap<>();

  /** Creates no columns. */
  public CsvColumns() {}

  /** Adds a column. */
  public CsvColumns<R> add(String name, Function<R, ?> value) {
    columns.put(name, value);
    return this;
  }

  /**
   * Adds a column for each figure; its cells are empty where the figure is undefined.
   *
   * @param of returns what has the figures
   * @param digits decimals of figures that are no whole numbers
   */
  public <F> CsvColumns<R> add(List<Figure<F>> figures, Function<R, F> of, int digits) {
    figures.forEach(
        each -> {
          int shown = each.digits() == 0 ? 0 : digits;
          add(each.column(), row -> fixed(each.of(of.apply(row)), shown));
        });
    return this;
  }

  /** Returns a number with so many decimals; an empty text for none. */
  static String fixed(OptionalDouble value, int digits) {
    return value.isPresent() ? Numbers.fixed(value.getAsDouble(), digits) : "";
  }

  /** Returns the table with a row for each of these. */
  public CsvText of(String name, Iterable<? extends R> rows) {
    CsvText table = new CsvText(name, columns.keySet().toArray(String[]::new));
    rows.forEach(
        row -> table.row(columns.values().stream().<Object>map(each -> each.apply(row)).toArray()));
    return table;
  }
}

package dev.berth.report;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Rows of cells under named columns.
 *
 * @param id names it in links and files; small letters, digits and '-', unique on the page
 * @param caption what it shows; not blank
 * @param columns not empty, of different names
 * @param rows each with one cell for each column
 */
public record Table(String id, String caption, List<Column> columns, List<List<Cell>> rows)
    implements Block {

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if there is no column, two have one name, or a row has another
   *     number of cells
   */
  public Table {
    Checks.id(id);
    Checks.notBlank("caption of " + id, caption);
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
    Checks.notEmpty("columns of " + id, columns);
    Checks.unique("columns of " + id, columns, Column::name);
    for (int row = 0; row < rows.size(); row++) {
      if (rows.get(row).size() != columns.size()) {
        throw new IllegalArgumentException(
            "Row %d of %s had %d cells, must have %d as there are columns."
                .formatted(row, id, rows.get(row).size(), columns.size()));
      }
    }
  }

  /** On which side of a column its texts stand. */
  public enum Alignment {
    /** Where a line begins: words. */
    START,
    /** Where a line ends: numbers. */
    END
  }

  /**
   * What a column holds.
   *
   * @param name not blank
   * @param unit of the numbers, such as {@code s}; may be empty
   * @param alignment of the texts
   */
  public record Column(String name, String unit, Alignment alignment) {

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public Column {
      Checks.notBlank("name", name);
    }

    /** A column of words. */
    public static Column ofText(String name) {
      return new Column(name, "", Alignment.START);
    }

    /** A column of numbers in a unit, which may be empty. */
    public static Column ofNumbers(String name, String unit) {
      return new Column(name, unit, Alignment.END);
    }
  }

  /**
   * What stands in one row and column.
   *
   * @param text as shown; may be empty
   * @param number the text's value, by which rows are sorted; finite, absent where there is none
   * @param uncertainty half the width of the number's confidence interval; not negative
   * @param best whether it is marked as the best of those it competes with
   */
  public record Cell(String text, OptionalDouble number, OptionalDouble uncertainty, boolean best) {

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is not finite, or there is an uncertainty of nothing
     */
    public Cell {
      Checks.finite("number", number);
      uncertainty.ifPresent(half -> Checks.notNegative("uncertainty", half));
      if (uncertainty.isPresent() && number.isEmpty()) {
        throw new IllegalArgumentException(
            "uncertainty was %s without a number.".formatted(uncertainty.getAsDouble()));
      }
    }

    /** Words. */
    public static Cell of(String text) {
      return new Cell(text, OptionalDouble.empty(), OptionalDouble.empty(), false);
    }

    /** A number, shown with so many decimals. */
    public static Cell of(double number, int decimals) {
      return new Cell(
          fixed(number, decimals), OptionalDouble.of(number), OptionalDouble.empty(), false);
    }

    /** A number and half the width of its confidence interval, shown with so many decimals. */
    public static Cell of(double number, double uncertainty, int decimals) {
      return new Cell(
          fixed(number, decimals) + " ±" + fixed(uncertainty, decimals),
          OptionalDouble.of(number),
          OptionalDouble.of(uncertainty),
          false);
    }

    /** The same, marked as the best. */
    public Cell asBest() {
      return new Cell(text, number, uncertainty, true);
    }

    private static String fixed(double number, int decimals) {
      return String.format(Locale.ROOT, "%,." + decimals + "f", number);
    }
  }
}

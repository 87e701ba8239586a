package dev.berth.experiments.figures;

import dev.berth.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Columns of a table, each with how it is read.
 *
 * @param <R> what a row is about
 */
public final class Columns<R> {

  private final List<Table.Column> columns = new ArrayList<>();
  private final List<Function<R, Table.Cell>> cells = new ArrayList<>();

  /** Creates no columns. */
  public Columns() {}

  /** Adds a column. */
  public Columns<R> add(Table.Column column, Function<R, Table.Cell> cell) {
    columns.add(column);
    cells.add(cell);
    return this;
  }

  /** Adds a column of words. */
  public Columns<R> text(String name, Function<R, String> text) {
    return add(Table.Column.ofText(name), row -> Table.Cell.of(text.apply(row)));
  }

  /** Adds a column of words that text shows without a name. */
  public Columns<R> unnamed(String key, Function<R, String> text) {
    return add(Table.Column.unnamed(key), row -> Table.Cell.of(text.apply(row)));
  }

  /** Adds a column of numbers. */
  public Columns<R> cells(String name, Function<R, Table.Cell> cell) {
    return add(Table.Column.ofNumbers(name), cell);
  }

  /** Adds a column of numbers, some blanks apart from the one before. */
  public Columns<R> cells(String name, int gap, Function<R, Table.Cell> cell) {
    return add(Table.Column.ofNumbers(name).withGap(gap), cell);
  }

  /** Adds a column of numbers under a heading. */
  public Columns<R> cells(String heading, String name, Function<R, Table.Cell> cell) {
    return add(Table.Column.ofNumbers(name).withHeading(heading), cell);
  }

  /** Adds a column of published numbers under a heading, and one of ours. */
  public Columns<R> compared(
      String heading, Function<R, Table.Cell> published, Function<R, Table.Cell> ours) {
    return add(Table.Column.ofNumbers("published").withHeading(heading).withGap(3), published)
        .cells(heading, "ours", ours);
  }

  /** Returns the table without rows. */
  public Table.Builder builder(String id, String caption) {
    Table.Builder table = Table.builder(id, caption);
    columns.forEach(table::column);
    return table;
  }

  /** Returns the cells of a row. */
  public List<Table.Cell> row(R row) {
    return cells.stream().map(each -> each.apply(row)).toList();
  }

  /** Returns the table with a row for each of these. */
  public Table table(String id, String caption, Iterable<? extends R> rows) {
    Table.Builder table = builder(id, caption);
    rows.forEach(each -> table.row(row(each)));
    return table.build();
  }
}

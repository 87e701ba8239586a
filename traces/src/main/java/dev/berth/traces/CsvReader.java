package dev.berth.traces;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes an entry of each row of a table.
 *
 * @param <T> what it makes
 */
final class CsvReader<T> implements EntryReader<T> {

  private final CsvTable table;
  private final Function<CsvTable.Row, T> entry;

  CsvReader(CsvTable table, Function<CsvTable.Row, T> entry) {
    this.table = table;
    this.entry = entry;
  }

  @Override
  public @Nullable T next() {
    CsvTable.Row row = table.next();
    return row == null ? null : entry.apply(row);
  }

  @Override
  public Place place() {
    return table.place();
  }

  @Override
  public void close() {
    table.close();
  }
}

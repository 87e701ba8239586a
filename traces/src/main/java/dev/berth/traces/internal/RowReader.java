package dev.berth.traces.internal;

import dev.berth.traces.CsvTable;
import dev.berth.traces.EntryReader;
import dev.berth.traces.SourceLocation;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns each row of a table into an entry.
 *
 * @param <T> the type of the entries
 */
public final class RowReader<T> implements EntryReader<T> {

  private final CsvTable table;
  private final Function<CsvTable.Row, T> entry;

  /** Creates a reader, which closes the table. */
  public RowReader(CsvTable table, Function<CsvTable.Row, T> entry) {
    this.table = table;
    this.entry = entry;
  }

  @Override
  public @Nullable T next() {
    CsvTable.Row row = table.next();
    return row == null ? null : entry.apply(row);
  }

  @Override
  public SourceLocation location() {
    return table.location();
  }

  @Override
  public void close() {
    table.close();
  }
}

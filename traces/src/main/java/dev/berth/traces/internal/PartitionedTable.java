package dev.berth.traces.internal;

import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.SourceLocation;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table without a header whose rows are spread over several files, in order. */
public final class PartitionedTable implements EntryReader<CsvTable.Row> {

  private final Iterator<Input> rest;
  private final List<String> columns;
  private @Nullable CsvTable part;
  private SourceLocation location;

  /**
   * Opens the first file.
   *
   * @param parts the files in order; may be empty
   * @param columns the column names
   */
  public PartitionedTable(List<Input> parts, List<String> columns) {
    this.rest = parts.iterator();
    this.columns = columns;
    this.location = new SourceLocation("", 0);
    advance();
  }

  /** Returns the next row; null at the end. */
  @Override
  public CsvTable.@Nullable Row next() {
    while (part != null) {
      CsvTable.Row row;
      try {
        row = part.next();
      } finally {
        location = part.location();
      }
      if (row != null) {
        return row;
      }
      part.close();
      advance();
    }
    return null;
  }

  private void advance() {
    part = rest.hasNext() ? CsvTable.withoutHeader(rest.next(), columns) : null;
  }

  /** Returns the location of the latest row. */
  @Override
  public SourceLocation location() {
    return location;
  }

  @Override
  public void close() {
    if (part != null) {
      part.close();
    }
  }
}

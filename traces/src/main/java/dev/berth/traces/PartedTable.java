package dev.berth.traces;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table without a header that is cut into several files, read one after the other. */
final class PartedTable implements AutoCloseable {

  private final Iterator<Input> rest;
  private final List<String> columns;
  private @Nullable CsvTable part;
  private Place place;

  /**
   * Opens the first file.
   *
   * @param parts in order; may be none
   */
  PartedTable(List<Input> parts, List<String> columns) {
    this.rest = parts.iterator();
    this.columns = columns;
    this.place = new Place("", 0);
    advance();
  }

  /** Returns the next row; null at the end. */
  CsvTable.@Nullable Row next() {
    while (part != null) {
      CsvTable.Row row;
      try {
        row = part.next();
      } finally {
        place = part.place();
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

  Place place() {
    return place;
  }

  @Override
  public void close() {
    if (part != null) {
      part.close();
    }
  }
}

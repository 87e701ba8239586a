package dev.berth.traces.internal;

import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.Lines;
import dev.berth.traces.input.SourceLocation;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Entries that are made of lines, rows or other entries, one of each or fewer. */
public record Entries<S, T>(EntryReader<S> source, Function<S, Optional<T>> entry)
    implements EntryReader<T> {

  /** Returns the entries that some of the others make; it leaves out the rest. */
  public static <S, T> EntryReader<T> ofSome(
      EntryReader<S> source, Function<S, Optional<T>> entry) {
    return new Entries<>(source, entry);
  }

  /** Returns an entry of each line. */
  public static <T> EntryReader<T> ofLines(
      Lines lines, BiFunction<SourceLocation, String, T> entry) {
    return ofSome(lines, line -> Optional.of(entry.apply(lines.location(), line)));
  }

  /** Returns an entry of each row. */
  public static <T> EntryReader<T> ofRows(CsvTable table, Function<CsvTable.Row, T> entry) {
    return ofSome(table, row -> Optional.of(entry.apply(row)));
  }

  /**
   * Reads all entries in a pass that precedes the actual reading. It ignores bad lines, because the
   * actual reading reports them.
   *
   * @throws InputException if one ends the reading
   */
  public static <T> void survey(EntryReader<T> reader, Consumer<T> entries) {
    try (reader) {
      for (T each = nextGood(reader); each != null; each = nextGood(reader)) {
        entries.accept(each);
      }
    }
  }

  private static <T> @Nullable T nextGood(EntryReader<T> reader) {
    while (true) {
      try {
        return reader.next();
      } catch (InputException bad) {
        if (bad.endsReading()) {
          throw bad;
        }
      }
    }
  }

  @Override
  public @Nullable T next() {
    for (S each = source.next(); each != null; each = source.next()) {
      Optional<T> made = entry.apply(each);
      if (made.isPresent()) {
        return made.get();
      }
    }
    return null;
  }

  @Override
  public SourceLocation location() {
    return source.location();
  }

  @Override
  public void close() {
    source.close();
  }
}

package dev.berth.traces.internal;

import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.Lines;
import dev.berth.traces.input.SourceLocation;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Entries that are made of lines, rows or other entries. */
public final class Entries<S, T> implements EntryReader<T> {

  private final EntryReader<S> source;
  private final Function<S, List<T>> entries;
  private Iterator<T> made = Collections.emptyIterator(); // of the latest one, not yet returned

  private Entries(EntryReader<S> source, Function<S, List<T>> entries) {
    this.source = source;
    this.entries = entries;
  }

  /** Returns the entries that the others make, any number of each. */
  public static <S, T> EntryReader<T> ofMany(EntryReader<S> source, Function<S, List<T>> entries) {
    return new Entries<>(source, entries);
  }

  /** Returns the entries that some of the others make; it leaves out the rest. */
  public static <S, T> EntryReader<T> ofSome(
      EntryReader<S> source, Function<S, Optional<T>> entry) {
    return ofMany(source, each -> entry.apply(each).map(List::of).orElse(List.of()));
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
    while (!made.hasNext()) {
      S each = source.next();
      if (each == null) {
        return null;
      }
      made = entries.apply(each).iterator();
    }
    return made.next();
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

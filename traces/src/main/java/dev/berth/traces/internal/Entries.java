package dev.berth.traces.internal;

import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Lines;
import dev.berth.traces.input.SourceLocation;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Entries that are made of lines, rows or other entries, one of each or fewer. */
public final class Entries<S, T> implements EntryReader<T> {

  private final EntryReader<S> source;
  private final Function<S, Optional<T>> entry;

  private Entries(EntryReader<S> source, Function<S, Optional<T>> entry) {
    this.source = source;
    this.entry = entry;
  }

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

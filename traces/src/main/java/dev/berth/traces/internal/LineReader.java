package dev.berth.traces.internal;

import dev.berth.traces.EntryReader;
import dev.berth.traces.Lines;
import dev.berth.traces.SourceLocation;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Turns each line into an entry.
 *
 * @param <T> the type of the entries
 */
public final class LineReader<T> implements EntryReader<T> {

  private final Lines lines;
  private final BiFunction<SourceLocation, String, T> entry;

  /** Creates a reader, which closes the lines. */
  public LineReader(Lines lines, BiFunction<SourceLocation, String, T> entry) {
    this.lines = lines;
    this.entry = entry;
  }

  @Override
  public @Nullable T next() {
    String line = lines.next();
    return line == null ? null : entry.apply(lines.location(), line);
  }

  @Override
  public SourceLocation location() {
    return lines.location();
  }

  @Override
  public void close() {
    lines.close();
  }
}

package dev.berth.traces;

import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes an entry of each line.
 *
 * @param <T> what it makes
 */
final class LineReader<T> implements EntryReader<T> {

  private final Lines lines;
  private final BiFunction<Place, String, T> entry;

  LineReader(Lines lines, BiFunction<Place, String, T> entry) {
    this.lines = lines;
    this.entry = entry;
  }

  @Override
  public @Nullable T next() {
    String line = lines.next();
    return line == null ? null : entry.apply(lines.place(), line);
  }

  @Override
  public Place place() {
    return lines.place();
  }

  @Override
  public void close() {
    lines.close();
  }
}

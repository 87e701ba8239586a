package dev.berth.replay;

import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.SourceLocation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads entries that are in memory. Locations count the entries. */
final class ListReader<T> implements EntryReader<T> {

  private final Input input;
  private final List<T> entries;
  private int read;

  ListReader(Input input, List<T> entries) {
    this.input = input;
    this.entries = entries;
  }

  @Override
  public @Nullable T next() {
    return read < entries.size() ? entries.get(read++) : null;
  }

  @Override
  public SourceLocation location() {
    return new SourceLocation(input.file(), Math.max(1, read));
  }

  @Override
  public void close() {
    // nothing is open
  }
}

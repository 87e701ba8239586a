package dev.berth.traces.input;

import org.jspecify.annotations.Nullable;

/**
 * Reads the entries of an input one by one. A reader is used by one thread at a time.
 *
 * @param <T> the type of the entries
 */
public interface EntryReader<T> extends AutoCloseable {

  /**
   * Returns the next entry; null at the end.
   *
   * @throws InputException if a line cannot be used. The next call resumes after that line, unless
   *     the error {@linkplain InputException#endsReading ends the reading}.
   */
  @Nullable T next();

  /** Returns the location of the latest entry. */
  SourceLocation location();

  /** Releases the resources of the reader. Closing twice has no effect. */
  @Override
  void close();
}

package dev.berth.traces;

import org.jspecify.annotations.Nullable;

/**
 * One reading of an input: what it holds, pulled one by one.
 *
 * @param <T> what it holds
 */
public interface EntryReader<T> extends AutoCloseable {

  /**
   * Returns the next entry; null at the end.
   *
   * @throws InputException if the line cannot be used; unless that {@linkplain
   *     InputException#endsReading ends the reading}, the next call goes on behind it
   */
  @Nullable T next();

  /** Returns where the latest entry stands. */
  Place place();

  /** Releases what the reader holds. Closing twice is harmless. */
  @Override
  void close();
}

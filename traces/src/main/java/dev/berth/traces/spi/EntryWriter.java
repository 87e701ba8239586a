package dev.berth.traces.spi;

import java.util.Optional;

/**
 * Turns entries into lines of a file.
 *
 * @param <T> the type of the entries
 */
public interface EntryWriter<T> {

  /**
   * Returns the line that precedes all entries; empty if the format has none.
   *
   * @throws IllegalArgumentException if the format cannot represent the header
   */
  default Optional<String> header() {
    return Optional.empty();
  }

  /**
   * Returns the line for an entry, without its line end.
   *
   * @throws IllegalArgumentException if the format cannot represent the entry; the message names
   *     the entry and the reason
   */
  String line(T entry);
}

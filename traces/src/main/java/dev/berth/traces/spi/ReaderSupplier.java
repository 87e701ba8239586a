package dev.berth.traces.spi;

import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.InputException;

/**
 * Opens readers of one input. Each reader returns the same entries.
 *
 * @param <T> the type of the entries
 */
@FunctionalInterface
public interface ReaderSupplier<T> {

  /**
   * Opens a reader at the start of the input.
   *
   * @param skips receives each item that the format does not turn into an entry
   * @return a reader, which the caller closes
   * @throws InputException if the input cannot be used
   */
  EntryReader<T> open(SkipReport skips);
}

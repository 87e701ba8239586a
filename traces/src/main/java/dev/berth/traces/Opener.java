package dev.berth.traces;

/**
 * Starts readings of one input, any number of them, each with the same entries.
 *
 * @param <T> what it holds
 */
@FunctionalInterface
public interface Opener<T> {

  /**
   * Starts at the beginning.
   *
   * @param leftOut is told of what is not an entry
   * @throws InputException if the input cannot be used
   */
  EntryReader<T> open(LeftOut leftOut);
}

package dev.berth.runtime.journal;

import dev.berth.api.Experimental;
import java.io.Closeable;
import java.io.IOException;

/**
 * A position in a journal that advances record by record. It stands before the first record at
 * first. For one thread.
 */
@Experimental
public interface JournalCursor extends Closeable {

  /**
   * Advances to the next record and returns true, or returns false if there is none.
   *
   * @throws JournalDamagedException if the next record is damaged
   * @throws IOException if it cannot be read
   */
  boolean next() throws IOException;

  /** Returns the number of the record; unspecified before the first. */
  long number();

  /** Returns the fencing number of the writer of the record; unspecified before the first. */
  long fence();

  /**
   * Returns a new copy of the bytes of the record.
   *
   * @throws IllegalStateException if {@link #next} did not return true last
   */
  byte[] bytes() throws IOException;
}

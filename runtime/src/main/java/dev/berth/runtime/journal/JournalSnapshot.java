package dev.berth.runtime.journal;

import dev.berth.api.Experimental;
import java.io.IOException;
import java.io.InputStream;

/** A saved snapshot that stands for the records of a journal up to a number. Immutable. */
@Experimental
public interface JournalSnapshot {

  /** Returns the number of the last record that it covers; 0 if it covers none. */
  long number();

  /** Returns the fencing number of its writer. */
  long fence();

  /** Returns the size of its content in bytes. */
  long length();

  /**
   * Returns its content as a new stream. The caller closes it. The content was verified when the
   * snapshot was found, and is verified once more: the end of the stream throws a {@link
   * JournalDamagedException} if the bytes have changed since.
   */
  InputStream open() throws IOException;
}

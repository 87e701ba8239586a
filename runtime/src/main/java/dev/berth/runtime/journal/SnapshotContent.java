package dev.berth.runtime.journal;

import dev.berth.api.Experimental;
import java.io.IOException;
import java.io.OutputStream;

/** The content of a snapshot, which can write itself. */
@Experimental
@FunctionalInterface
public interface SnapshotContent {

  /**
   * Writes the content. Need not buffer, flush or close.
   *
   * @throws IOException if the stream throws it, or the content cannot be written
   */
  void writeTo(OutputStream out) throws IOException;
}

package dev.berth.runtime.journal;

import dev.berth.api.Experimental;
import java.io.IOException;

/**
 * Thrown to a writer of a journal that another writer has opened since, for example because the
 * lock file was removed. Records that were not forced before do not count.
 */
@Experimental
public final class JournalFencedException extends IOException {

  private static final long serialVersionUID = 1;

  JournalFencedException(String message) {
    super(message);
  }
}

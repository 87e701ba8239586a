package dev.berth.runtime.journal;

import dev.berth.api.Experimental;
import java.io.IOException;

/**
 * Thrown by a journal that failed before. Its cause is the first failure. After a failed write or
 * force nobody knows what the disk holds, so only opening the journal again helps.
 */
@Experimental
public final class JournalFailedException extends IOException {

  private static final long serialVersionUID = 1;

  JournalFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}

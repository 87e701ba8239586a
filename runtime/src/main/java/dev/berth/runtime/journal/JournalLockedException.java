package dev.berth.runtime.journal;

import dev.berth.api.Experimental;
import java.io.IOException;

/**
 * Thrown if a journal cannot be opened because another writer has it open. The message names the
 * directory and, if known, the process.
 */
@Experimental
public final class JournalLockedException extends IOException {

  private static final long serialVersionUID = 1;

  JournalLockedException(String message) {
    super(message);
  }
}

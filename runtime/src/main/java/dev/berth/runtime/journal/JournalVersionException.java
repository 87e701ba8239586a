package dev.berth.runtime.journal;

import dev.berth.api.Experimental;
import java.io.IOException;

/** Thrown if a newer version of Berth has written a journal. Nothing was modified. */
@Experimental
public final class JournalVersionException extends IOException {

  private static final long serialVersionUID = 1;

  JournalVersionException(String message) {
    super(message);
  }
}

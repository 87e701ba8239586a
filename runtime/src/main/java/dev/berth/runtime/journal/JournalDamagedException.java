package dev.berth.runtime.journal;

import dev.berth.api.Experimental;
import java.io.IOException;

/**
 * Thrown if a journal has lost or changed records that it had promised to keep. Nothing was
 * modified. The message names the file, the byte, what is wrong, and what can be done.
 */
@Experimental
public final class JournalDamagedException extends IOException {

  private static final long serialVersionUID = 1;

  private final String file;
  private final long offset;
  private final String problem;

  JournalDamagedException(String file, long offset, String problem, String hint) {
    super("%s: byte %s: %s. %s".formatted(file, offset, problem, hint));
    this.file = file;
    this.offset = offset;
    this.problem = problem;
  }

  /** Returns the file in which the damage is, or after which something is missing. */
  public String file() {
    return file;
  }

  /** Returns the offset in bytes at which the damage begins in the file. */
  public long offset() {
    return offset;
  }

  /** Returns what is wrong, without the file, the byte and what can be done. */
  String problem() {
    return problem;
  }
}

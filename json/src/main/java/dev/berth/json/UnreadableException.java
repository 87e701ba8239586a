package dev.berth.json;

import dev.berth.api.Experimental;
import dev.berth.core.error.Printable;
import java.util.Objects;

/**
 * Thrown when bytes or text cannot be read as a value: they are damaged, or a newer version of
 * Berth wrote them. The message says what is wrong and where.
 */
@Experimental
public final class UnreadableException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /**
   * Creates the exception.
   *
   * @param message what is wrong, and where
   */
  public UnreadableException(String message) {
    super(Printable.phrase(Objects.requireNonNull(message, "message")));
  }
}

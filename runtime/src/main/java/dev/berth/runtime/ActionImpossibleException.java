package dev.berth.runtime;

/**
 * An action that a fleet cannot carry out, now or later. The loop rejects it at once and does not
 * repeat it.
 */
public final class ActionImpossibleException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message why, for people; the rejection repeats it
   */
  public ActionImpossibleException(String message) {
    super(message);
  }
}

package dev.berth.experiments;

/**
 * A run of an experiment or a study failed, or its results cannot be kept or read. The message says
 * why, for users; it needs no stack trace to be understood.
 */
public final class ExperimentFailedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message why, as users read it
   * @param cause the failure itself
   */
  public ExperimentFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}

package dev.berth.experiments.run;

/**
 * A run of an experiment or a study failed, or its results cannot be stored or read. The message
 * states the reason for users, who need no stack trace.
 */
public final class ExperimentFailedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Creates an exception with the reason, for users. */
  public ExperimentFailedException(String message) {
    super(message);
  }

  /**
   * Creates an exception.
   *
   * @param message the reason, for users
   * @param cause the failure itself
   */
  public ExperimentFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}

package dev.berth.core.error;

/**
 * Thrown if an event or call is invalid, such as the completion of an unknown instance. The
 * scheduler has not changed.
 *
 * <p>The message names the event, the value and the rule, and may give a hint.
 */
public sealed class EventRefusedException extends RuntimeException permits StaleReportException {

  private static final long serialVersionUID = 1;

  /** Creates an exception with a message for the embedder's developer. */
  public EventRefusedException(String message) {
    super(message);
  }
}

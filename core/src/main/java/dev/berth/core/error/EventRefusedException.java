package dev.berth.core.error;

/**
 * An event or call that makes no sense, such as the completion of an unknown instance. Nothing has
 * changed.
 *
 * <p>The message names the event, the value, the rule, and a hint where there is one.
 */
public final class EventRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Makes one with a message for the embedder's developer. */
  public EventRefusedException(String message) {
    super(message);
  }
}

package dev.berth.core.error;

/**
 * Thrown if a report comes too late or twice: it is about an earlier attempt of an instance, or
 * about something that is known already. The scheduler has not changed.
 *
 * <p>Where messages can be late or doubled, such reports are no defect, and can be dropped.
 */
public final class StaleReportException extends EventRefusedException {

  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param subject id of the instance or action that the report is about
   * @param message for the embedder's developer
   */
  public StaleReportException(String subject, String message) {
    super(Code.STALE, subject, message);
  }
}

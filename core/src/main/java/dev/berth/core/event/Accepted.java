package dev.berth.core.event;

/** The result of an {@link Event} of which there is no more to report. */
public enum Accepted {
  /** The scheduler accepted the event. */
  ACCEPTED,
  /**
   * The scheduler accepted the failure of an instance, and has ended the instance: it has failed
   * more often than its request {@linkplain dev.berth.api.Request#maxFailures allows}.
   */
  GAVE_UP
}

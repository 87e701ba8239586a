package dev.berth.core.event;

/** The result of an {@link Event} of which there is nothing to report but that it was accepted. */
public enum Accepted {
  /** The scheduler accepted the event. */
  ACCEPTED
}

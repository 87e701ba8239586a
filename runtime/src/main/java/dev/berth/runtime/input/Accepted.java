package dev.berth.runtime.input;

/** The result of an {@link Input} of which there is nothing to report but that it was accepted. */
public enum Accepted {
  /** The scheduler accepted the input. */
  ACCEPTED
}

package dev.berth.traces.internal.util;

/** Turns messages of other parts into phrases for an {@code InputException}. */
public final class Phrases {

  private Phrases() {}

  /** Returns the message of a failure without the full stop at its end. */
  public static String of(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }
}

package dev.berth.api;

/** Checks of arguments, for records of values and of configurations. */
public final class Arguments {

  private Arguments() {}

  /**
   * Refuses an argument that is wrong.
   *
   * @param wrong whether it is
   * @param message what is wrong, as a format of {@link String#formatted}, or plain text if there
   *     are no values
   * @param values the values in the message
   * @throws IllegalArgumentException if it is wrong
   */
  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  public static void refuseIf(boolean wrong, String message, Object... values) {
    if (wrong) {
      throw new IllegalArgumentException(values.length == 0 ? message : message.formatted(values));
    }
  }
}

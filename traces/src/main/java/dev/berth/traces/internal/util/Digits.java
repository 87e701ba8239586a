package dev.berth.traces.internal.util;

/** Finds runs of the digits 0 to 9. Digits of other scripts are not digits here. */
public final class Digits {

  private Digits() {}

  /** Returns the index after the run of digits that begins at an index; that index without one. */
  public static int end(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at;
  }

  /** Returns whether the text from an index has at least one character, and only digits. */
  public static boolean only(String text, int from) {
    return from < text.length() && end(text, from) == text.length();
  }
}

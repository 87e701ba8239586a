package dev.berth.report.render;

import java.util.Locale;

/**
 * Makes text harmless for a terminal. Names from files can hold control characters, which move the
 * cursor or change settings of the terminal, and marks that reverse the order of what is shown.
 * Both become visible as {@code \}{@code uXXXX}, with four hexadecimal digits as in JSON. Other
 * text stays as it is, so text that is already printable does not change.
 */
public final class Printable {

  private Printable() {}

  /** Returns a text with its line breaks, {@code \n} and {@code \r\n}, and all else printable. */
  public static String lines(String text) {
    return escaped(text, true);
  }

  /** Returns a text that stays within its line: line breaks become visible too. */
  public static String line(String text) {
    return escaped(text, false);
  }

  private static String escaped(String text, boolean breaks) {
    int length = text.length();
    int at = 0;
    while (at < length && !isHarmful(text.charAt(at))) {
      at++;
    }
    if (at == length) {
      return text;
    }
    StringBuilder clean = new StringBuilder(length + 16).append(text, 0, at);
    for (; at < length; at++) {
      char each = text.charAt(at);
      if (isHarmful(each) && !(breaks && isBreak(text, at))) {
        clean.append(String.format(Locale.ROOT, "\\u%04x", (int) each));
      } else {
        clean.append(each);
      }
    }
    return clean.toString();
  }

  private static boolean isBreak(String text, int at) {
    return text.charAt(at) == '\n' || text.startsWith("\r\n", at);
  }

  private static boolean isHarmful(char each) {
    return Character.isISOControl(each)
        || each == '\u061c' // the marks of UAX #9: implicit, embeddings, overrides, isolates
        || each == '\u200e'
        || each == '\u200f'
        || (each >= '\u2028' && each <= '\u202e') // with the line and paragraph separators
        || (each >= '\u2066' && each <= '\u2069')
        || each == '\ufeff';
  }
}

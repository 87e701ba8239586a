package dev.berth.core.error;

import java.util.Locale;

/**
 * Makes text from users safe in a message of one line. Such text may hold characters that control a
 * terminal or reverse the order of what is shown, and may be long. Safe for use by several threads.
 */
public final class Printable {

  private static final int LONGEST_QUOTE = 60;
  private static final int LONGEST_PHRASE = 1_000;

  private Printable() {}

  /**
   * Returns a value for a message: its first {@value #LONGEST_QUOTE} characters as printed, and …
   * instead of the others.
   */
  public static String quote(String value) {
    return line(value, LONGEST_QUOTE);
  }

  /**
   * Returns a part of a message: its first {@value #LONGEST_PHRASE} characters as printed, and …
   * instead of the others.
   */
  public static String phrase(String text) {
    return line(text, LONGEST_PHRASE);
  }

  /**
   * Returns a text in which control characters, format characters, line separators and halves of
   * characters are visible as {@code \}{@code uXXXX}, with their number in hexadecimal digits.
   */
  public static String line(String text) {
    return line(text, Integer.MAX_VALUE);
  }

  private static String line(String text, int longest) {
    if (text.length() <= longest && text.codePoints().noneMatch(Printable::isHarmful)) {
      return text;
    }
    StringBuilder clean = new StringBuilder();
    int point;
    for (int at = 0; at < text.length(); at += Character.charCount(point)) {
      point = text.codePointAt(at);
      int before = clean.length();
      if (isHarmful(point)) {
        clean.append(String.format(Locale.ROOT, "\\u%04x", point));
      } else {
        clean.appendCodePoint(point);
      }
      if (clean.length() > longest) {
        clean.setLength(before);
        return clean.append('…').toString();
      }
    }
    return clean.toString();
  }

  private static boolean isHarmful(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }
}

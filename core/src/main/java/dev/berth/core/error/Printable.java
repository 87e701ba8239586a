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
   * Returns a value for a message: at most {@value #LONGEST_QUOTE} of its characters, and … instead
   * of the others.
   */
  public static String quote(String value) {
    return shortened(value, LONGEST_QUOTE);
  }

  /**
   * Returns a part of a message: at most {@value #LONGEST_PHRASE} of its characters, and … instead
   * of the others.
   */
  public static String phrase(String text) {
    return shortened(text, LONGEST_PHRASE);
  }

  private static String shortened(String text, int longest) {
    return text.length() <= longest ? line(text) : line(text.substring(0, longest)) + "…";
  }

  /**
   * Returns a text in which control characters, format characters, line separators and halves of
   * characters are visible as {@code \}{@code uXXXX}, with their number in hexadecimal digits.
   */
  public static String line(String text) {
    if (text.codePoints().noneMatch(Printable::isHarmful)) {
      return text;
    }
    StringBuilder clean = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            point -> {
              if (isHarmful(point)) {
                clean.append(String.format(Locale.ROOT, "\\u%04x", point));
              } else {
                clean.appendCodePoint(point);
              }
            });
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

package dev.berth.traces;

import dev.berth.api.Dimension;
import java.math.BigDecimal;

/** Writes what {@link Field} reads, and refuses what it would not read as it was. */
final class Written {

  private static final int LONGEST_NAME = 500;
  private static final long LONGEST_TIME = 36_500L * 86_400 * 1_000_000_000L;

  /** What is written, for messages: {@code "request r1"}. */
  private final String subject;

  Written(String subject) {
    this.subject = subject;
  }

  IllegalArgumentException refused(String why) {
    return new IllegalArgumentException("%s: %s.".formatted(subject, why));
  }

  /** Returns seconds. */
  String time(String what, long nanos) {
    if (nanos > LONGEST_TIME) {
      throw refused(what + " is more than a century, which cannot be read again");
    }
    return plain(BigDecimal.valueOf(nanos, 9));
  }

  String amount(Dimension dimension, long units) {
    if (!Dimensions.of(dimension.name()).equals(dimension)) {
      throw refused(
          "dimension %s has %s units in a whole, which files cannot tell"
              .formatted(dimension, dimension.unitsPerWhole()));
    }
    return dimension.format(units);
  }

  /** Returns a text that must not be empty and that can be read again. */
  String name(String what, String text) {
    if (text.isEmpty() || text.length() > LONGEST_NAME) {
      throw refused(
          "%s has %s characters, must have 1 to %s".formatted(what, text.length(), LONGEST_NAME));
    }
    return text(what, text);
  }

  /** Returns a text that can be read again. */
  String text(String what, String text) {
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(each)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair) {
        i++;
      } else if (Character.isSurrogate(each)) {
        throw refused(what + " holds half a character, which no file can");
      }
    }
    return text;
  }

  static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }
}

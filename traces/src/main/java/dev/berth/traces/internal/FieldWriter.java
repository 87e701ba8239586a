package dev.berth.traces.internal;

import dev.berth.api.Dimension;
import dev.berth.traces.input.Field;
import java.math.BigDecimal;

/**
 * Formats values such that {@link Field} reads them back, and refuses all others.
 *
 * @param subject the entry, {@code "request r1"}
 */
public record FieldWriter(String subject) {

  private static final long LONGEST_TIME = 36_500L * 86_400 * 1_000_000_000L;

  /** Returns an error that names the entry and a reason. */
  public IllegalArgumentException refused(String why) {
    return new IllegalArgumentException("%s: %s.".formatted(subject, why));
  }

  /** Returns a time in seconds. */
  public String time(String what, long nanos) {
    if (nanos > LONGEST_TIME) {
      throw refused(what + " exceeds a century, which is the limit for reading");
    }
    return plain(BigDecimal.valueOf(nanos, 9));
  }

  /** Returns an amount in wholes of a dimension. */
  public String amount(Dimension dimension, long units) {
    if (!FileDimensions.of(dimension.name()).equals(dimension)) {
      throw refused(
          "dimension %s has %s units in a whole, which files cannot represent"
              .formatted(dimension, dimension.unitsPerWhole()));
    }
    return dimension.format(units);
  }

  /** Returns a text that must not be empty. */
  public String name(String what, String text) {
    if (text.isEmpty() || text.length() > Field.LONGEST_NAME) {
      throw refused(
          "%s has %s characters, must have 1 to %s"
              .formatted(what, text.length(), Field.LONGEST_NAME));
    }
    return text(what, text);
  }

  /** Returns a text, which must be valid Unicode. */
  public String text(String what, String text) {
    if (text.codePoints().anyMatch(each -> Character.getType(each) == Character.SURROGATE)) {
      throw refused(what + " contains an unpaired surrogate, which UTF-8 cannot represent");
    }
    return text;
  }

  /** Returns a number in plain decimal notation. */
  public static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }
}

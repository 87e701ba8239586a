package dev.berth.traces.input;

import dev.berth.api.Dimension;
import dev.berth.core.config.Durations;
import dev.berth.traces.internal.util.Cells;
import dev.berth.traces.internal.util.Digits;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;

/**
 * One field of a line. Each conversion either returns a value or throws an {@link InputException}
 * that names the location, the field and its text.
 *
 * @param location the line
 * @param name the name of the field
 * @param text the text, without surrounding blanks
 */
public record Field(SourceLocation location, String name, String text) implements InputPart {

  /** A century in nanoseconds, such that the sum of a few times still fits a {@code long}. */
  private static final BigDecimal LONGEST =
      BigDecimal.valueOf(36_500L * 86_400).scaleByPowerOfTen(9);

  /** The greatest number of characters of a name. */
  public static final int LONGEST_NAME = 500;

  private static final int LONGEST_NUMBER = 64;
  private static final int MOST_DIGITS = 19; // of the integer part of what a long can hold

  /** Returns whether the text is empty. */
  public boolean isEmpty() {
    return text.isEmpty();
  }

  /** Returns a field with part of the text, so that an error names that part. */
  public Field part(String partOfText) {
    return new Field(location, name, partOfText.strip());
  }

  /** Returns the parts between separators, without blank parts. */
  public List<Field> parts(char separator) {
    return Cells.split(text, separator).stream()
        .map(this::part)
        .filter(each -> !each.isEmpty())
        .toList();
  }

  /**
   * Returns the text.
   *
   * @throws InputException if the text is empty or has more than {@value #LONGEST_NAME} characters
   */
  public String required() {
    refuseIf(text.isEmpty(), "must not be empty");
    limitLength(LONGEST_NAME);
    return text;
  }

  private void limitLength(int longest) {
    refuseIf(text.length() > longest, "must not be longer than %s characters", longest);
  }

  /**
   * Returns true for {@code true} and {@code 1}, and false for {@code false}, {@code 0} and an
   * empty text.
   */
  public boolean flag() {
    return switch (text) {
      case "1", "true" -> true;
      case "0", "false", "" -> false;
      default -> throw error("must be true or false (or 1 or 0)");
    };
  }

  /** Returns a whole number in a range. Decimal notation is allowed: {@code 4.0} is 4. */
  public int whole(int least, int greatest) {
    BigDecimal number = number();
    if (number.compareTo(BigDecimal.valueOf(least)) < 0
        || number.compareTo(BigDecimal.valueOf(greatest)) > 0
        || number.setScale(0, RoundingMode.FLOOR).compareTo(number) != 0) {
      throw error("must be a whole number from %s to %s".formatted(least, greatest));
    }
    return number.intValueExact();
  }

  /** Returns a whole number in a range, in plain digits. */
  public long wholeLong(long least, long greatest) {
    try {
      int begin = text.startsWith("-") ? 1 : 0;
      if (text.length() <= begin + MOST_DIGITS && Digits.only(text, begin)) {
        long number = Long.parseLong(text);
        if (number >= least && number <= greatest) {
          return number;
        }
      }
    } catch (NumberFormatException malformed) {
      // Falls through to the error.
    }
    throw error("must be a whole number from %s to %s".formatted(least, greatest));
  }

  /**
   * Returns an amount in units of a dimension, rounded to the nearest unit. A positive amount must
   * not round to 0.
   */
  public long units(Dimension dimension) {
    BigDecimal amount = notNegative();
    long units;
    try {
      units = dimension.units(amount);
    } catch (IllegalArgumentException tooLarge) {
      throw error("is too large to count");
    }
    if (units == 0 && amount.signum() > 0) {
      throw error("must be 0 or at least %s".formatted(dimension.format(1)));
    }
    return units;
  }

  /**
   * Returns a time or a duration in nanoseconds. The text is a decimal number of seconds, or has
   * units like {@code 10m}. The limit is a century, and {@value #LONGEST_NUMBER} characters.
   */
  public long nanos() {
    BigDecimal nanos;
    limitLength(LONGEST_NUMBER);
    if (isNumber(text)) {
      nanos = notNegative().scaleByPowerOfTen(9).setScale(0, RoundingMode.HALF_UP);
    } else {
      nanos = withUnits();
    }
    refuseIf(nanos.compareTo(LONGEST) > 0, "must be at most a century");
    return nanos.longValueExact();
  }

  /** Returns a duration like {@link #nanos}, which must be positive. */
  public long positiveNanos() {
    long nanos = nanos();
    refuseIf(nanos == 0, "must be longer than 0 s");
    return nanos;
  }

  /**
   * Returns a number below 10<sup>19</sup> with at most {@value #LONGEST_NUMBER} decimals and
   * characters. The limits bound the cost of calculations with it.
   */
  public BigDecimal number() {
    limitLength(LONGEST_NUMBER);
    if (!isNumber(text)) {
      throw error(
          "must be a number",
          hasDecimalComma(text)
              ? Optional.of("you meant \"%s\"".formatted(text.replace(',', '.')))
              : Optional.empty());
    }
    BigDecimal number;
    try {
      number = new BigDecimal(text);
    } catch (NumberFormatException absurdExponent) {
      throw error("is too large or has too many decimals");
    }
    if (number.signum() == 0) {
      return BigDecimal.ZERO; // 0e999999999 too
    }
    // Checks the magnitude first: expanding the number could take a billion digits.
    if ((long) number.precision() - number.scale() > MOST_DIGITS
        || number.scale() > LONGEST_NUMBER) {
      throw error("is too large or has too many decimals");
    }
    return number;
  }

  @Override
  public InputException error(String rule) {
    return error(rule, Optional.empty());
  }

  /**
   * Returns an error about this field.
   *
   * @param rule as in {@link InputException#rule}
   * @param hint as in {@link InputException#hint}
   */
  public InputException error(String rule, Optional<String> hint) {
    return location.fieldError(name, text, rule, hint);
  }

  /**
   * Returns whether a text is a decimal number: {@code -1}, {@code .5}, {@code 2.}, {@code 1e-9}.
   */
  private static boolean isNumber(String text) {
    int begin = afterSign(text, 0);
    int point = Digits.end(text, begin);
    int end = point;
    if (point < text.length() && text.charAt(point) == '.') {
      end = Digits.end(text, point + 1);
      if (end == begin + 1) {
        return false; // a point alone
      }
    } else if (point == begin) {
      return false;
    }
    return end == text.length()
        || ((text.charAt(end) == 'e' || text.charAt(end) == 'E')
            && Digits.only(text, afterSign(text, end + 1)));
  }

  private static int afterSign(String text, int at) {
    boolean signed = at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-');
    return signed ? at + 1 : at;
  }

  private static boolean hasDecimalComma(String text) {
    int comma = Digits.end(text, 0);
    return comma > 0
        && comma < text.length()
        && text.charAt(comma) == ','
        && Digits.only(text, comma + 1);
  }

  private BigDecimal notNegative() {
    BigDecimal number = number();
    refuseIf(number.signum() < 0, "must not be negative");
    return number;
  }

  private BigDecimal withUnits() {
    try {
      return BigDecimal.valueOf(Durations.parse(text).toNanos());
    } catch (IllegalArgumentException malformed) {
      throw error("must be a number of seconds, or a duration such as 30s, 10m or 1h30m");
    }
  }
}

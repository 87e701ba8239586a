package dev.berth.traces;

import dev.berth.api.Dimension;
import dev.berth.core.config.Durations;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One field of a line: a text that is to be something, and where it stands. Each conversion either
 * yields what is meant or throws an {@link InputException} that names the field.
 *
 * @param place the line
 * @param name of the field
 * @param text what stands there, without blanks around it
 */
public record Field(Place place, String name, String text) {

  /** A century, in nanoseconds: the sum of a few such times can still be counted. */
  private static final BigDecimal LONGEST =
      BigDecimal.valueOf(36_500L * 86_400).scaleByPowerOfTen(9);

  private static final int LONGEST_NAME = 500;
  private static final int LONGEST_NUMBER = 64;
  private static final int MOST_DIGITS = 19; // of the integer part of what a long can hold
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?");
  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,19}");
  private static final Pattern DECIMAL_COMMA = Pattern.compile("[0-9]+,[0-9]+");

  public boolean isEmpty() {
    return text.isEmpty();
  }

  /** Returns a part of the field, to be read and blamed on its own. */
  public Field part(String partOfText) {
    return new Field(place, name, partOfText.strip());
  }

  /** Returns the parts between separators, but for those that are blank. */
  public List<Field> parts(Pattern separator) {
    return separator.splitAsStream(text).map(this::part).filter(each -> !each.isEmpty()).toList();
  }

  /** Returns the text of a field that must say something. */
  public String required() {
    if (text.isEmpty()) {
      throw wrong("must not be empty");
    }
    if (text.length() > LONGEST_NAME) {
      throw wrong("must not be longer than %s characters".formatted(LONGEST_NAME));
    }
    return text;
  }

  /** Returns whether it says true or 1; no if it is empty. */
  public boolean flag() {
    return switch (text) {
      case "1", "true" -> true;
      case "0", "false", "" -> false;
      default -> throw wrong("must be true or false (or 1 or 0)");
    };
  }

  /** Returns a whole number in a range. */
  public int whole(int least, int greatest) {
    BigDecimal number = number();
    if (number.compareTo(BigDecimal.valueOf(least)) < 0
        || number.compareTo(BigDecimal.valueOf(greatest)) > 0
        || number.setScale(0, RoundingMode.FLOOR).compareTo(number) != 0) {
      throw wrong("must be a whole number from %s to %s".formatted(least, greatest));
    }
    return number.intValueExact();
  }

  /** Returns a whole number in a range that need not fit an int. */
  public long wholeLong(long least, long greatest) {
    try {
      if (WHOLE.matcher(text).matches()) {
        long number = Long.parseLong(text);
        if (number >= least && number <= greatest) {
          return number;
        }
      }
    } catch (NumberFormatException malformed) {
      // Told below.
    }
    throw wrong("must be a whole number from %s to %s".formatted(least, greatest));
  }

  /**
   * Returns an amount in units of a dimension, rounded to the nearest unit; what is more than
   * nothing must not round to nothing.
   */
  public long units(Dimension dimension) {
    BigDecimal amount = notNegative();
    long units;
    try {
      units = dimension.units(amount);
    } catch (IllegalArgumentException tooLarge) {
      throw wrong("is too large to count");
    }
    if (units == 0 && amount.signum() > 0) {
      throw wrong("must be 0 or at least %s".formatted(dimension.format(1)));
    }
    return units;
  }

  /**
   * Returns a time or a duration in nanoseconds: a decimal number of seconds, or with units, like
   * {@code 10m}.
   */
  public long nanos() {
    BigDecimal nanos;
    if (NUMBER.matcher(text).matches()) {
      nanos = notNegative().scaleByPowerOfTen(9).setScale(0, RoundingMode.HALF_UP);
    } else {
      nanos = withUnits();
    }
    if (nanos.compareTo(LONGEST) > 0) {
      throw wrong("must be at most a century");
    }
    return nanos.longValueExact();
  }

  /** Returns a duration as {@link #nanos}, which must be longer than nothing. */
  public long positiveNanos() {
    long nanos = nanos();
    if (nanos == 0) {
      throw wrong("must be longer than 0 s");
    }
    return nanos;
  }

  /**
   * Returns a number of reasonable size: below 10<sup>19</sup> and with at most {@value
   * #LONGEST_NUMBER} decimals, so that no calculation with it takes long.
   */
  public BigDecimal number() {
    if (text.length() > LONGEST_NUMBER || !NUMBER.matcher(text).matches()) {
      throw wrong(
          "must be a number",
          DECIMAL_COMMA.matcher(text).matches()
              ? Optional.of("you meant \"%s\"".formatted(text.replace(',', '.')))
              : Optional.empty());
    }
    BigDecimal number;
    try {
      number = new BigDecimal(text);
    } catch (NumberFormatException absurdExponent) {
      throw wrong("is out of all proportion");
    }
    if (number.signum() == 0) {
      return BigDecimal.ZERO; // 0e999999999 too
    }
    // Magnitudes are compared before anything is expanded into a billion digits.
    if ((long) number.precision() - number.scale() > MOST_DIGITS
        || number.scale() > LONGEST_NUMBER) {
      throw wrong("is out of all proportion");
    }
    return number;
  }

  public InputException wrong(String rule) {
    return wrong(rule, Optional.empty());
  }

  public InputException wrong(String rule, Optional<String> hint) {
    return place.wrongField(name, text, rule, hint);
  }

  private BigDecimal notNegative() {
    BigDecimal number = number();
    if (number.signum() < 0) {
      throw wrong("must not be negative");
    }
    return number;
  }

  private BigDecimal withUnits() {
    try {
      return BigDecimal.valueOf(Durations.parse(text).toNanos());
    } catch (IllegalArgumentException malformed) {
      throw wrong("must be a number of seconds, or a duration such as 30s, 10m or 1h30m");
    }
  }
}

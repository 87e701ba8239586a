package dev.berth.cli.input;

import dev.berth.cli.error.BadInputException;
import dev.berth.core.config.Durations;
import dev.berth.experiments.run.Shard;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the values of options: numbers, flags, paths, durations and shards. Their errors state the
 * value and the rule.
 */
public final class ValueConverters {

  private static final int LONGEST_NUMBER = 64; // characters, and decimals

  private static final Pattern SHARD = Pattern.compile("([0-9]{1,9})/([0-9]{1,9})");

  /** Sums of two such times are exact. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private ValueConverters() {}

  /** Makes a command and its subcommands use these converters. */
  public static void register(CommandLine command) {
    command
        .registerConverter(int.class, ValueConverters::toInt)
        .registerConverter(Integer.class, ValueConverters::toInt)
        .registerConverter(long.class, ValueConverters::toLong)
        .registerConverter(Long.class, ValueConverters::toLong)
        .registerConverter(double.class, ValueConverters::toDouble)
        .registerConverter(Double.class, ValueConverters::toDouble)
        .registerConverter(BigDecimal.class, ValueConverters::number)
        .registerConverter(boolean.class, ValueConverters::flag)
        .registerConverter(Path.class, ValueConverters::path)
        .registerConverter(Duration.class, ValueConverters::duration)
        .registerConverter(Moment.class, Moment::read)
        .registerConverter(Repeated.class, Repeated::read)
        .registerConverter(Shard.class, ValueConverters::shard);
  }

  private static int toInt(String text) {
    return whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE).intValueExact();
  }

  private static long toLong(String text) {
    return whole(text, Long.MIN_VALUE, Long.MAX_VALUE).longValueExact();
  }

  private static BigInteger whole(String text, long least, long greatest) {
    if (text.length() > LONGEST_NUMBER || !text.matches("[-+]?[0-9]+")) {
      throw wrong(text, "must be a whole number");
    }
    BigInteger number = new BigInteger(text);
    if (number.compareTo(BigInteger.valueOf(least)) < 0
        || number.compareTo(BigInteger.valueOf(greatest)) > 0) {
      throw wrong(text, "must be a whole number from %s to %s".formatted(least, greatest));
    }
    return number;
  }

  private static double toDouble(String text) {
    return number(text).doubleValue();
  }

  /** Returns a number of limited size: an exponent of a billion would take as many digits. */
  private static BigDecimal number(String text) {
    try {
      BigDecimal number = new BigDecimal(text);
      if (text.length() <= LONGEST_NUMBER && Math.abs((long) number.scale()) <= LONGEST_NUMBER) {
        return number;
      }
    } catch (NumberFormatException malformed) {
      throw wrong(text, "must be a number such as 0.5");
    }
    throw wrong(text, "must be a number with at most %s digits".formatted(LONGEST_NUMBER));
  }

  private static boolean flag(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrong(text, "must be true or false");
    };
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException malformed) {
      throw wrong(text, "is not a path");
    }
  }

  /**
   * Returns a duration, written as in configurations: {@code 30s}, {@code 1h30m}, {@code PT30S}.
   */
  static Duration duration(String text) {
    try {
      Duration time = Durations.parse(text);
      if (time.compareTo(LONGEST) > 0) {
        throw wrong(text, "must be at most " + Durations.format(LONGEST));
      }
      return time;
    } catch (IllegalArgumentException malformed) {
      throw new TypeConversionException(malformed.getMessage());
    }
  }

  /**
   * Returns the duration, which must not be zero.
   *
   * @param option the option that has it, for the message
   * @throws BadInputException if it is zero
   */
  public static Duration positive(String option, Duration duration) {
    BadInputException.unless(!duration.isZero(), option + " was 0s, must be positive.");
    return duration;
  }

  private static Shard shard(String text) {
    Matcher parts = SHARD.matcher(text);
    if (!parts.matches()) {
      throw wrong(text, "must be a part and the number of parts, such as 3/16");
    }
    int number = toInt(parts.group(1));
    int count = toInt(parts.group(2));
    if (number < 1 || number > count) {
      throw wrong(text, "must be a part from 1/%1$s to %1$s/%1$s".formatted(Math.max(1, count)));
    }
    return new Shard(number, count);
  }

  private static TypeConversionException wrong(String text, String rule) {
    return new TypeConversionException("was \"%s\", %s.".formatted(text, rule));
  }
}

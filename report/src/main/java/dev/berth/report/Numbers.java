package dev.berth.report;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Numbers as documents show them, the same in every locale. */
public final class Numbers {

  /** Stands for a value that is undefined or unknown. */
  public static final String ABSENT = "–";

  private Numbers() {}

  /** Returns a number with so many decimals: {@code "1234.50"}. */
  public static String fixed(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  /** Returns a number with its sign and so many decimals: {@code "+91.5"}. */
  public static String signed(double value, int digits) {
    return String.format(Locale.ROOT, "%+." + digits + "f", value);
  }

  /** Returns a number with so many decimals, or {@link #ABSENT}. */
  public static String fixed(OptionalDouble value, int digits) {
    return value.isPresent() ? fixed(value.getAsDouble(), digits) : ABSENT;
  }

  /** Returns a number with so many decimals and thousands separated: {@code "1,234.50"}. */
  public static String grouped(double value, int digits) {
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  /** Returns a count with thousands separated: {@code "12,477"}. */
  public static String grouped(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /**
   * Returns a mean and half the width of its confidence interval, {@code "90.7 ±0.2"}; the mean
   * alone if the interval is undefined.
   */
  public static String estimate(double mean, OptionalDouble halfWidth, int digits) {
    return halfWidth.isPresent()
        ? fixed(mean, digits) + " ±" + fixed(halfWidth.getAsDouble(), digits)
        : fixed(mean, digits);
  }

  /** Returns a count without separators, or {@link #ABSENT}. */
  public static String count(OptionalLong value) {
    return value.isPresent() ? Long.toString(value.getAsLong()) : ABSENT;
  }

  /** Returns a number with as many decimals as it needs: {@code "0.9"}, {@code "1"}. */
  public static String plain(double value) {
    String text = Double.toString(value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}

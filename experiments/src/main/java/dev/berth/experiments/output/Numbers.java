package dev.berth.experiments.output;

import dev.berth.experiments.Sample;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Numbers as the tables show them, the same in every locale. */
public final class Numbers {

  /** What stands for a value that is undefined or was not published. */
  public static final String NONE = "–";

  private Numbers() {}

  /** Returns a share with a number of digits: {@code "0.9054"}. */
  public static String share(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  /** Returns a share with a number of digits, or {@link #NONE}. */
  public static String share(OptionalDouble value, int digits) {
    return value.isPresent() ? share(value.getAsDouble(), digits) : NONE;
  }

  /** Returns mean and 95 % confidence interval: {@code "90.7 ±0.2"}. */
  public static String estimate(Sample sample, int digits) {
    return share(sample.mean(), digits) + " ±" + share(sample.halfWidth(), digits);
  }

  /** Returns a count, or {@link #NONE}. */
  public static String count(OptionalLong value) {
    return value.isPresent() ? Long.toString(value.getAsLong()) : NONE;
  }

  /** Returns a share as people write it: {@code "0.9"}, {@code "1"}. */
  public static String plain(double value) {
    String text = Double.toString(value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}

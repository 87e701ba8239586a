package dev.berth.experiments.figures;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A figure: its names, how it is shown and compared, and how it is read. Tables, charts, CSV and
 * JSON derive from it.
 *
 * @param key its name in JSON and in published tables
 * @param column its name in CSV
 * @param words its name in tables and sentences
 * @param digits the decimals with which it is shown; 0: it is a whole number
 * @param moreIsBetter whether great values are better than small ones
 * @param reader returns the figure; empty if it is undefined
 * @param <R> what has the figure, such as a run
 */
public record Figure<R>(
    String key,
    String column,
    String words,
    int digits,
    boolean moreIsBetter,
    Function<R, OptionalDouble> reader) {

  /** Returns a figure that is always defined. */
  public static <R> Figure<R> defined(
      String key,
      String column,
      String words,
      int digits,
      boolean moreIsBetter,
      ToDoubleFunction<R> reader) {
    return new Figure<>(
        key,
        column,
        words,
        digits,
        moreIsBetter,
        one -> OptionalDouble.of(reader.applyAsDouble(one)));
  }

  /** Returns the figure of one; empty if it is undefined. */
  public OptionalDouble of(R one) {
    return reader.apply(one);
  }

  /** Returns the figure of those that have it. */
  public Sample over(List<R> all) {
    return Sample.ofDefined(all, reader);
  }
}

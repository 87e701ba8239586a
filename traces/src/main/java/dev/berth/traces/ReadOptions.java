package dev.berth.traces;

/**
 * How a file is read.
 *
 * @param skipBad how many lines that cannot be used are left out, counted and told; with one more
 *     the file is refused
 */
public record ReadOptions(int skipBad) {

  /** Every line must be right. */
  public static final ReadOptions STRICT = new ReadOptions(0);

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public ReadOptions {
    if (skipBad < 0) {
      throw new IllegalArgumentException(
          "skipBad was %s, must not be negative.".formatted(skipBad));
    }
  }
}

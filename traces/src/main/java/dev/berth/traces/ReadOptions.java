package dev.berth.traces;

import static dev.berth.api.Arguments.refuseIf;

/**
 * How strictly a file is read.
 *
 * @param skipBad how many bad lines are skipped, counted and reported; not negative. One more bad
 *     line makes the reader refuse the file. An entry of several lines is skipped as a whole, and
 *     counts once.
 */
public record ReadOptions(int skipBad) {

  /** Refuses a file at its first bad line. */
  public static final ReadOptions STRICT = new ReadOptions(0);

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public ReadOptions {
    refuseIf(skipBad < 0, "skipBad was %s, must not be negative.", skipBad);
  }
}

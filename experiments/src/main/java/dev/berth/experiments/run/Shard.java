package dev.berth.experiments.run;

import static dev.berth.api.Arguments.refuseIf;

/**
 * One of several parts of an experiment, for runs on several machines. The digest of a cell selects
 * its part, so every machine agrees, and a cell stays in its part when others are added.
 *
 * @param number of the part, from 1
 * @param count number of parts, 1 or more
 */
public record Shard(int number, int count) {

  /** The whole experiment. */
  public static final Shard WHOLE = new Shard(1, 1);

  private static final int DIGITS = 16; // of the digest: as many as a long has
  private static final int RADIX = 16;

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the number is not from 1 to the count
   */
  public Shard {
    refuseIf(
        number < 1 || number > count, "shard was %s of %s, must be 1 to the count.", number, count);
  }

  /**
   * Returns whether a cell belongs to the part.
   *
   * @param key digest of the cell, in hexadecimal digits
   */
  boolean includes(String key) {
    long digest = Long.parseUnsignedLong(key.substring(0, DIGITS), RADIX);
    return Long.remainderUnsigned(digest, count) == number - 1;
  }

  /** Returns {@code "3/16"}, as in options and messages. */
  @Override
  public String toString() {
    return number + "/" + count;
  }
}

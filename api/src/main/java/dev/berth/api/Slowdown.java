package dev.berth.api;

/**
 * The factor by which work takes longer than at full speed: 2 at half the speed, never below 1.
 *
 * <p>Stored as a whole number of millionths, so that a simulator and a predicting policy agree to
 * the nanosecond. Immutable.
 *
 * @param partsPerMillion nanoseconds that a million nanoseconds of work take, from 1,000,000 (full
 *     speed) to {@link #MAX_PARTS_PER_MILLION}
 */
public record Slowdown(long partsPerMillion) implements Comparable<Slowdown> {

  private static final long MILLION = 1_000_000;

  /** The greatest slow-down: a millionfold. */
  public static final long MAX_PARTS_PER_MILLION = MILLION * MILLION;

  /** Full speed. */
  public static final Slowdown NONE = new Slowdown(MILLION);

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the value is outside its range
   */
  public Slowdown {
    if (partsPerMillion < MILLION || partsPerMillion > MAX_PARTS_PER_MILLION) {
      throw new IllegalArgumentException(
          "slow-down was %s, must be from 1 (full speed) to a million."
              .formatted(partsPerMillion / 1e6));
    }
  }

  /**
   * Returns the slow-down nearest to a factor.
   *
   * @param factor from 1 to a million, rounded to millionths
   * @throws IllegalArgumentException if the factor is outside that range or not a number
   */
  public static Slowdown of(double factor) {
    if (Double.isNaN(factor)) {
      throw new IllegalArgumentException("slow-down was NaN, must be from 1 to a million.");
    }
    return new Slowdown(Math.round(factor * MILLION));
  }

  /** Returns the slow-down with which {@code work} takes {@code time}, rounded to millionths. */
  static Slowdown ratio(long time, long work) {
    return of(Math.min((double) time / work, MILLION));
  }

  /** Returns the factor, from 1 to a million. */
  public double factor() {
    return partsPerMillion / 1e6;
  }

  /** Returns the product of both slow-downs, at most a millionfold. */
  public Slowdown times(Slowdown other) {
    if (other.partsPerMillion == MILLION) {
      return this;
    }
    if (partsPerMillion == MILLION) {
      return other;
    }
    return of(Math.min(factor() * other.factor(), MILLION));
  }

  /**
   * Returns the time that work takes, rounded up.
   *
   * @param work nanoseconds at full speed, not negative
   * @return nanoseconds; {@link Long#MAX_VALUE} on overflow
   */
  public long timeFor(long work) {
    if (partsPerMillion == MILLION) {
      return work;
    }
    long whole = work / MILLION;
    long rest = work % MILLION;
    if (whole > (Long.MAX_VALUE - MAX_PARTS_PER_MILLION) / partsPerMillion) {
      return Long.MAX_VALUE;
    }
    return whole * partsPerMillion + (rest * partsPerMillion + MILLION - 1) / MILLION;
  }

  /**
   * Returns the work done in a time, rounded down.
   *
   * @param time nanoseconds, not negative
   * @return nanoseconds at full speed
   */
  public long workIn(long time) {
    if (partsPerMillion == MILLION) {
      return time;
    }
    long whole = time / partsPerMillion;
    long rest = time % partsPerMillion;
    return whole * MILLION + rest * MILLION / partsPerMillion;
  }

  @Override
  public int compareTo(Slowdown other) {
    return Long.compare(partsPerMillion, other.partsPerMillion);
  }

  /** Returns the factor: {@code "2.1"}. */
  @Override
  public String toString() {
    return Double.toString(factor());
  }
}

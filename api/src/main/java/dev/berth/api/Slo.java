package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

/**
 * An availability objective: the share of its life that an instance should be in service.
 *
 * <p>Stored as a whole number of billionths, so that schedulers on different machines agree to the
 * nanosecond. Immutable.
 *
 * @param partsPerBillion the objective in billionths, from {@link #MIN_PARTS_PER_BILLION} to
 *     1,000,000,000
 */
public record Slo(long partsPerBillion) implements Comparable<Slo> {

  /**
   * The smallest objective, 0.001: below it, an hour of service would earn more than a month of
   * waiting.
   */
  public static final long MIN_PARTS_PER_BILLION = 1_000_000;

  private static final long BILLION = 1_000_000_000;

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the objective is outside [0.001, 1]
   */
  public Slo {
    if (partsPerBillion < MIN_PARTS_PER_BILLION || partsPerBillion > BILLION) {
      throw new IllegalArgumentException(
          "slo was %s, must be in [0.001, 1].".formatted(partsPerBillion / 1e9)
              + (partsPerBillion > BILLION && partsPerBillion <= 100 * BILLION
                  ? " Maybe you meant %s (a share, not a percentage)."
                      .formatted(partsPerBillion / 1e11)
                  : ""));
    }
  }

  /**
   * Returns the objective nearest to {@code share}.
   *
   * @param share from 0.001 to 1, rounded to billionths
   * @throws IllegalArgumentException if the share is outside that range or not a number
   */
  public static Slo of(double share) {
    refuseIf(Double.isNaN(share), "slo was NaN, must be in [0.001, 1].");
    return new Slo(Math.round(share * BILLION));
  }

  /** Returns the objective as a share, from 0.001 to 1. */
  public double share() {
    return partsPerBillion / 1e9;
  }

  /**
   * Returns the life span that a service time justifies at exactly this objective: {@code
   * serviceTime / share}, rounded down to the nanosecond.
   *
   * <p>Applied to instants, it is the <em>meter</em> of the objective: service from {@code a} to
   * {@code b} earns {@code lifeSpan(b) - lifeSpan(a)}. Berth accounts for e/σ in this way
   * (QoS-driven scheduling, Eqs. 2 to 7). While two instances of a class run, the difference
   * between them then stays constant, without any rounding. Large results wrap around as {@code
   * long} sums do; differences stay exact while they are below 2<sup>63</sup> ns (292 years).
   *
   * @param serviceTime nanoseconds, of any sign
   * @return nanoseconds, modulo 2<sup>64</sup>
   */
  public long lifeSpan(long serviceTime) {
    if (partsPerBillion == BILLION) {
      return serviceTime;
    }
    long whole = Math.floorDiv(serviceTime, partsPerBillion);
    long rest = Math.floorMod(serviceTime, partsPerBillion);
    return whole * BILLION + rest * BILLION / partsPerBillion;
  }

  /**
   * Returns whether a service time meets the objective: {@code serviceTime / life >= share},
   * compared exactly.
   *
   * @param serviceTime nanoseconds; not negative
   * @param life nanoseconds since admission; not negative. A life of 0 meets every objective
   */
  public boolean isMetBy(long serviceTime, long life) {
    long high = Math.multiplyHigh(serviceTime, BILLION);
    long promisedHigh = Math.multiplyHigh(life, partsPerBillion);
    return high != promisedHigh
        ? high > promisedHigh
        : Long.compareUnsigned(serviceTime * BILLION, life * partsPerBillion) >= 0;
  }

  @Override
  public int compareTo(Slo other) {
    return Long.compare(partsPerBillion, other.partsPerBillion);
  }

  /** Returns the share in decimal notation: {@code "0.9"}. */
  @Override
  public String toString() {
    return Double.toString(share());
  }
}

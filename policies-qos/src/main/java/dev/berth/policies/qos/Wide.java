package dev.berth.policies.qos;

import dev.berth.api.Slo;

/**
 * A whole number of 128 bits, in two's complement.
 *
 * @param high the upper half, with the sign
 * @param low the lower half, unsigned
 */
record Wide(long high, long low) {

  private static final long BILLION = 1_000_000_000;

  static Wide of(long number) {
    return new Wide(number >> 63, number);
  }

  /** Returns {@link Slo#lifeSpan} without wrapping. */
  static Wide lifeSpan(Slo slo, long serviceTime) {
    long parts = slo.partsPerBillion();
    long whole = Math.floorDiv(serviceTime, parts);
    long rest = Math.floorMod(serviceTime, parts);
    return new Wide(Math.multiplyHigh(whole, BILLION), whole * BILLION)
        .plus(rest * BILLION / parts);
  }

  Wide plus(Wide other) {
    long sum = low + other.low;
    long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
    return new Wide(high + other.high + carry, sum);
  }

  Wide plus(long number) {
    return plus(of(number));
  }

  Wide minus(Wide other) {
    long borrow = Long.compareUnsigned(low, other.low) < 0 ? 1 : 0;
    return new Wide(high - other.high - borrow, low - other.low);
  }

  Wide minus(long number) {
    return minus(of(number));
  }

  /** Returns the number divided by 2<sup>bits</sup>, rounded down, modulo 2<sup>64</sup>. */
  long shiftedRight(int bits) {
    return bits == 0 ? low : high << (Long.SIZE - bits) | low >>> bits;
  }
}

package dev.berth.policies.qos;

import dev.berth.api.ServiceClass;
import dev.berth.api.TimeLimits;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;

/**
 * The unit of the QoS metric in one scheduler: the smallest power of two nanoseconds in which every
 * value fits a {@code long} for the {@linkplain TimeLimits#LONGEST_LIFE longest life}.
 *
 * <p>An instance gains {@code 1/σ − 1} for each nanosecond of service. The unit is a nanosecond
 * while all objectives exceed 0.439. It is 8 ns for an objective of 0.1, and 1024 ns for the least
 * one, 0.001.
 *
 * @param bits the logarithm of the unit in nanoseconds, to base 2
 */
record QosUnit(int bits) {

  static final QosUnit NANOSECOND = new QosUnit(0);

  /** The greatest value; a queue key, which is a value plus a time, then fits as well. */
  private static final long MAX_VALUE = Long.MAX_VALUE - TimeLimits.LATEST;

  private static final long BILLION = 1_000_000_000;

  /**
   * Returns the unit for some service classes.
   *
   * @param expectedOverhead α, or by how much values may exceed a life; not negative
   */
  static QosUnit of(List<ServiceClass> classes, Duration expectedOverhead) {
    BigInteger life = BigInteger.valueOf(TimeLimits.LONGEST_LIFE.toNanos());
    long lowest =
        classes.stream().mapToLong(each -> each.slo().partsPerBillion()).min().orElse(BILLION);
    BigInteger onlyService =
        life.multiply(BigInteger.valueOf(BILLION))
            .divide(BigInteger.valueOf(lowest))
            .subtract(life);
    BigInteger greatest = onlyService.max(life).add(BigInteger.valueOf(expectedOverhead.toNanos()));
    int bits = 0;
    while (greatest.shiftRight(bits).compareTo(BigInteger.valueOf(MAX_VALUE)) > 0) {
      bits++;
    }
    return new QosUnit(bits);
  }

  /** Returns a time in units, rounded down. */
  long of(Duration time) {
    return time.toNanos() >> bits;
  }

  /** Returns nanoseconds in units, rounded down. */
  long ofNanos(long nanos) {
    return nanos >> bits;
  }

  /** Returns a number in units, rounded down. */
  long of(Wide nanos) {
    return nanos.shiftedRight(bits);
  }

  /** Returns the length of the unit. */
  double nanos() {
    return 1L << bits;
  }
}

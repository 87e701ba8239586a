package dev.berth.testkit.reference;

import dev.berth.api.ServiceClass;
import dev.berth.api.Slo;
import dev.berth.api.TimeLimits;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.OptionalDouble;

/** The formulas of sections 3.1, 3.2 and 3.5.2, and nothing else. */
public final class Metrics {

  private Metrics() {}

  /**
   * A period in service, from its start up to its end.
   *
   * @param from when the instance became ready
   * @param to when it stopped, or the time up to which one counts; not before {@code from}
   */
  public record Run(long from, long to) {

    /** Returns how long it lasted. */
    public long length() {
      return to - from;
    }
  }

  /** Returns e, the time in service. */
  public static long serviceTime(List<Run> runs) {
    return runs.stream().mapToLong(Run::length).sum();
  }

  /**
   * Returns e/σ, the life span that the time in service justifies. Exactly e/σ but for the
   * rounding: each run counts by the reading of the objective's meter at its end less that at its
   * start. Modulo 2<sup>64</sup>.
   */
  public static long earned(List<Run> runs, Slo slo) {
    return runs.stream().mapToLong(run -> slo.lifeSpan(run.to()) - slo.lifeSpan(run.from())).sum();
  }

  /**
   * Returns A = e / (e + p) (Eq. 1), in [0, 1]; empty when both are 0.
   *
   * @param e time in service
   * @param p time waiting
   */
  public static OptionalDouble availability(long e, long p) {
    return e + p == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) e / (e + p));
  }

  /**
   * Returns Q = e/σ − (e + p) − α (Eqs. 2 to 7): the time to violate where it is not negative, the
   * recoverability where it is.
   *
   * @param earned e/σ
   * @param e time in service
   * @param p time waiting
   * @param alpha α, the expected time to prepare a host
   */
  public static long qos(long earned, long e, long p, long alpha) {
    return earned - (e + p) - alpha;
  }

  /**
   * Returns the unit of Q in a cluster: the smallest power of two nanoseconds in which Q, and Q
   * plus a time, fit a {@code long} until {@link TimeLimits#LONGEST_LIFE}. It is one nanosecond if
   * all objectives exceed 0.439.
   *
   * @param classes the service classes of the cluster; at least one
   * @param alpha α, the expected time to prepare a host
   */
  public static long unitOfQos(List<ServiceClass> classes, long alpha) {
    BigDecimal life = BigDecimal.valueOf(TimeLimits.LONGEST_LIFE.toNanos());
    BigDecimal greatest = life; // of Q and -Q, without α
    for (ServiceClass each : classes) {
      BigDecimal slo = BigDecimal.valueOf(each.slo().partsPerBillion(), 9);
      greatest = greatest.max(life.divide(slo, 0, RoundingMode.DOWN).subtract(life));
    }
    greatest = greatest.add(BigDecimal.valueOf(alpha));
    BigDecimal room = BigDecimal.valueOf(Long.MAX_VALUE - TimeLimits.LATEST);
    long unit = 1;
    while (greatest.divide(BigDecimal.valueOf(unit), 0, RoundingMode.DOWN).compareTo(room) > 0) {
      unit *= 2;
    }
    return unit;
  }

  /**
   * Returns Q in a unit. The part that changes with time and the part that does not are each
   * rounded down.
   *
   * @param runs the time in service so far
   * @param isRunning whether the last of the runs has not ended
   * @param unit nanoseconds
   */
  public static BigInteger qos(
      List<Run> runs,
      boolean isRunning,
      Slo slo,
      long admittedAt,
      long now,
      long alpha,
      long unit) {
    BigInteger meter = isRunning ? lifeSpan(slo, now) : BigInteger.ZERO;
    BigInteger earned =
        runs.stream()
            .map(run -> lifeSpan(slo, run.to()).subtract(lifeSpan(slo, run.from())))
            .reduce(BigInteger.ZERO, BigInteger::add);
    BigInteger constant =
        earned
            .subtract(meter)
            .add(BigInteger.valueOf(admittedAt))
            .subtract(BigInteger.valueOf(alpha));
    BigInteger changing = meter.subtract(BigInteger.valueOf(now));
    return floor(constant, unit).add(floor(changing, unit));
  }

  /**
   * Returns the part of Q, in a unit, that changes with time while an instance runs.
   *
   * @param unit nanoseconds
   */
  public static BigInteger gain(Slo slo, long now, long unit) {
    return floor(lifeSpan(slo, now).subtract(BigInteger.valueOf(now)), unit);
  }

  private static BigInteger lifeSpan(Slo slo, long time) {
    return floor(
        BigInteger.valueOf(time).multiply(BigInteger.valueOf(1_000_000_000)),
        slo.partsPerBillion());
  }

  private static BigInteger floor(BigInteger dividend, long divisor) {
    BigInteger[] parts = dividend.divideAndRemainder(BigInteger.valueOf(divisor));
    return parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
  }

  /**
   * Returns C = S / (e + S) (Eq. 8), in [0, 1]; 0 where nothing was lost.
   *
   * @param lost S, the time lost to restarts after preemption
   * @param e time in service
   */
  public static double preemptionOverhead(long lost, long e) {
    return lost == 0 ? 0 : (double) lost / ((double) e + lost);
  }
}

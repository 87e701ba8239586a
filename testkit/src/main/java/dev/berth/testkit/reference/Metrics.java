package dev.berth.testkit.reference;

import dev.berth.api.Slo;
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
   * start.
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
   * Returns C = S / (e + S) (Eq. 8), in [0, 1]; 0 where nothing was lost.
   *
   * @param lost S, the time lost to restarts after preemption
   * @param e time in service
   */
  public static double preemptionOverhead(long lost, long e) {
    return lost == 0 ? 0 : (double) lost / ((double) e + lost);
  }
}

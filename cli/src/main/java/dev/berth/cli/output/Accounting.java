package dev.berth.cli.output;

import dev.berth.api.Instance;
import dev.berth.api.InstanceReport;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What an instance got so far, frozen: where it stands, and how that compares with what it was
 * promised. Times are in nanoseconds.
 *
 * @param instance its id
 * @param serviceClass what it was promised
 * @param request what was asked for; empty once it is done
 * @param state where it stands in its life
 * @param host where it is, if anywhere
 * @param admittedAt when it was admitted
 * @param stateSince when it came into its state
 * @param serviceTime e: time in service
 * @param waitingTime p: time not in service
 * @param placements how often it was placed
 * @param preemptions how often it was preempted
 * @param migrations how often it was migrated, as far as that is known; not of one that is done
 * @param restartOverhead time that starting again after preemptions took
 */
public record Accounting(
    String instance,
    ServiceClass serviceClass,
    Optional<Request> request,
    InstanceState state,
    Optional<String> host,
    long admittedAt,
    long stateSince,
    long serviceTime,
    long waitingTime,
    int placements,
    int preemptions,
    int migrations,
    long restartOverhead) {

  private static final BigInteger BILLION = BigInteger.valueOf(1_000_000_000);

  /** Returns how a live instance stands at a time. */
  public static Accounting of(Instance live, long now) {
    return new Accounting(
        live.id(),
        live.serviceClass(),
        Optional.of(live.request()),
        live.state(),
        live.host().map(host -> host.id()),
        live.admittedAt(),
        live.stateSince(),
        live.serviceTime(now),
        live.waitingTime(now),
        live.placements(),
        live.preemptions(),
        live.migrations(),
        live.restartOverhead());
  }

  /** Returns how an instance stood when it was done. */
  public static Accounting of(InstanceReport done) {
    return new Accounting(
        done.id(),
        done.serviceClass(),
        Optional.empty(),
        InstanceState.DONE,
        Optional.empty(),
        done.admittedAt(),
        done.endedAt(),
        done.serviceTime(),
        done.waitingTime(),
        done.placements(),
        done.preemptions(),
        0,
        done.restartOverhead());
  }

  /** Returns e / (e + p), in [0, 1]; empty at the moment of admission. */
  public OptionalDouble availability() {
    long life = serviceTime + waitingTime;
    return life == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) serviceTime / life);
  }

  /**
   * Returns how long it may yet be out of service before its availability falls below its SLO: e/σ
   * − (e + p). Empty if it is below already.
   */
  public OptionalLong spare() {
    BigInteger share = BigInteger.valueOf(serviceClass.slo().partsPerBillion());
    BigInteger ahead = ahead();
    return ahead.signum() < 0
        ? OptionalLong.empty()
        : OptionalLong.of(saturated(ahead.divide(share)));
  }

  /**
   * Returns how long it would have to be in service, without a break, for its availability to be
   * back at its SLO: (σ·(e + p) − e) / (1 − σ). Empty if it is not below, or if nothing can bring
   * it back (σ = 1).
   */
  public OptionalLong catchUp() {
    BigInteger ahead = ahead();
    BigInteger rest = BILLION.subtract(BigInteger.valueOf(serviceClass.slo().partsPerBillion()));
    return ahead.signum() >= 0 || rest.signum() == 0
        ? OptionalLong.empty()
        : OptionalLong.of(
            saturated(ahead.negate().add(rest).subtract(BigInteger.ONE).divide(rest)));
  }

  private static long saturated(BigInteger nanos) {
    return nanos.bitLength() < Long.SIZE ? nanos.longValue() : Long.MAX_VALUE;
  }

  /**
   * Returns e − σ·(e + p), in billionths of a nanosecond: how far it is ahead of its SLO, exactly.
   */
  private BigInteger ahead() {
    BigInteger life = BigInteger.valueOf(serviceTime + waitingTime);
    BigInteger share = BigInteger.valueOf(serviceClass.slo().partsPerBillion());
    return BigInteger.valueOf(serviceTime).multiply(BILLION).subtract(share.multiply(life));
  }
}

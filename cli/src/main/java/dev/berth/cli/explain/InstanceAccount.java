package dev.berth.cli.explain;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.InstanceReport;
import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A snapshot of an instance: its state, its service so far, and how that compares with its SLO.
 * Times are in nanoseconds.
 *
 * @param instance its id
 * @param serviceClass its service class
 * @param request its request; empty once it is done
 * @param state its state
 * @param host its host; empty if it has none
 * @param admittedAt when it was admitted
 * @param stateSince when it entered its state
 * @param serviceTime e: time in service
 * @param waitingTime p: time not in service
 * @param placements how often it was placed
 * @param preemptions how often it was preempted
 * @param migrations how often it was migrated, as far as known; 0 once it is done
 * @param restartOverhead time spent on restarts after preemptions
 */
public record InstanceAccount(
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

  /** Returns the snapshot of a live instance at a time. Its times count from a beginning on. */
  public static InstanceAccount of(Instance live, long now, long begin) {
    return new InstanceAccount(
        live.id(),
        live.serviceClass(),
        Optional.of(live.request()),
        live.state(),
        live.host().map(host -> host.id()),
        live.admittedAt() - begin,
        live.stateSince() - begin,
        live.serviceTime(now),
        live.waitingTime(now),
        live.placements(),
        live.preemptions(),
        live.migrations(),
        live.restartOverhead());
  }

  /** Returns the snapshot of an instance when it was done. */
  public static InstanceAccount of(InstanceReport done) {
    return new InstanceAccount(
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
   * Returns how long it can still be out of service before its availability falls below its SLO:
   * e/σ − (e + p). Empty if it is already below.
   */
  public OptionalLong spare() {
    BigInteger share = BigInteger.valueOf(serviceClass.slo().partsPerBillion());
    BigInteger ahead = ahead();
    return ahead.signum() < 0
        ? OptionalLong.empty()
        : OptionalLong.of(saturated(ahead.divide(share)));
  }

  /**
   * Returns how long it must be in service without a break until its availability reaches its SLO
   * again: (σ·(e + p) − e) / (1 − σ). Empty if it is not below, or if it can never reach it (σ =
   * 1).
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

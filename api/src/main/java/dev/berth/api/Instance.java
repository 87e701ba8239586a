package dev.berth.api;

import dev.berth.api.batch.GroupSpec;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Attempt;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A live, read-only view of the instance that serves a request, with its service-level accounting.
 *
 * <p>At every instant {@code serviceTime + waitingTime = now − admittedAt} (QoS-driven scheduling,
 * section 3.1): service runs from the moment the instance is reported ready until it stops.
 * Pending, starting, paused and suspended time is waiting time.
 *
 * <p>During a scheduling pass it reflects the actions recorded so far. Only the thread that drives
 * the scheduler may use it.
 */
public interface Instance {

  /** Returns the id, which is that of its request. */
  default String id() {
    return request().id();
  }

  /** Returns the request it serves. */
  Request request();

  /** Returns the service class of the request. */
  ServiceClass serviceClass();

  /** Returns the state of the instance. */
  InstanceState state();

  /** Returns the host it is on; empty while it is pending and when it is done. */
  Optional<Host> host();

  /**
   * Returns its grant: the resources that it holds while it starts and runs, and holds again once
   * resumed. On a host, the grant is the demand unless the instance was resized or placed with
   * another grant. On no host, it is always the demand.
   */
  default Resources granted() {
    return request().demand();
  }

  /** Returns the latest usage report since it joined its host, or empty. */
  default Optional<Usage> usage() {
    return Optional.empty();
  }

  /** Returns the usage report before the latest one since it joined its host, or empty. */
  default Optional<Usage> previousUsage() {
    return Optional.empty();
  }

  /** Returns the id of its bag of tasks, or empty. */
  default Optional<String> bag() {
    return Optional.empty();
  }

  /** Returns the id of its {@linkplain GroupSpec group}, or empty. */
  default Optional<String> group() {
    return Optional.empty();
  }

  /**
   * Returns when the request was admitted. While it waits for those that it is to start {@linkplain
   * Request#after after}, its life stands still; at the end of that wait, this time moves on by it.
   */
  long admittedAt();

  /** Returns when it entered its current state. */
  long stateSince();

  /**
   * Returns e, its total time in service, in nanoseconds.
   *
   * @param now not before {@link #stateSince}
   * @throws IllegalArgumentException if the instance runs, and {@code now} is before that or beyond
   *     the {@link TimeLimits}
   */
  long serviceTime(long now);

  /**
   * Returns p, its total time out of service since admission, in nanoseconds.
   *
   * @param now not before {@link #stateSince}
   * @throws IllegalArgumentException if {@code now} is before the admission or beyond the {@link
   *     TimeLimits}
   */
  default long waitingTime(long now) {
    return TimeLimits.between(admittedAt(), now) - serviceTime(now);
  }

  /**
   * Returns A = e / (e + p) (Eq. 1), in [0, 1]; empty at the moment of admission, when it is
   * undefined.
   *
   * @param now not before {@link #stateSince}
   * @throws IllegalArgumentException if {@code now} is before the admission or beyond the {@link
   *     TimeLimits}
   */
  default OptionalDouble availability(long now) {
    long life = TimeLimits.between(admittedAt(), now);
    return life == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) serviceTime(now) / life);
  }

  /**
   * Returns e / σ: the life span that its service so far justifies, in nanoseconds, rounded as by
   * {@link Slo#lifeSpan}. While the instance runs, {@code earnedTime(now) −
   * serviceClass().slo().lifeSpan(now)} is constant; in all other states, {@code earnedTime} is. It
   * wraps around beyond 2<sup>63</sup> ns, after 292 years · σ of service.
   *
   * @param now not before {@link #stateSince}
   * @throws IllegalArgumentException as {@link #serviceTime}
   */
  long earnedTime(long now);

  /** Returns the number of preemptions. */
  int preemptions();

  /** Returns the number of placements. */
  int placements();

  /**
   * Returns how often it has failed in a row: its starts that failed or were rejected, and its
   * failures while it ran. Once it has run for {@link Backoff#FORGIVEN_AFTER} in one go, the count
   * starts anew, and a failure after that does not count.
   */
  default int failures() {
    return 0;
  }

  /**
   * Returns how many starts of it plans have ordered: each placement, resumption and migration is
   * an {@linkplain Attempt attempt}; 0 before the first. An action that is undone counts no longer.
   */
  default int attempt() {
    return 0;
  }

  /**
   * Returns the number of the attempt that it is in, or was last: the latest, unless a fleet was
   * found to run an earlier one.
   */
  default int presentAttempt() {
    return attempt();
  }

  /** Returns the number of migrations. */
  default int migrations() {
    return 0;
  }

  /**
   * Returns S, the total time from placement to ready over all placements that followed a
   * preemption or an {@linkplain Action.Evict eviction}, in nanoseconds. A placement that never
   * became ready does not count.
   */
  long restartOverhead();

  /**
   * Returns whether it is pending after a preemption or an {@linkplain Action.Evict eviction}, or
   * starting after such a wait. The time from that placement to ready will be part of {@link
   * #restartOverhead}.
   */
  default boolean restarting() {
    return false;
  }

  /**
   * Returns C = S / (e + S) (Eq. 8), the share of time lost to restarts after preemption, in [0,
   * 1].
   *
   * @param now not before {@link #stateSince}
   */
  default double preemptionOverhead(long now) {
    long lost = restartOverhead();
    return lost == 0 ? 0 : (double) lost / ((double) serviceTime(now) + lost);
  }
}

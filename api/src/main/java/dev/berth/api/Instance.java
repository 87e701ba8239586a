package dev.berth.api;

import dev.berth.api.policy.SchedulingPass;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A live, read-only view of the instance that serves a request, with its service-level accounting.
 *
 * <p>At every instant {@code serviceTime + waitingTime = now − admittedAt} (QoS-driven scheduling,
 * section 3.1): time counts as service from the moment the instance is reported ready until it
 * stops; pending, starting, paused and suspended count as waiting.
 *
 * <p>Within a {@linkplain SchedulingPass pass} it shows what the pass has left so far. Used only by
 * the thread that drives the scheduler.
 */
public interface Instance {

  /** Returns the id of its request. */
  default String id() {
    return request().id();
  }

  /** Returns the request it serves. */
  Request request();

  /** Returns the service class the request asked for. */
  ServiceClass serviceClass();

  /** Returns where it stands in its life. */
  InstanceState state();

  /** Returns the host it is on; empty when it is pending or done. */
  Optional<Host> host();

  /**
   * Returns what it is granted on its host: what it holds while it starts and runs, and will hold
   * again when it is resumed. Usually its demand; more or less after a {@linkplain
   * SchedulingPass#resize resize}, or if it was placed with less. Its demand while it is on no
   * host.
   */
  default Resources granted() {
    return request().demand();
  }

  /** Returns the latest report of what it uses since it came to its host, or empty. */
  default Optional<Usage> usage() {
    return Optional.empty();
  }

  /** Returns the report before the latest one, since it came to its host, or empty. */
  default Optional<Usage> previousUsage() {
    return Optional.empty();
  }

  /** Returns the id of the bag of tasks it belongs to, or empty. */
  default Optional<String> bag() {
    return Optional.empty();
  }

  /** Returns when the request was admitted. */
  long admittedAt();

  /** Returns when it came into its present state. */
  long stateSince();

  /**
   * Returns e, the time it has been in service since admission, in nanoseconds.
   *
   * @param now not before {@link #stateSince}
   */
  long serviceTime(long now);

  /**
   * Returns p, the time it has not been in service since admission, in nanoseconds.
   *
   * @param now not before {@link #stateSince}
   */
  default long waitingTime(long now) {
    return now - admittedAt() - serviceTime(now);
  }

  /**
   * Returns A = e / (e + p) (Eq. 1), in [0, 1]; empty at the very moment of admission, when nothing
   * is defined yet.
   *
   * @param now not before {@link #stateSince}
   */
  default OptionalDouble availability(long now) {
    long life = now - admittedAt();
    return life == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) serviceTime(now) / life);
  }

  /**
   * Returns e / σ: the life span that its service so far justifies, in nanoseconds; see {@link
   * Slo#lifeSpan} for how it is rounded. While it runs, {@code earnedTime(now) −
   * serviceClass().slo().lifeSpan(now)} does not change; otherwise {@code earnedTime} itself does
   * not.
   *
   * @param now not before {@link #stateSince}
   */
  long earnedTime(long now);

  /** Returns how often it was preempted. */
  int preemptions();

  /** Returns how often it was placed on a host. */
  int placements();

  /** Returns how often it was migrated to another host. */
  default int migrations() {
    return 0;
  }

  /**
   * Returns S, the summed time from placement to ready of the placements that followed a
   * preemption, in nanoseconds; a placement that never became ready does not count.
   */
  long restartOverhead();

  /**
   * Returns C = S / (e + S) (Eq. 8), the share lost to restarts after preemption, in [0, 1]; 0 if
   * there was none.
   *
   * @param now not before {@link #stateSince}
   */
  default double preemptionOverhead(long now) {
    long lost = restartOverhead();
    return lost == 0 ? 0 : (double) lost / ((double) serviceTime(now) + lost);
  }
}

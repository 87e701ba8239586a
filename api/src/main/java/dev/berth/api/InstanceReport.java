package dev.berth.api;

import java.util.OptionalDouble;

/**
 * What an instance got in its whole life: the service-level indicator at its end, and what it is
 * made of.
 *
 * @param id of the instance
 * @param serviceClass the class it was promised
 * @param admittedAt when its request was admitted
 * @param endedAt when it completed or was cancelled
 * @param serviceTime e, nanoseconds in service
 * @param waitingTime p, nanoseconds not in service; {@code serviceTime + waitingTime = endedAt −
 *     admittedAt}
 * @param preemptions how often it was preempted
 * @param placements how often it was placed
 * @param restartOverhead S, nanoseconds of preparation after preemptions; see {@link
 *     Instance#restartOverhead}
 */
public record InstanceReport(
    String id,
    ServiceClass serviceClass,
    long admittedAt,
    long endedAt,
    long serviceTime,
    long waitingTime,
    int preemptions,
    int placements,
    long restartOverhead) {

  /**
   * Returns what an instance got until a time.
   *
   * @param end not before {@link Instance#stateSince}
   */
  public static InstanceReport of(Instance instance, long end) {
    return new InstanceReport(
        instance.id(),
        instance.serviceClass(),
        instance.admittedAt(),
        end,
        instance.serviceTime(end),
        instance.waitingTime(end),
        instance.preemptions(),
        instance.placements(),
        instance.restartOverhead());
  }

  /**
   * Returns the availability e / (e + p) (Eq. 1), in [0, 1]; empty if it ended when it was
   * admitted.
   */
  public OptionalDouble availability() {
    long life = serviceTime + waitingTime;
    return life == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) serviceTime / life);
  }
}

package dev.berth.api;

import java.util.OptionalDouble;

/**
 * The service accounting of an instance over its whole life. Immutable.
 *
 * @param id of the instance
 * @param serviceClass its service class
 * @param admittedAt when its request was admitted
 * @param endedAt when it completed or was cancelled
 * @param serviceTime e, time in service, in nanoseconds
 * @param waitingTime p, time out of service, in nanoseconds; {@code serviceTime + waitingTime =
 *     endedAt − admittedAt}
 * @param preemptions number of preemptions
 * @param placements number of placements
 * @param restartOverhead S, time lost to restarts after preemptions, in nanoseconds; see {@link
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
   * Returns the accounting of an instance up to a time.
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
   * Returns the availability e / (e + p) (Eq. 1), in [0, 1]; empty if it ended at the moment of its
   * admission.
   */
  public OptionalDouble availability() {
    long life = serviceTime + waitingTime;
    return life == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) serviceTime / life);
  }
}

package dev.berth.api.batch;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.TimeLimits;
import java.util.Objects;
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
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a time or number is negative, or it ended before it was
   *     admitted
   */
  public InstanceReport {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(serviceClass, "serviceClass");
    if (endedAt < admittedAt) {
      throw new IllegalArgumentException(
          "report of instance %s: it ended at %s ns, must not be before its admission at %s ns."
              .formatted(id, endedAt, admittedAt));
    }
    requireNotNegative(id, "service time", serviceTime);
    requireNotNegative(id, "waiting time", waitingTime);
    requireNotNegative(id, "preemptions", preemptions);
    requireNotNegative(id, "placements", placements);
    requireNotNegative(id, "restart overhead", restartOverhead);
  }

  private static void requireNotNegative(String id, String what, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(
          "report of instance %s: %s was %s, must not be negative.".formatted(id, what, value));
    }
  }

  /**
   * Returns the accounting of an instance up to a time.
   *
   * @param end not before {@link Instance#stateSince}
   * @throws IllegalArgumentException if it is, or if it is beyond the {@link TimeLimits}
   */
  public static InstanceReport of(Instance instance, long end) {
    Objects.requireNonNull(instance, "instance");
    if (end < instance.stateSince()) {
      throw new IllegalArgumentException(
          "report of instance %s at %s ns, must not be before its last change at %s ns."
              .formatted(instance.id(), end, instance.stateSince()));
    }
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

  /**
   * Returns whether its availability met the objective of its class, compared exactly; true if it
   * ended at the moment of its admission.
   */
  public boolean sloMet() {
    return serviceClass.slo().isMetBy(serviceTime, serviceTime + waitingTime);
  }
}

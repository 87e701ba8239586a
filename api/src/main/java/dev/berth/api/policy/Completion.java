package dev.berth.api.policy;

import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import java.util.Objects;

/**
 * An instance that completed, as {@link SchedulingPass#completions} reports it. Immutable; unlike
 * views, it may be kept.
 *
 * @param request its request
 * @param serviceClass its service class, which the request names
 * @param serviceTime e, its time in service in all its runs, in nanoseconds; if it {@linkplain
 *     Request#losesProgress loses its progress} and was running, since it last began to run
 */
public record Completion(Request request, ServiceClass serviceClass, long serviceTime) {

  /**
   * Checks the service time.
   *
   * @throws IllegalArgumentException if the service time is negative
   */
  public Completion {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(serviceClass, "serviceClass");
    if (serviceTime < 0) {
      throw new IllegalArgumentException(
          "completion of instance %s: service time was %s, must not be negative."
              .formatted(request.id(), serviceTime));
    }
  }
}

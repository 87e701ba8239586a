package dev.berth.api;

import java.time.Duration;
import java.util.Objects;

/**
 * What a scheduler needs to know of an instance that runs already, to adopt it. Immutable.
 *
 * @param request the request that it serves
 * @param admittedAt when the request was admitted, in nanoseconds, not after the present state of
 *     the instance began
 * @param served its service before that state; at most the time from its admission to that state
 */
public record Adoption(Request request, long admittedAt, Duration served) {

  /**
   * Checks the service.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public Adoption {
    Objects.requireNonNull(request, "Adoption: request was null, must not be null.");
    Objects.requireNonNull(served, "Adoption: served was null, must not be null.");
    if (served.isNegative()) {
      throw new IllegalArgumentException(
          "adoption of %s: served was %s, must not be negative.".formatted(request.id(), served));
    }
  }
}

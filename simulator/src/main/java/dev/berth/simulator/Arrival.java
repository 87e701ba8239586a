package dev.berth.simulator;

import dev.berth.api.Request;
import java.util.Objects;

/**
 * A request that arrives in a simulation, with what schedulers do not know: how long it will run.
 *
 * @param at when it is admitted, in nanoseconds since the start of the simulation; not negative
 * @param request what is asked for
 * @param serviceTime nanoseconds in service after which it is done; positive
 */
public record Arrival(long at, Request request, long serviceTime) {

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if {@code at} is negative or {@code serviceTime} is not
   *     positive
   */
  public Arrival {
    Objects.requireNonNull(request, "request");
    if (at < 0) {
      throw new IllegalArgumentException(
          "%s: arrival was at %s ns, must not be negative.".formatted(request, at));
    }
    if (serviceTime <= 0) {
      throw new IllegalArgumentException(
          "%s: service time was %s ns, must be positive.".formatted(request, serviceTime));
    }
  }
}

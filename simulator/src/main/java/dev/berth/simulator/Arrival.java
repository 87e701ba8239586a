package dev.berth.simulator;

import dev.berth.api.Request;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The arrival of a request in a simulation, with facts unknown to the scheduler: its work and its
 * actual behaviour.
 *
 * @param at the time of admission, in nanoseconds since the start of the simulation; not negative
 * @param request the request
 * @param serviceTime its work: the time in service at full speed until it is done, in nanoseconds;
 *     positive
 * @param behaviour its actual behaviour
 * @param bag the bag of tasks it belongs to; all following arrivals at the same time with the same
 *     bag id are submitted with it; empty: it is submitted alone
 */
public record Arrival(
    long at, Request request, long serviceTime, ActualBehaviour behaviour, Optional<InBag> bag) {

  /**
   * The bag of tasks that a request belongs to.
   *
   * @param id of the bag
   * @param timeToLive its time to live, the same for all members; see {@link
   *     dev.berth.api.BagSpec#timeToLive}
   */
  public record InBag(String id, Optional<Duration> timeToLive) {}

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if {@code at} is negative, or {@code serviceTime} is not
   *     positive
   */
  public Arrival {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(behaviour, "behaviour");
    if (at < 0) {
      throw new IllegalArgumentException(
          "%s: arrival was at %s ns, must not be negative.".formatted(request, at));
    }
    if (serviceTime <= 0) {
      throw new IllegalArgumentException(
          "%s: service time was %s ns, must be positive.".formatted(request, serviceTime));
    }
  }

  /** Creates an arrival without a bag. */
  public Arrival(long at, Request request, long serviceTime, ActualBehaviour behaviour) {
    this(at, request, serviceTime, behaviour, Optional.empty());
  }

  /** Creates an arrival without a bag that behaves as its request states. */
  public Arrival(long at, Request request, long serviceTime) {
    this(at, request, serviceTime, ActualBehaviour.asSaid(request));
  }

  /** Returns the {@linkplain Request#user user} of the request, or empty if unknown. */
  public Optional<String> user() {
    return request.user();
  }

  /** Returns this arrival with another request. */
  public Arrival withRequest(Request other) {
    return new Arrival(at, other, serviceTime, behaviour, bag);
  }

  /** Omits the behaviour if it is as the request states. */
  @Override
  public String toString() {
    return "Arrival[at=%s, request=%s, serviceTime=%s%s%s]"
        .formatted(
            at,
            request,
            serviceTime,
            behaviour.equals(ActualBehaviour.asSaid(request)) ? "" : ", behaviour=" + behaviour,
            bag.map(each -> ", bag=" + each.id()).orElse(""));
  }
}

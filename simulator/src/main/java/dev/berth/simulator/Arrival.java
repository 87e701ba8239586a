package dev.berth.simulator;

import dev.berth.api.Request;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A request that arrives in a simulation, with what schedulers do not know: how long it will run,
 * and what it will really do.
 *
 * @param at when it is admitted, in nanoseconds since the start of the simulation; not negative
 * @param request what is asked for
 * @param serviceTime its work: nanoseconds in service at full speed after which it is done;
 *     positive
 * @param behaviour what it really does
 * @param bag the bag of tasks it is submitted in, together with all that follow it at the same time
 *     in a bag of the same id; empty: it is submitted alone
 * @param user whose it is, where that is known; not blank
 */
public record Arrival(
    long at,
    Request request,
    long serviceTime,
    ActualBehaviour behaviour,
    Optional<InBag> bag,
    Optional<String> user) {

  /**
   * The bag of tasks that a request is submitted in.
   *
   * @param id of the bag
   * @param timeToLive what its user gives it, the same for all members; see {@link
   *     dev.berth.api.BagSpec#timeToLive}
   */
  public record InBag(String id, Optional<Duration> timeToLive) {}

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if {@code at} is negative, {@code serviceTime} is not
   *     positive, or the user is blank
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
    if (user.isPresent() && user.get().isBlank()) {
      throw new IllegalArgumentException("%s: user was blank.".formatted(request));
    }
  }

  /** A request that belongs to nobody in particular. */
  public Arrival(
      long at, Request request, long serviceTime, ActualBehaviour behaviour, Optional<InBag> bag) {
    this(at, request, serviceTime, behaviour, bag, Optional.empty());
  }

  /** A request that is submitted alone. */
  public Arrival(long at, Request request, long serviceTime, ActualBehaviour behaviour) {
    this(at, request, serviceTime, behaviour, Optional.empty());
  }

  /** A request that is submitted alone and does what its user says. */
  public Arrival(long at, Request request, long serviceTime) {
    this(at, request, serviceTime, ActualBehaviour.asSaid(request));
  }

  /** Returns this arrival with another request. */
  public Arrival withRequest(Request other) {
    return new Arrival(at, other, serviceTime, behaviour, bag, user);
  }

  /**
   * Returns this arrival at another time.
   *
   * @throws IllegalArgumentException if {@code time} is negative
   */
  public Arrival withTime(long time) {
    return new Arrival(time, request, serviceTime, behaviour, bag, user);
  }

  /** Leaves out what it does where that is what its user says. */
  @Override
  public String toString() {
    return "Arrival[at=%s, request=%s, serviceTime=%s%s%s%s]"
        .formatted(
            at,
            request,
            serviceTime,
            behaviour.equals(ActualBehaviour.asSaid(request)) ? "" : ", behaviour=" + behaviour,
            bag.map(each -> ", bag=" + each.id()).orElse(""),
            user.map(each -> ", user=" + each).orElse(""));
  }
}

package dev.berth.simulator.workload;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Request;
import dev.berth.api.batch.GroupSpec;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

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
 * @param group the group it belongs to; all following arrivals at the same time with the same group
 *     id are submitted with it; empty: it belongs to none. A member of a bag belongs to no group
 * @param budget the disruption budget that its job has from its arrival on; empty: that of the job
 *     stays as it is
 */
public record Arrival(
    long at,
    Request request,
    long serviceTime,
    ActualBehaviour behaviour,
    Optional<InBag> bag,
    Optional<InGroup> group,
    Optional<DisruptionBudget> budget) {

  /**
   * The bag of tasks that a request belongs to.
   *
   * @param id of the bag
   * @param timeToLive its time to live, the same for all members; see {@link
   *     dev.berth.api.batch.BagSpec#timeToLive}
   */
  public record InBag(String id, Optional<Duration> timeToLive) {}

  /**
   * The group that a request belongs to.
   *
   * @param id of the group
   * @param minCount how many members must start together, the same for all members; more than the
   *     workload has at that time means all, and so does empty
   * @param onLoss what happens if the group is broken, the same for all members
   */
  public record InGroup(String id, OptionalInt minCount, GroupSpec.OnLoss onLoss) {

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if {@code minCount} is not positive
     */
    public InGroup {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(onLoss, "onLoss");
      if (minCount.orElse(1) < 1) {
        throw new IllegalArgumentException(
            "group %s: minCount was %s, must be positive.".formatted(id, minCount.getAsInt()));
      }
    }
  }

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if {@code at} is negative, {@code serviceTime} is not
   *     positive, it belongs to both a bag and a group, or it has a budget and no job
   */
  public Arrival {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(behaviour, "behaviour");
    refuseIf(at < 0, "%s: arrival was at %s ns, must not be negative.", request, at);
    refuseIf(
        serviceTime <= 0, "%s: service time was %s ns, must be positive.", request, serviceTime);
    if (bag.isPresent() && group.isPresent()) {
      throw new IllegalArgumentException(
          "%s: belongs to bag %s and to group %s, must belong to one of them at most."
              .formatted(request, bag.get().id(), group.get().id()));
    }
    if (budget.isPresent() && request.job().isEmpty()) {
      throw new IllegalArgumentException(
          "%s: has the disruption budget \"%s\", must have a job."
              .formatted(request, budget.get()));
    }
  }

  /** Creates an arrival without a disruption budget. */
  public Arrival(
      long at,
      Request request,
      long serviceTime,
      ActualBehaviour behaviour,
      Optional<InBag> bag,
      Optional<InGroup> group) {
    this(at, request, serviceTime, behaviour, bag, group, Optional.empty());
  }

  /** Creates an arrival without a group. */
  public Arrival(
      long at, Request request, long serviceTime, ActualBehaviour behaviour, Optional<InBag> bag) {
    this(at, request, serviceTime, behaviour, bag, Optional.empty());
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

  /**
   * Returns this arrival with another request.
   *
   * @throws IllegalArgumentException if it has a disruption budget, and the request has no job
   */
  public Arrival withRequest(Request other) {
    return new Arrival(at, other, serviceTime, behaviour, bag, group, budget);
  }

  /** Omits the behaviour if it is as the request states. */
  @Override
  public String toString() {
    return "Arrival[at=%s, request=%s, serviceTime=%s%s%s%s%s]"
        .formatted(
            at,
            request,
            serviceTime,
            behaviour.equals(ActualBehaviour.asSaid(request)) ? "" : ", behaviour=" + behaviour,
            bag.map(each -> ", bag=" + each.id()).orElse(""),
            group.map(each -> ", group=" + each.id()).orElse(""),
            budget.map(each -> ", budget=" + each).orElse(""));
  }
}

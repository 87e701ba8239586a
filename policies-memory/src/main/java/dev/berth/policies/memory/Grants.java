package dev.berth.policies.memory;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.pipeline.AllocationRule;
import dev.berth.api.pipeline.HostFilter;
import java.util.Optional;

/** Grants of instances, and the memory reserved for them. */
final class Grants {

  private static final Reason HOST_TAKEN =
      new Reason.PolicyChoice("host-taken", "no host is free, and it is to have one alone");

  private Grants() {}

  /** Returns resources with another amount of memory. */
  static Resources withMemory(Resources resources, long memory) {
    if (resources.amount(Dimension.MEMORY) == memory) {
      return resources;
    }
    Resources.Builder changed = Resources.builder().put(Dimension.MEMORY, memory);
    for (Dimension each : resources.dimensions()) {
      if (!each.equals(Dimension.MEMORY)) {
        changed.put(each, resources.amount(each));
      }
    }
    return changed.build();
  }

  /** Returns the larger of both, dimension by dimension. */
  private static Resources largest(Resources one, Resources other) {
    Resources.Builder largest = Resources.builder();
    for (Dimension each : one.dimensions()) {
      largest.put(each, Math.max(one.amount(each), other.amount(each)));
    }
    for (Dimension each : other.dimensions()) {
      if (one.amount(each) == 0) {
        largest.put(each, other.amount(each));
      }
    }
    return largest.build();
  }

  /**
   * Grants the demand, but only the reserved memory, or the free memory if that is less. Without
   * the controller, which would add memory later, never grants less than the demand.
   */
  static AllocationRule reserved(Reservation reservation, Elasticity elasticity) {
    return (instance, host) -> {
      Request request = instance.request();
      long reserved = Math.min(reservation.of(request), host.free(Dimension.MEMORY));
      Resources least = elasticity.control() ? request.guaranteed() : request.demand();
      return withMemory(request.demand(), Math.max(least.amount(Dimension.MEMORY), reserved));
    };
  }

  /** Grants the whole host, so that no other instance shares it. */
  static AllocationRule wholeHost() {
    return (instance, host) ->
        host.instances().isEmpty() || !mayFitBeside(instance, host)
            ? largest(usable(host), instance.request().demand())
            : instance.request().demand(); // and freeHost has the last word
  }

  /**
   * A demand of nothing fits on any host, a shared CPU is never full, and a host that has grown has
   * room beside the instance that it was granted to.
   */
  private static boolean mayFitBeside(Instance instance, Host host) {
    Resources demand = instance.request().demand();
    for (Dimension each : demand.dimensions()) {
      boolean isShared = host.timeShared() && each.equals(Dimension.CPU);
      if (!isShared && demand.amount(each) > host.free(each)) {
        return false;
      }
    }
    return true;
  }

  /** Allows an empty host. */
  static HostFilter freeHost() {
    return (instance, host, now) ->
        host.instances().isEmpty() ? Optional.empty() : Optional.of(HOST_TAKEN);
  }

  /** Allows a host whose memory suffices for the reservations of all its instances. */
  static HostFilter withinReservations(Reservation reservation) {
    return (instance, host, now) -> {
      long wanted = reserved(instance, host, reservation);
      long left = unreserved(host, reservation);
      return wanted > left
          ? Optional.of(new Reason.ShortOfCapacity(Dimension.MEMORY, missing(wanted, left)))
          : Optional.empty();
    };
  }

  /** Returns the memory of a host that its instances can use. */
  static long usableMemory(Host host) {
    return Math.max(
        0, host.capacity().amount(Dimension.MEMORY) - host.foreign().amount(Dimension.MEMORY));
  }

  /** Returns the resources of a host that its instances can use. */
  private static Resources usable(Host host) {
    if (host.foreign().dimensions().isEmpty()) {
      return host.capacity();
    }
    Resources.Builder usable = Resources.builder();
    for (Dimension each : host.capacity().dimensions()) {
      usable.put(each, Math.max(0, host.capacity().amount(each) - host.foreign().amount(each)));
    }
    return usable.build();
  }

  /** Returns the unreserved memory of a host; may be negative. */
  static long unreserved(Host host, Reservation reservation) {
    long left = usableMemory(host);
    for (Instance each : host.instances()) {
      left = -missing(reserved(each, host, reservation), left);
    }
    return left;
  }

  /** Returns the shortfall of an amount; the greatest amount on overflow. */
  private static long missing(long wanted, long left) {
    return wanted > Long.MAX_VALUE + Math.min(left, 0) ? Long.MAX_VALUE : wanted - left;
  }

  /** Returns the reservation of an instance on a host, limited to the capacity. */
  private static long reserved(Instance instance, Host host, Reservation reservation) {
    return Math.min(reservation.of(instance.request()), host.capacity().amount(Dimension.MEMORY));
  }
}

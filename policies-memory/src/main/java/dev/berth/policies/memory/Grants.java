package dev.berth.policies.memory;

import dev.berth.api.Dimension;
import dev.berth.api.GrantRule;
import dev.berth.api.Host;
import dev.berth.api.HostFilter;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import java.util.Optional;

/** What instances are granted, and what is set aside for them. */
final class Grants {

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
   * Grants the demand, but of memory what is reserved, or what is free if that is less; without the
   * controller, who would make up for it, never less than the demand.
   */
  static GrantRule reserved(Reservation reservation, Elasticity elasticity) {
    return (instance, host) -> {
      Request request = instance.request();
      long reserved = Math.min(reservation.of(request), host.free(Dimension.MEMORY));
      Resources least = elasticity.control() ? request.pinned() : request.demand();
      return withMemory(request.demand(), Math.max(least.amount(Dimension.MEMORY), reserved));
    };
  }

  /** Grants the whole host, so that nobody shares it. */
  static GrantRule wholeHost() {
    return (instance, host) -> largest(host.capacity(), instance.request().demand());
  }

  /** Allows a host where what is reserved for all who are there does not exceed its memory. */
  static HostFilter withinReservations(Reservation reservation) {
    return (instance, host, now) -> {
      long missing = reservation.of(instance.request()) - unreserved(host, reservation);
      return missing > 0
          ? Optional.of(new Reason.ShortOfCapacity(Dimension.MEMORY, missing))
          : Optional.empty();
    };
  }

  /** Returns the memory of a host that is not reserved for anybody; may be negative. */
  static long unreserved(Host host, Reservation reservation) {
    long left = host.capacity().amount(Dimension.MEMORY);
    for (Instance each : host.instances()) {
      left -= reservation.of(each.request());
    }
    return left;
  }
}

package dev.berth.policies.memory;

import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Request;
import java.util.Locale;

/**
 * The memory that is reserved for an instance on placement (section 6.4), taken from its memory
 * profile; without a profile, its demand.
 */
enum Reservation {
  /** Its demand. */
  DEMAND {
    @Override
    long of(Request request, MemoryProfile profile) {
      return demand(request);
    }
  },
  /** Its greatest need. */
  MAXIMUM {
    @Override
    long of(Request request, MemoryProfile profile) {
      return profile.maximum();
    }
  },
  /** Its need at the start. */
  INITIAL {
    @Override
    long of(Request request, MemoryProfile profile) {
      return profile.initial();
    }
  },
  /** Its mean need over its estimated run time; without an estimate, its greatest need. */
  AVERAGE {
    @Override
    long of(Request request, MemoryProfile profile) {
      return request.estimatedRunTime().isPresent()
          ? profile.average(request.estimatedRunTime().getAsLong())
          : profile.maximum();
    }
  };

  /** Returns the reservation for a request, in bytes; never less than its guaranteed memory. */
  public long of(Request request) {
    long amount = request.memoryProfile().map(each -> of(request, each)).orElse(demand(request));
    return Math.max(amount, request.guaranteed().amount(Dimension.MEMORY));
  }

  abstract long of(Request request, MemoryProfile profile);

  private static long demand(Request request) {
    return request.demand().amount(Dimension.MEMORY);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package dev.berth.policies.memory;

import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Request;
import java.util.Locale;

/**
 * How much memory is set aside for an instance when it is placed (section 6.4). What its memory
 * profile says; its demand, where it has none.
 */
enum Reservation {
  /** What it demands. */
  DEMAND {
    @Override
    long of(Request request, MemoryProfile profile) {
      return demand(request);
    }
  },
  /** The most it ever needs. */
  MAXIMUM {
    @Override
    long of(Request request, MemoryProfile profile) {
      return profile.maximum();
    }
  },
  /** What it needs at the start. */
  INITIAL {
    @Override
    long of(Request request, MemoryProfile profile) {
      return profile.initial();
    }
  },
  /** The mean of what it needs over its estimated run time; without an estimate, the most. */
  AVERAGE {
    @Override
    long of(Request request, MemoryProfile profile) {
      return request.estimatedRunTime().isPresent()
          ? profile.average(request.estimatedRunTime().getAsLong())
          : profile.maximum();
    }
  };

  /** Returns what is set aside for a request, in bytes; never less than is guaranteed. */
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

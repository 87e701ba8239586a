package dev.berth.core.internal.search;

import dev.berth.api.Dimension;
import dev.berth.api.InstanceState;
import dev.berth.api.Moldability;
import dev.berth.api.Slowdown;
import dev.berth.core.internal.state.HostRecord;
import dev.berth.core.internal.state.HostTable;
import dev.berth.core.internal.state.InstanceRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What the hosts will have free from now on, by the estimated run times of who is there and the
 * reservations of who waits: the memory of backfilling, for one pass.
 *
 * <p>Who gives no estimate never ends, as far as is known; nor does who stands still. Who has run
 * longer than estimated may end at any moment, which is taken to be the next nanosecond. Cost: O(e)
 * to look a host up, to reserve there, and to find the earliest time, in the number e of ends and
 * reservations on it.
 */
public final class AvailabilityProfile {

  public static final long NEVER = Long.MAX_VALUE;

  private final HostTable table;
  private final long now;
  private final Map<HostRecord, Slots> slots = new HashMap<>(); // looked up, never iterated

  public AvailabilityProfile(HostTable table, long now) {
    this.table = table;
    this.now = now;
  }

  /**
   * Returns how long an instance has yet to run with a grant, by what it has served, at least a
   * nanosecond; or {@link #NEVER}.
   */
  public static long remaining(InstanceRecord instance, long[] granted, int cpu, long now) {
    OptionalLong estimate = instance.request.estimatedRunTime();
    if (estimate.isEmpty()) {
      return NEVER;
    }
    long whole = molding(instance, granted, cpu).timeFor(estimate.getAsLong());
    return whole == NEVER ? NEVER : Math.max(1, whole - instance.serviceTime(now));
  }

  private static Slowdown molding(InstanceRecord instance, long[] granted, int cpu) {
    if (instance.request.moldability().isEmpty() || cpu < 0 || cpu >= instance.demand.length) {
      return Slowdown.NONE;
    }
    long demand = instance.demand[cpu];
    long has = cpu < granted.length ? granted[cpu] : 0;
    Moldability how = instance.request.moldability().get();
    return has >= demand
        ? Slowdown.NONE
        : how.slowdown(Math.max(how.leastShare(), (double) has / demand));
  }

  /** Returns whether a host will have room from now on for so long. */
  public boolean hasRoom(HostRecord host, long[] need, long duration) {
    return of(host).firstFull(0, held(need, host), duration) < 0;
  }

  /**
   * Returns when a host has room for so long for the first time, or {@link #NEVER}.
   *
   * @param mayStartNow whether that may be at once, or only when what is free has changed
   */
  public long earliest(HostRecord host, long[] need, long duration, boolean mayStartNow) {
    return of(host).earliest(held(need, host), duration, mayStartNow ? 0 : 1);
  }

  /** Takes room on a host. */
  public void reserve(HostRecord host, long[] need, long from, long duration) {
    of(host).take(held(need, host), from, plus(from, duration));
  }

  /** Returns what of a need somebody holds on a host: where the CPU is shared, none of that. */
  private long[] held(long[] need, HostRecord host) {
    int cpu = table.numberOf(Dimension.CPU);
    if (!host.timeShared() || cpu < 0 || cpu >= need.length) {
      return need;
    }
    long[] rest = need.clone();
    rest[cpu] = 0;
    return rest;
  }

  private Slots of(HostRecord host) {
    return slots.computeIfAbsent(host, this::build);
  }

  private Slots build(HostRecord host) {
    int cpu = table.numberOf(Dimension.CPU);
    List<End> ends = new ArrayList<>();
    for (InstanceRecord each : host.residents) {
      if (each.state == InstanceState.RUNNING || each.state == InstanceState.STARTING) {
        long left = remaining(each, each.granted, cpu, now);
        if (left != NEVER) {
          ends.add(new End(plus(now, left), each));
        }
      }
    }
    ends.sort(Comparator.comparingLong(End::at));
    Slots built = new Slots(ends.size() + 1, table.dimensions());
    long[] free = new long[table.dimensions()];
    table.copyFree(host.slot, free);
    built.append(now, free);
    for (End each : ends) {
      long[] held = each.who.held;
      for (int d = 0; d < held.length; d++) {
        free[d] += held[d];
      }
      built.append(each.at, free);
    }
    return built;
  }

  private static long plus(long time, long duration) {
    long end = time + duration;
    return duration == NEVER || ((time ^ end) & (duration ^ end)) < 0 ? NEVER : end;
  }

  private record End(long at, InstanceRecord who) {}

  /** What one host has free, from each instant to the next. */
  private static final class Slots {

    private final int dimensions;
    private long[] at;
    private long[][] free;
    private int size;

    Slots(int expected, int dimensions) {
      this.dimensions = dimensions;
      this.at = new long[expected + 2];
      this.free = new long[expected + 2][];
    }

    void append(long time, long[] amounts) {
      if (size > 0 && at[size - 1] == time) {
        free[size - 1] = amounts.clone();
        return;
      }
      insert(size, time, amounts.clone());
    }

    private void insert(int index, long time, long[] amounts) {
      if (size == at.length) {
        at = Arrays.copyOf(at, 2 * size);
        free = Arrays.copyOf(free, 2 * size);
      }
      System.arraycopy(at, index, at, index + 1, size - index);
      System.arraycopy(free, index, free, index + 1, size - index);
      at[index] = time;
      free[index] = amounts;
      size++;
    }

    long earliest(long[] need, long duration, int from) {
      int start = from;
      while (start < size) {
        int full = firstFull(start, need, duration);
        if (full < 0) {
          return at[start];
        }
        start = full + 1; // a run that begins by then meets the same slot
      }
      return NEVER;
    }

    /** Returns the first slot without room during a run that begins with a slot, or -1. */
    int firstFull(int start, long[] need, long duration) {
      long end = plus(at[start], duration);
      for (int i = start; i < size && (i == start || at[i] < end); i++) {
        for (int d = 0; d < need.length; d++) {
          if (need[d] > (d < dimensions ? free[i][d] : 0)) {
            return i;
          }
        }
      }
      return -1;
    }

    void take(long[] need, long from, long until) {
      int first = split(from);
      int last = until == NEVER ? size : split(until);
      for (int i = first; i < last; i++) {
        for (int d = 0; d < need.length; d++) {
          free[i][d] -= need[d];
        }
      }
    }

    /** Returns the index of the slot that begins at a time, which there is from now on. */
    private int split(long time) {
      int index = Arrays.binarySearch(at, 0, size, time);
      if (index >= 0) {
        return index;
      }
      int next = -index - 1;
      insert(next, time, free[next - 1].clone());
      return next;
    }
  }
}

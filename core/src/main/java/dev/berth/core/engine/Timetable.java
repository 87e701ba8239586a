package dev.berth.core.engine;

import dev.berth.api.Dimension;
import dev.berth.api.InstanceState;
import dev.berth.api.Moldability;
import dev.berth.api.Slowdown;
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
 * to look a host up and to reserve there, O(e²) to find the earliest time, in the number e of ends
 * and reservations on it.
 */
final class Timetable {

  static final long NEVER = Long.MAX_VALUE;

  private final HostTable table;
  private final long now;
  private final Map<HostRecord, Slots> slots = new HashMap<>(); // looked up, never iterated

  Timetable(HostTable table, long now) {
    this.table = table;
    this.now = now;
  }

  /**
   * Returns how long an instance is going to run with a grant, from its start; or {@link #NEVER}.
   */
  static long duration(InstanceRecord instance, long[] granted, int cpu) {
    OptionalLong estimate = instance.request.estimatedRunTime();
    return estimate.isEmpty()
        ? NEVER
        : molding(instance, granted, cpu).timeFor(estimate.getAsLong());
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
  boolean hasRoom(HostRecord host, long[] need, long duration) {
    return of(host).hasRoom(0, need, duration);
  }

  /** Returns when a host has room for so long for the first time, or {@link #NEVER}. */
  long earliest(HostRecord host, long[] need, long duration) {
    return of(host).earliest(need, duration);
  }

  /** Takes room on a host. */
  void reserve(HostRecord host, long[] need, long from, long duration) {
    of(host).take(need, from, plus(from, duration));
  }

  private Slots of(HostRecord host) {
    return slots.computeIfAbsent(host, this::build);
  }

  private Slots build(HostRecord host) {
    int cpu = table.numberOf(Dimension.CPU);
    List<End> ends = new ArrayList<>();
    for (InstanceRecord each : host.residents) {
      if (each.state == InstanceState.RUNNING || each.state == InstanceState.STARTING) {
        long whole = duration(each, each.granted, cpu);
        if (whole != NEVER) {
          long left = Math.max(1, whole - each.serviceTime(now));
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
    return ((time ^ end) & (duration ^ end)) < 0 ? NEVER : end;
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

    long earliest(long[] need, long duration) {
      for (int i = 0; i < size; i++) {
        if (hasRoom(i, need, duration)) {
          return at[i];
        }
      }
      return NEVER;
    }

    boolean hasRoom(int index, long[] need, long duration) {
      long end = plus(at[index], duration);
      for (int i = index; i < size && (i == index || at[i] < end); i++) {
        for (int d = 0; d < need.length; d++) {
          if (need[d] > (d < dimensions ? free[i][d] : 0)) {
            return false;
          }
        }
      }
      return true;
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

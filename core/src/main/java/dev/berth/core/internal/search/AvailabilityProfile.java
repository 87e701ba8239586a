package dev.berth.core.internal.search;

import com.google.common.math.LongMath;
import dev.berth.api.Dimension;
import dev.berth.api.InstanceState;
import dev.berth.api.Moldability;
import dev.berth.api.Slowdown;
import dev.berth.core.internal.state.Grant;
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
 * The free capacity of each host from now on, by the estimated run times of the instances on it and
 * the reservations of waiting instances. Backfilling keeps one profile for a pass.
 *
 * <p>Instances without an estimate are assumed never to end, as are paused and suspended ones. An
 * instance that has run longer than estimated is assumed to end in the next nanosecond. Looking a
 * host up, reserving on it and finding its earliest time cost O(e) each, where e is the number of
 * ends and reservations on the host.
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

  /** Returns the remaining run time of an instance with a grant, or {@link #NEVER}. */
  private long remaining(InstanceRecord instance, Grant granted) {
    return remaining(instance, granted.amounts(), table.numberOf(Dimension.CPU), now);
  }

  /**
   * Returns the remaining run time of an instance with granted amounts, from its estimate and its
   * service so far: at least a nanosecond, or {@link #NEVER}.
   */
  private static long remaining(InstanceRecord instance, long[] granted, int cpu, long now) {
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
    long has = granted[cpu]; // a grant has at least the dimensions of the demand
    Moldability how = instance.request.moldability().get();
    return has >= demand
        ? Slowdown.NONE
        : how.slowdown(Math.max(how.leastShare(), (double) has / demand));
  }

  /** Returns whether a host has room for a whole run of an instance that starts now. */
  public boolean hasRoom(HostRecord host, InstanceRecord instance, Grant grant) {
    long[] need = held(grant.amounts(), host);
    return of(host).firstFull(0, need, remaining(instance, grant)) < 0;
  }

  /**
   * Returns the earliest time at which a host has room for a whole run of an instance, or {@link
   * #NEVER}.
   *
   * @param mayStartNow whether the run may start at once, or only after free capacity has changed
   */
  public long earliest(HostRecord host, InstanceRecord instance, Grant grant, boolean mayStartNow) {
    long[] need = held(grant.amounts(), host);
    return of(host).earliest(need, remaining(instance, grant), mayStartNow ? 0 : 1);
  }

  /** Reserves capacity on a host for a whole run of an instance that starts at a time. */
  public void reserve(HostRecord host, InstanceRecord instance, Grant grant, long from) {
    of(host).take(held(grant.amounts(), host), from, plus(from, remaining(instance, grant)));
  }

  /** Returns the amounts that an instance holds on a host: no CPU where the CPU is shared. */
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
    Slots built = new Slots(ends.size());
    long[] free = new long[table.dimensions()];
    table.copyFree(host.slot, free);
    built.append(now, free);
    for (End each : ends) {
      long[] held = each.instance.held;
      for (int d = 0; d < held.length; d++) {
        free[d] += held[d];
      }
      built.append(each.at, free);
    }
    return built;
  }

  private static long plus(long time, long duration) {
    return duration == NEVER ? NEVER : LongMath.saturatedAdd(time, duration);
  }

  private record End(long at, InstanceRecord instance) {}

  /** The free capacity of one host, from each instant to the next. */
  private static final class Slots {

    private long[] at;
    private long[][] free;
    private int size;

    Slots(int ends) {
      int expected = ends + 3; // and the present, and the begin and end of a reservation
      this.at = new long[expected];
      this.free = new long[expected][];
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
        start = full + 1; // a run that begins earlier meets the same full slot
      }
      return NEVER;
    }

    /** Returns the first slot without room during a run that begins at a slot, or -1. */
    int firstFull(int start, long[] need, long duration) {
      long end = plus(at[start], duration);
      for (int i = start; i < size && (i == start || at[i] < end); i++) {
        for (int d = 0; d < need.length; d++) {
          if (need[d] > free[i][d]) {
            return i;
          }
        }
      }
      return -1;
    }

    void take(long[] need, long from, long until) {
      int first = split(from);
      int last = split(until);
      for (int i = first; i < last; i++) {
        for (int d = 0; d < need.length; d++) {
          free[i][d] -= need[d];
        }
      }
    }

    /** Returns the index of the slot that begins at a time; inserts one if needed. */
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

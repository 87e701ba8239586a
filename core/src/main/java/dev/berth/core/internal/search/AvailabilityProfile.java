package dev.berth.core.internal.search;

import dev.berth.api.Dimension;
import dev.berth.api.InstanceState;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.PlacementRules;
import dev.berth.core.internal.rule.PeerRules;
import dev.berth.core.internal.state.ClusterState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The free capacity of each host from now on, by the expected ends of the instances on it and the
 * reservations of waiting instances, for conservative backfilling.
 *
 * <p>On a single host, the next pass resumes the reservations unless something has upset them: an
 * instance that ended early or late, or one that came unforeseen.
 *
 * <p>Looking a host up, reserving on it and finding its earliest time cost O(e) each, where e is
 * the number of ends and reservations on the host.
 */
final class AvailabilityProfile implements Reservations {

  private final ClusterState state;
  private final HostTable table;
  private final ExpectedEnds ends;
  private final MostFree mostFree;
  private final Map<HostRecord, Slots> hosts = new HashMap<>(); // looked up, never iterated
  private long run; // counts the profiles
  private long now;

  // The reservations on a single host, which the next pass resumes if nothing has upset them.
  private final Map<InstanceRecord, Reservation> reserved = new HashMap<>(); // looked up only
  private final PriorityQueue<Reservation> byStart =
      new PriorityQueue<>(Comparator.comparingLong(Reservation::from));
  private boolean upset; // by a change that the profile did not foresee
  private @Nullable InstanceRecord starting; // is about to come to its host, as foreseen

  AvailabilityProfile(ClusterState state, ExpectedEnds ends, MostFree mostFree) {
    this.state = state;
    this.table = state.table();
    this.ends = ends;
    this.mostFree = mostFree;
  }

  /** Starts without reservations. */
  void begin(long time) {
    now = time;
    run++;
    reserved.clear();
    byStart.clear();
    upset = false;
    starting = null;
  }

  /**
   * Resumes the reservations of the latest pass, if they are what this pass would make: on a single
   * host on which instances ended and started as expected. Returns whether it does.
   */
  boolean resume(long time) {
    HostRecord only = state.hostCount() == 1 ? state.latestChanged() : null;
    Slots slots = hosts.get(only);
    if (only == null || slots == null || slots.run != run || !isUndisturbed(only, slots, time)) {
      return false;
    }
    now = time;
    slots.advance(time);
    return true;
  }

  private boolean isUndisturbed(HostRecord host, Slots slots, long time) {
    return !upset
        && starting == null
        && slots.dimensions == table.dimensions()
        && ends.areFixed(host, time)
        && (byStart.isEmpty() || byStart.peek().from >= time);
  }

  /** Returns the instances whose reservations begin now, in no particular order. */
  List<InstanceRecord> due() {
    List<InstanceRecord> due = new ArrayList<>();
    while (!byStart.isEmpty() && byStart.peek().from <= now) {
      due.add(byStart.poll().instance);
    }
    return due;
  }

  /** Withdraws the reservation of an instance that is to be placed now. */
  void withdraw(InstanceRecord instance, HostRecord host) {
    Reservation former = reserved.remove(instance);
    if (former != null) {
      of(host).give(host.taken(former.grant.amounts()), former.from, former.until);
    }
  }

  // ---- Following the cluster

  /** Follows a host that changed. */
  void changed() {
    upset = true;
  }

  /** Forgets a host. */
  void left(HostRecord host) {
    hosts.remove(host);
    upset = true;
  }

  /** Follows an instance that left the queue. */
  void leavesQueue(InstanceRecord instance) {
    upset |= instance != starting && reserved.containsKey(instance);
  }

  /** Follows an instance that came to a host, or to its present state there. */
  void isOnHost(InstanceRecord instance) {
    boolean runs = instance.state() == InstanceState.RUNNING;
    boolean isExpectedToEnd = RunTimes.areKnown(instance);
    if (instance == starting) {
      starting = null;
      instance.assumeEnd(
          isExpectedToEnd ? RunTimes.end(state.now(), instance.expectedEnd()) : NEVER);
    } else {
      upset |= !runs || instance.assumedEnd() != (isExpectedToEnd ? instance.expectedEnd() : NEVER);
    }
  }

  /** Follows an instance that left a host, or its former state there. */
  void leavesHost(InstanceRecord instance, InstanceState formerState) {
    boolean startsToRun =
        formerState == InstanceState.STARTING && instance.state() == InstanceState.RUNNING;
    boolean endsInTime =
        formerState == InstanceState.RUNNING
            && RunTimes.areKnown(instance)
            && instance.expectedEnd() <= state.now();
    upset |= !startsToRun && !endsInTime;
  }

  // ---- In a pass

  @Override
  public boolean hasRoom(HostRecord host, InstanceRecord instance, Grant grant) {
    return of(host).hasRoom(host.taken(grant.amounts()), remaining(instance, grant));
  }

  /** On a single host, reservations exclude instances; on several, only what is free now does. */
  @Override
  public boolean mayFit(long[] need, long runTime) {
    if (!mostFree.mayFit(need, runTime)) {
      return false;
    }
    HostRecord only = state.hostCount() == 1 ? state.latestChanged() : null;
    return only == null || of(only).hasRoom(only.taken(need), runTime);
  }

  @Override
  public long earliest(HostRecord host, InstanceRecord instance, Grant grant, boolean mayStartNow) {
    return of(host)
        .earliest(host.taken(grant.amounts()), remaining(instance, grant), mayStartNow ? 0 : 1);
  }

  @Override
  public void reserve(HostRecord host, InstanceRecord instance, Grant grant, long from) {
    Reservation made =
        new Reservation(instance, grant, from, RunTimes.end(from, remaining(instance, grant)));
    of(host).take(host.taken(grant.amounts()), from, made.until);
    reserved.put(instance, made);
    byStart.add(made);
  }

  @Override
  public void keep(HostRecord host, InstanceRecord instance, Grant grant) {
    of(host).keep(host.taken(grant.amounts()), now);
    reserved.put(instance, new Reservation(instance, grant, NEVER, NEVER));
    upset |= // since rules and limits may allow it after any end
        instance.limits() != null
            || PeerRules.mayRefuse(instance)
            || PlacementRules.isKeptOff(instance, host);
  }

  @Override
  public void starts(HostRecord host, InstanceRecord instance, Grant grant) {
    long end = RunTimes.end(now, remaining(instance, grant));
    of(host).take(host.taken(grant.amounts()), now, end);
    starting = instance;
  }

  private long remaining(InstanceRecord instance, Grant grant) {
    return RunTimes.remaining(instance, grant.amounts(), table.numberOf(Dimension.CPU), now);
  }

  private Slots of(HostRecord host) {
    Slots slots = hosts.computeIfAbsent(host, each -> new Slots());
    if (slots.run != run) {
      build(slots, host);
      slots.run = run;
    }
    return slots;
  }

  private void build(Slots slots, HostRecord host) {
    long[] free = new long[table.dimensions()];
    table.copyFree(host.slot(), free);
    slots.begin(now, free);
    host.residents.forEach(each -> each.assumeEnd(NEVER));
    ExpectedEnds.Walk walk = ends.of(host, now);
    for (long time = walk.time(); time != NEVER; time = walk.time()) {
      InstanceRecord next = walk.poll();
      next.assumeEnd(time);
      slots.release(time, next.held());
    }
  }

  private record Reservation(InstanceRecord instance, Grant grant, long from, long until) {}

  /** The free capacity of one host, from each instant to the next. */
  private static final class Slots {

    private static final int FEW = 16;

    long run;
    private int dimensions;
    private int size;
    private long[] at = new long[FEW];
    private long[] free = {}; // slot i, dimension d at i * dimensions + d

    void begin(long time, long[] amounts) {
      dimensions = amounts.length;
      if (free.length < at.length * dimensions) {
        free = new long[at.length * dimensions];
      }
      size = 1;
      at[0] = time;
      System.arraycopy(amounts, 0, free, 0, dimensions);
    }

    /** Adds what is free from a time on, which is not before the last slot begins. */
    void release(long time, long[] amounts) {
      if (at[size - 1] != time) {
        insert(size, time);
      }
      int last = (size - 1) * dimensions;
      for (int d = 0; d < amounts.length; d++) {
        free[last + d] += amounts[d];
      }
    }

    /** Inserts a slot with what is free in the one before. */
    private void insert(int index, long time) {
      if (size == at.length) {
        at = Arrays.copyOf(at, 2 * size);
        free = Arrays.copyOf(free, at.length * dimensions);
      }
      System.arraycopy(at, index, at, index + 1, size - index);
      int from = (index - 1) * dimensions;
      System.arraycopy(free, from, free, from + dimensions, (size - index + 1) * dimensions);
      at[index] = time;
      size++;
    }

    boolean hasRoom(long[] need, long duration) {
      return firstFull(0, need, duration) < 0;
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
    private int firstFull(int start, long[] need, long duration) {
      long end = RunTimes.end(at[start], duration);
      for (int i = start; i < size && (i == start || at[i] < end); i++) {
        int first = i * dimensions;
        for (int d = 0; d < need.length && d < dimensions; d++) {
          if (need[d] > free[first + d]) {
            return i;
          }
        }
      }
      return -1;
    }

    void take(long[] need, long from, long until) {
      add(need, -1, from, until);
    }

    void give(long[] need, long from, long until) {
      add(need, 1, from, until);
    }

    /** Takes amounts from a time on, or what is free of them. */
    void keep(long[] need, long from) {
      for (int i = split(from); i < size; i++) {
        for (int d = 0; d < need.length; d++) {
          int place = i * dimensions + d;
          free[place] -= Math.max(0, Math.min(need[d], free[place]));
        }
      }
    }

    private void add(long[] need, int sign, long from, long until) {
      int first = split(from);
      int last = split(until);
      for (int i = first; i < last; i++) {
        for (int d = 0; d < need.length; d++) {
          free[i * dimensions + d] += sign * need[d];
        }
      }
    }

    /** Forgets what was free before a time, which is not before the first slot begins. */
    void advance(long time) {
      int index = Arrays.binarySearch(at, 0, size, time);
      int past = index >= 0 ? index : -index - 2;
      if (past > 0) {
        size -= past;
        System.arraycopy(at, past, at, 0, size);
        System.arraycopy(free, past * dimensions, free, 0, size * dimensions);
      }
      at[0] = time;
    }

    /** Returns the index of the slot that begins at a time; inserts one if needed. */
    private int split(long time) {
      int index = Arrays.binarySearch(at, 0, size, time);
      if (index >= 0) {
        return index;
      }
      insert(-index - 1, time);
      return -index - 1;
    }
  }
}

package dev.berth.core.internal.search;

import dev.berth.api.Dimension;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.state.ClusterState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reservation of the head of the queue, for EASY backfilling. It is the only one.
 *
 * <p>Apart from the reservation, free capacity can only grow with time. So a run that starts now
 * has room if the host has room now, and either the run ends before the reservation begins, or the
 * host has room for both when it begins.
 *
 * <p>A head for which no time can be reserved keeps what it needs on each host on which it could
 * run. Free capacity beyond that is of no use to it, now or later: a run takes only that.
 *
 * <p>Finding the earliest time on a host costs O(e), where e is the number of instances that end
 * before it. The bound costs O(h) once after each placement while the head keeps room on h hosts,
 * as the search that led to it. All else costs O(1).
 */
final class HeadReservation implements Reservations {

  private final HostTable table;
  private final ExpectedEnds ends;
  private final MostFree mostFree;

  private long now;
  private @Nullable HostRecord host; // null: no reservation
  private long from;
  private long[] spare = {}; // on that host when the reservation begins, beside it
  private final Map<HostRecord, Grant> kept = new HashMap<>(); // looked up, never iterated
  private long @Nullable [] mostLeft; // on any host beside what is kept; null: not known

  HeadReservation(ClusterState state, ExpectedEnds ends, MostFree mostFree) {
    this.table = state.table();
    this.ends = ends;
    this.mostFree = mostFree;
  }

  /** Starts without a reservation. */
  void begin(long time) {
    now = time;
    host = null;
    kept.clear();
    mostLeft = null;
  }

  @Override
  public boolean hasRoom(HostRecord candidate, InstanceRecord instance, Grant grant) {
    long[] need = grant.amounts();
    if (kept.containsKey(candidate)) {
      for (int d = 0; d < need.length; d++) {
        long amount = held(candidate, d, need[d]);
        if (amount > 0 && amount > left(candidate, d)) {
          return false;
        }
      }
      return true;
    }
    if (candidate != host || endsInTime(remaining(instance, grant))) {
      return true;
    }
    for (int d = 0; d < need.length; d++) {
      if (held(candidate, d, need[d]) > spare[d]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean mayFit(long[] need, long runTime) {
    if (!mostFree.mayFit(need, runTime)) {
      return false;
    }
    if (!kept.isEmpty()) {
      return isWithinMostLeft(need);
    }
    HostRecord reserved = host;
    if (reserved == null || endsInTime(runTime)) {
      return true;
    }
    for (int d = 0; d < need.length && d < spare.length; d++) {
      if (held(reserved, d, need[d]) > spare[d]
          && mostFree.exceedsAllBut(reserved.slot(), d, need[d])) {
        return false;
      }
    }
    return true;
  }

  private boolean isWithinMostLeft(long[] need) {
    long[] most = mostLeft;
    if (most == null) {
      most = new long[table.dimensions()];
      Arrays.fill(most, Long.MIN_VALUE);
      for (int slot = 0; slot < table.slots(); slot++) {
        HostRecord each = table.host(slot);
        for (int d = 0; d < most.length && each != null && !each.isClosed(); d++) {
          most[d] = Math.max(most[d], left(each, d));
        }
      }
      mostLeft = most;
    }
    for (int d = 0; d < need.length && d < most.length; d++) {
      if (need[d] > 0 && need[d] > most[d]) {
        return false;
      }
    }
    return true;
  }

  /** Returns how much is free on a host beside what the head keeps there; negative if less is. */
  private long left(HostRecord on, int dimension) {
    long free = table.free(on.slot(), dimension);
    Grant head = kept.get(on);
    return head == null || dimension >= head.amounts().length
        ? free
        : free - held(on, dimension, head.amounts()[dimension]);
  }

  private boolean endsInTime(long runTime) {
    return runTime <= from - now;
  }

  @Override
  public long earliest(
      HostRecord candidate, InstanceRecord instance, Grant grant, boolean mayStartNow) {
    long[] free = new long[table.dimensions()];
    table.copyFree(candidate.slot(), free);
    if (mayStartNow && fits(candidate, grant, free)) {
      return now;
    }
    ExpectedEnds.Walk walk = ends.of(candidate, now);
    for (long time = walk.time(); time != NEVER; time = walk.time()) {
      release(walk, time, free);
      if (fits(candidate, grant, free)) {
        return time;
      }
    }
    return NEVER;
  }

  @Override
  public void reserve(HostRecord reserved, InstanceRecord instance, Grant grant, long time) {
    host = reserved;
    from = time;
    spare = new long[table.dimensions()];
    table.copyFree(reserved.slot(), spare);
    ExpectedEnds.Walk walk = ends.of(reserved, now);
    while (walk.time() <= time && walk.time() != NEVER) {
      release(walk, walk.time(), spare);
    }
    take(grant);
  }

  @Override
  public void keep(HostRecord on, InstanceRecord instance, Grant grant) {
    kept.put(on, grant);
    mostLeft = null;
  }

  @Override
  public void starts(HostRecord on, InstanceRecord instance, Grant grant) {
    mostLeft = null;
    if (on == host && !endsInTime(remaining(instance, grant))) {
      take(grant);
    }
  }

  private void take(Grant grant) {
    HostRecord reserved = host;
    long[] need = grant.amounts();
    for (int d = 0; d < need.length && reserved != null; d++) {
      spare[d] -= held(reserved, d, need[d]);
    }
  }

  /** Adds what the instances that end at a time hold. */
  private static void release(ExpectedEnds.Walk walk, long time, long[] free) {
    while (walk.time() == time) {
      long[] held = walk.poll().held();
      for (int d = 0; d < held.length; d++) {
        free[d] += held[d];
      }
    }
  }

  private boolean fits(HostRecord candidate, Grant grant, long[] free) {
    long[] need = grant.amounts();
    for (int d = 0; d < need.length; d++) {
      if (held(candidate, d, need[d]) > free[d]) {
        return false;
      }
    }
    return true;
  }

  /** Returns how much an instance holds of a dimension: no CPU where the CPU is shared. */
  private long held(HostRecord on, int dimension, long amount) {
    return on.timeShared() && dimension == table.numberOf(Dimension.CPU) ? 0 : amount;
  }

  private long remaining(InstanceRecord instance, Grant grant) {
    return RunTimes.remaining(instance, grant.amounts(), table.numberOf(Dimension.CPU), now);
  }
}

package dev.berth.core.internal.search;

import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.ResourceScore;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.state.ClusterState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ObjIntConsumer;

/**
 * The widest demands that wait when a run begins, and a score that spares their room while it is
 * scarce: the score falls by one for each room of a wider, scarce demand that a placement takes.
 *
 * <p>The width of a demand is its greatest share of the largest capacity of any host. A demand is
 * scarce while the open hosts together have room for at most as many instances of it as there are
 * requests at least as wide that wait. So as long as there is enough room, nothing changes.
 *
 * <p>A run costs time only if several demands wait: O(hosts) for each of the widest that did not
 * wait in the run before, and then O(widest) for each host that changes.
 */
final class WideDemands implements ResourceScore, ObjIntConsumer<InstanceRecord> {

  private static final int MOST = 16;

  private final ClusterState state;
  private final HostTable table;
  private final AllocationScore score;
  private final List<Wide> waiting = new ArrayList<>(); // unordered, perhaps repeated
  private List<Wide> widest = List.of(); // first; since the latest run that needed them
  private boolean prepared; // in this run
  private long[] largest = InstanceRecord.NOTHING; // capacity of any host, by dimension
  private long countedUpTo; // version of hosts

  private final List<Wide> scarce = new ArrayList<>(); // and wider than the own demand
  private long[] own = InstanceRecord.NOTHING; // demand of the instance that is served

  WideDemands(ClusterState state, AllocationScore score) {
    this.state = state;
    this.table = state.table();
    this.score = score;
  }

  /** Returns the score; it depends on resources only if the original one does. */
  AllocationScore sparing() {
    return score instanceof ResourceScore ? this : this::score;
  }

  // ---- What waits

  /** Prepares for a run. */
  void begin() {
    waiting.clear();
    prepared = false;
  }

  /** Adds requests that wait when the run begins and demand as much as one of them. */
  @Override
  public void accept(InstanceRecord one, int requests) {
    waiting.add(new Wide(one.demand, requests));
  }

  /** Determines what to spare for an instance, which is served next. */
  void serve(InstanceRecord instance) {
    own = instance.demand;
    scarce.clear();
    if (waiting.size() < 2) {
      return;
    }
    if (!prepared) {
      prepare();
    }
    double width = width(own);
    if (widest.isEmpty() || widest.get(0).width <= width) {
      return;
    }
    catchUp();
    for (Wide each : widest) {
      if (each.width > width && each.rooms <= each.requests) {
        scarce.add(each);
      }
    }
  }

  private void prepare() {
    largest = new long[table.dimensions()];
    for (int slot = 0; slot < table.slots(); slot++) {
      for (int d = 0; d < largest.length; d++) {
        largest[d] = Math.max(largest[d], table.capacity(slot, d));
      }
    }
    catchUp();
    List<Wide> before = widest;
    widest = new ArrayList<>();
    waiting.forEach(each -> each.width = width(each.demand));
    waiting.removeIf(each -> each.width == 0 || each.width > 1); // fits anywhere, or nowhere
    waiting.sort(Wide.WIDEST_FIRST);
    long requests = 0;
    Wide last = null;
    for (Wide each : waiting) {
      requests += each.requests;
      if (last == null || Wide.compare(last.demand, each.demand) != 0) {
        if (widest.size() == MOST) {
          break;
        }
        last = each;
        before.stream()
            .filter(it -> Wide.compare(it.demand, each.demand) == 0)
            .findFirst()
            .ifPresentOrElse(each::takeCounts, () -> countAll(each));
        widest.add(each);
      }
      last.requests = requests;
    }
    prepared = true;
  }

  private double width(long[] demand) {
    double width = 0;
    for (int d = 0; d < demand.length; d++) {
      if (demand[d] > 0) {
        double most = d < largest.length ? (double) largest[d] : 0;
        width = Math.max(width, (double) demand[d] / most);
      }
    }
    return width;
  }

  // ---- Room

  private void countAll(Wide demand) {
    demand.times = new int[table.slots()];
    for (int slot = 0; slot < table.slots(); slot++) {
      count(demand, slot);
    }
  }

  private void catchUp() {
    HostRecord host = state.latestChanged();
    while (host != null && host.version() > countedUpTo) {
      for (Wide each : widest) {
        count(each, host.slot());
      }
      host = host.changedBefore();
    }
    countedUpTo = state.versions();
  }

  private void count(Wide demand, int slot) {
    if (slot >= demand.times.length) {
      demand.times = Arrays.copyOf(demand.times, 2 * slot + 1);
    }
    HostRecord host = table.host(slot);
    long times = 0;
    if (host != null && !host.isClosed()) {
      times = Integer.MAX_VALUE;
      for (int d = 0; d < demand.demand.length; d++) {
        times = Math.min(times, times(table.free(slot, d), demand.demand[d]));
      }
    }
    demand.rooms += times - demand.times[slot];
    demand.times[slot] = (int) times;
  }

  /** Forgets the room on a host, which leaves. */
  void left(HostRecord host) {
    for (Wide each : widest) {
      if (host.slot() < each.times.length) {
        each.rooms -= each.times[host.slot()];
        each.times[host.slot()] = 0;
      }
    }
  }

  private static long times(long free, long amount) {
    return amount == 0 ? Long.MAX_VALUE : Math.max(0, free) / amount;
  }

  // ---- The score

  @Override
  public double score(Fit fit) {
    double value = score.score(fit);
    return scarce.isEmpty() ? value : value - (double) taken(fit, fit);
  }

  @Override
  public double upperBound(Fit least, Fit most) {
    double bound = ((ResourceScore) score).upperBound(least, most);
    return scarce.isEmpty() ? bound : bound - (double) taken(least, most);
  }

  /** Returns how many rooms a placement takes, or the least number on any of some hosts. */
  private long taken(Fit least, Fit most) {
    long taken = 0;
    for (Wide each : scarce) {
      long before = Long.MAX_VALUE;
      long after = Long.MAX_VALUE;
      for (int d = 0; d < each.demand.length; d++) {
        long demanded = d < own.length ? own[d] : 0;
        before =
            Math.min(before, times(most.capacity(d) - most.used(d) + demanded, each.demand[d]));
        after = Math.min(after, times(least.capacity(d) - least.used(d), each.demand[d]));
      }
      taken += Math.max(0, before - after);
    }
    return taken;
  }

  /** A demand that waits. */
  private static final class Wide {

    private static final Comparator<Wide> WIDEST_FIRST =
        Comparator.<Wide>comparingDouble(it -> -it.width)
            .thenComparing(it -> it.demand, (a, b) -> compare(b, a));

    private final long[] demand;
    private long requests; // that wait; once it is among the widest, of all at least as wide
    private double width;
    private int[] times = {}; // how often it fits, by slot
    private long rooms; // the sum of these

    private Wide(long[] demand, long requests) {
      this.demand = demand;
      this.requests = requests;
    }

    /** Compares amounts; those beyond the length of an array are 0. */
    private static int compare(long[] a, long[] b) {
      int order = 0;
      for (int d = 0; order == 0 && d < Math.max(a.length, b.length); d++) {
        order = Long.compare(d < a.length ? a[d] : 0, d < b.length ? b[d] : 0);
      }
      return order;
    }

    private void takeCounts(Wide earlier) {
      times = earlier.times;
      rooms = earlier.rooms;
    }
  }
}

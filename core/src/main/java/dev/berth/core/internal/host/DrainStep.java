package dev.berth.core.internal.host;

import dev.berth.api.Dimension;
import dev.berth.api.Drain;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.core.internal.budget.BudgetRecord;
import dev.berth.core.internal.cluster.Cluster;
import dev.berth.core.internal.cluster.Departures;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.PlacementRules;
import dev.berth.core.internal.rule.Limits;
import dev.berth.core.internal.rule.PeerRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Moves instances off draining hosts in one pass, before the policy runs.
 *
 * <p>An instance goes to the open host on which it fits best: the one that has the least left
 * afterwards, as the sum of the free shares of its capacity; of equals the one whose id comes
 * first.
 *
 * <p>Finding it costs O(hosts) for each instance. If instances stay because they fit nowhere, the
 * next pass looks only at the hosts that have changed since.
 *
 * <p>An instance stays while the disruption budget of its job protects it, also at the deadline. A
 * host that cannot be reached is left alone.
 */
public final class DrainStep {

  private final Departures pass;
  private final Cluster cluster;
  private final HostTable table;
  private final PeerRules peers;

  // The evicted instances by the host that had room for them, which they are likely to need
  private final Map<HostRecord, List<InstanceRecord>> expected = new HashMap<>(); // only looked up

  // What this pass found, to be kept if it is not undone
  private final Map<HostRecord, Long> stuck = new LinkedHashMap<>();
  private @Nullable HostRecord best; // for the instance under consideration
  private double leastLeft; // on it
  private boolean isFinal; // whether only a change of a host can give an instance another answer

  /** Prepares the step of a pass. */
  public DrainStep(Departures pass, Cluster cluster) {
    this.pass = pass;
    this.cluster = cluster;
    this.table = cluster.table();
    this.peers = new PeerRules(cluster.peers());
  }

  /** Acts on all draining hosts, in order of id. */
  public void run() {
    for (HostRecord each : List.copyOf(cluster.draining())) {
      Drain how = each.drain();
      if (how != null && !each.residents.isEmpty() && !each.isUnreachable()) {
        empty(each, how, how.isOver(cluster.now()));
      }
    }
  }

  private void empty(HostRecord host, Drain how, boolean over) {
    boolean moves = how.mode() == Drain.Mode.MOVE;
    if (over ? how.atDeadline() == Drain.AtDeadline.STAY : !moves) {
      return;
    }
    Reason why = new Reason.HostDrained(host.id(), over);
    List<InstanceRecord> leaving = new ArrayList<>(host.residents);
    leaving.sort(order(how.order()));
    long known = host.version() <= host.stuckUpTo() ? host.stuckUpTo() : Long.MIN_VALUE;
    isFinal = moves && expected.isEmpty();
    for (InstanceRecord each : leaving) {
      pass.requireRunning();
      if (BudgetRecord.protection(each) != null) {
        continue; // the host is touched when the budget allows it
      }
      HostRecord target = moves ? bestFor(each, known) : null;
      if (target != null && migrates(each, how)) {
        pass.moveTo(each, target, why);
      } else if (target != null || over) {
        pass.evict(each, why);
        if (target != null) {
          expected.computeIfAbsent(target, any -> new ArrayList<>()).add(each);
          isFinal = false;
        }
      }
      isFinal &= each.bag == null; // its cluster may change, and no host with it
    }
    if (isFinal && !host.residents.isEmpty()) {
      stuck.put(host, cluster.versions());
    }
  }

  /** Keeps what the step has found out. Call it if the pass takes effect. */
  public void keep() {
    stuck.forEach(HostRecord::isStuck);
  }

  private static boolean migrates(InstanceRecord instance, Drain how) {
    return instance.state() != InstanceState.STARTING
        && !how.restarted().contains(instance.request.serviceClass());
  }

  private Comparator<InstanceRecord> order(Drain.Order order) {
    Comparator<InstanceRecord> first =
        switch (order) {
          case LEAST_IMPORTANT_FIRST ->
              Comparator.<InstanceRecord>comparingInt(each -> -each.classRecord.importance());
          case MOST_IMPORTANT_FIRST ->
              Comparator.comparingInt(each -> each.classRecord.importance());
          case LONGEST_RUNNING_FIRST ->
              Comparator.comparingLong(each -> -each.serviceTime(cluster.now()));
        };
    return first.thenComparing(InstanceRecord.BY_ADMISSION);
  }

  // ---- The new host

  /**
   * Returns the open host on which an instance fits best with its present grant, or null.
   *
   * @param known the version since which a host must have changed
   */
  private @Nullable HostRecord bestFor(InstanceRecord instance, long known) {
    best = null;
    if (known != Long.MIN_VALUE) {
      for (HostRecord host = cluster.latestChanged();
          host != null && host.version() > known;
          host = host.changedBefore()) {
        consider(host, instance);
      }
      return best;
    }
    for (int slot = instance.firstSlot();
        slot >= 0 && slot < table.slots();
        slot = instance.nextSlot(slot)) {
      HostRecord host = table.host(slot);
      if (host != null) {
        consider(host, instance);
      }
    }
    return best;
  }

  private void consider(HostRecord host, InstanceRecord instance) {
    if (!admits(host, instance)) {
      return;
    }
    double left = left(host, instance.grantedAmounts());
    HostRecord rival = best;
    if (rival == null
        || left < leastLeft
        || (left == leastLeft && host.id().compareTo(rival.id()) < 0)) {
      best = host;
      leastLeft = left;
    }
  }

  private boolean admits(HostRecord host, InstanceRecord instance) {
    return PlacementRules.mayRunOn(instance, host)
        && !PlacementRules.isKeptOff(instance, host)
        && isNotRefused(host, instance)
        && hasRoom(host, instance.grantedAmounts())
        && expectedOn(host).stream().allMatch(each -> PlacementRules.mayShare(each, instance))
        && isWithinLimits(host, instance)
        && isAllowed(host, instance);
  }

  private boolean isWithinLimits(HostRecord host, InstanceRecord instance) {
    isFinal &= instance.limits() == null; // what happens on other hosts may change the answer
    return Limits.immovable(instance, host) == null;
  }

  private boolean isNotRefused(HostRecord host, InstanceRecord instance) {
    if (!PeerRules.mayRefuse(instance)) {
      return true;
    }
    isFinal = false; // what happens on other hosts may change the answer
    return peers.obstacle(instance, host) == null;
  }

  private boolean isAllowed(HostRecord host, InstanceRecord instance) {
    boolean allowed = cluster.follower().mayMoveTo(instance, host);
    isFinal &= allowed; // the policy may decide otherwise at another time
    return allowed;
  }

  private boolean hasRoom(HostRecord host, long[] need) {
    for (int d = 0; d < need.length; d++) {
      if (free(host, d) < need[d]) {
        return false;
      }
    }
    return true;
  }

  /** Returns the sum of the free shares once an instance is there. */
  private double left(HostRecord host, long[] need) {
    double sum = 0;
    for (int d = 0; d < table.dimensions(); d++) {
      long capacity = table.capacity(host.slot(), d);
      if (capacity > 0) {
        sum += (double) (free(host, d) - (d < need.length ? need[d] : 0)) / capacity;
      }
    }
    return sum;
  }

  /** Returns what is free once the evicted instances that are expected there have come. */
  private long free(HostRecord host, int dimension) {
    long free = table.free(host.slot(), dimension);
    if (host.timeShared() && dimension == table.numberOf(Dimension.CPU)) {
      return free;
    }
    for (InstanceRecord each : expectedOn(host)) {
      free -= dimension < each.demand.length ? each.demand[dimension] : 0;
    }
    return free;
  }

  private List<InstanceRecord> expectedOn(HostRecord host) {
    return expected.getOrDefault(host, List.of());
  }
}

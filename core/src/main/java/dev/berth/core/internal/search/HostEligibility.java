package dev.berth.core.internal.search;

import dev.berth.api.Reason;
import dev.berth.api.pipeline.HostFilter;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.PlacementRules;
import dev.berth.core.internal.rule.PeerRules;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Determines which hosts an instance may run on, apart from free capacity: placement rules, filters
 * of the policy and the allocation rule. Notes what excluded hosts for the current instance.
 */
final class HostEligibility {

  private final HostTable table;
  private final List<HostFilter> filters;
  private final GrantFinder grants;
  private final FitView fit;
  private final PeerRules peers;

  private boolean blockedBySibling;
  private @Nullable Reason filtered; // by a filter: of the host that joined first
  private long filteredJoined; // when that was

  HostEligibility(PipelineParts parts, FitView fit) {
    this.table = parts.state().table();
    this.filters = List.copyOf(parts.filters());
    this.grants = new GrantFinder(table, parts.grants(), parts.oversubscribed());
    this.fit = fit;
    this.peers = new PeerRules(parts.state().peers());
  }

  /** Forgets what excluded hosts for the previous instance. */
  void start() {
    blockedBySibling = false;
    filtered = null;
  }

  GrantFinder grants() {
    return grants;
  }

  /**
   * Returns whether a sibling from the same job blocked a host that is open to other members of the
   * equivalence class.
   */
  boolean blockedBySibling() {
    return blockedBySibling;
  }

  /**
   * Returns why a filter refused the host with room that joined first, of those refused, or null.
   */
  @Nullable Reason filtered() {
    return filtered;
  }

  /** Returns the first host on which the placement constraints of an instance may hold, or null. */
  @Nullable HostRecord first(InstanceRecord instance) {
    return hostFrom(instance, instance.firstSlot());
  }

  /** Returns the next such host after one, or null. */
  @Nullable HostRecord next(InstanceRecord instance, HostRecord host) {
    return hostFrom(instance, instance.nextSlot(host.slot()));
  }

  private @Nullable HostRecord hostFrom(InstanceRecord instance, int first) {
    int slot = first;
    while (slot >= 0 && slot < table.slots()) {
      HostRecord host = table.host(slot);
      if (host != null && !host.isClosed()) {
        return host;
      }
      slot = instance.nextSlot(slot);
    }
    return null;
  }

  /** Sets the grant to that on a host; returns whether it is enough for the instance. */
  boolean grantOn(InstanceRecord instance, HostRecord host) {
    Grant found = grants.on(instance, host);
    if (found != null) {
      fit.grant = found;
    }
    return found != null;
  }

  /** Returns whether placement rules allow an instance on a host. */
  boolean admits(InstanceRecord instance, HostRecord host) {
    if (!PlacementRules.mayRunOn(instance, host)) {
      return false;
    }
    boolean keptOff = PlacementRules.isKeptOff(instance, host);
    noteSibling(instance, keptOff);
    if (keptOff) {
      return false;
    }
    boolean refused = isCrowded(instance, host);
    notePeer(instance, refused);
    return !refused;
  }

  /**
   * Returns whether placement rules allow an instance on a host, perhaps once some instances of
   * other jobs have left it.
   */
  boolean mayAdmit(InstanceRecord instance, HostRecord host) {
    return admits(instance, host)
        || (PlacementRules.mayRunOn(instance, host)
            && !PlacementRules.isKeptOff(instance, host)
            && !peers.leavesLonely(instance, host));
  }

  /** Returns whether rules about peers refuse a host to an instance unless some leave it. */
  boolean isCrowded(InstanceRecord instance, HostRecord host) {
    return PeerRules.mayRefuse(instance) && peers.refuse(instance, host);
  }

  /**
   * Notes that a sibling blocks a host. If the instance itself demands anti-affinity, so does its
   * whole equivalence class, and the host is blocked for all of it.
   */
  void noteSibling(InstanceRecord instance, boolean blocks) {
    blockedBySibling |= blocks && !instance.antiAffinity;
  }

  /**
   * Notes that rules about peers refuse a host. An instance that has rules shares no knowledge of
   * hosts. To another one, the rules of others may refuse the host alone.
   */
  void notePeer(InstanceRecord instance, boolean refused) {
    blockedBySibling |= refused && !hasRules(instance);
  }

  /** Returns whether an instance has rules about peers. */
  static boolean hasRules(InstanceRecord instance) {
    return instance.rules() != null && instance.rules().restrict();
  }

  /** Returns whether rules about peers allow a host once the victims found there have left. */
  boolean admitsWith(InstanceRecord instance, HostRecord host, VictimSearch victims) {
    return instance.rules() == null
        || !(instance.rules().dependOnVictims() || victims.areElsewhere())
        || peers.obstacle(instance, host, victims.victims(), victims.count()) == null;
  }

  /** Returns what a host is worth by preferences; see {@link PeerRules#worth}. */
  long worth(InstanceRecord instance, HostRecord host) {
    return peers.worth(instance, host);
  }

  PeerRules peers() {
    return peers;
  }

  /** Returns whether no filter refuses a host. */
  boolean passes(InstanceRecord instance, HostRecord host) {
    for (HostFilter each : filters) {
      Optional<Reason> refusal = each.refusal(instance, host, fit.now);
      if (refusal.isPresent()) {
        if (filtered == null || host.joined < filteredJoined) { // in no order of slots
          filtered = refusal.get();
          filteredJoined = host.joined;
        }
        return false;
      }
    }
    return true;
  }
}

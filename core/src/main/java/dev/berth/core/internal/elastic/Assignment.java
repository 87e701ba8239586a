package dev.berth.core.internal.elastic;

import dev.berth.api.Host;
import dev.berth.core.internal.cluster.Cluster;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.undo.UndoLog;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The assignment of a bag to a cluster, whose hosts then expire no earlier than the bag; and how to
 * undo it, also after later assignments.
 */
public final class Assignment implements UndoLog.Step {

  private final Cluster state;
  private final Pools pools;
  private final Supplier<? extends Iterable<? extends UndoLog.Step>> open;
  public final BagRecord bag;
  private final String cluster;
  private final long number; // among the assignments of the cluster state
  public final @Nullable String clusterBefore;
  private final OptionalLong assignedBefore;
  private final OptionalLong expiryBefore;
  private OptionalLong until = OptionalLong.empty();
  private final Map<Host, OptionalLong> lengthened = new LinkedHashMap<>(); // from their expiries

  /**
   * Prepares an assignment.
   *
   * @param open returns the assignments that may still be undone, among other steps
   */
  Assignment(
      Cluster state,
      Pools pools,
      Supplier<? extends Iterable<? extends UndoLog.Step>> open,
      BagRecord bag,
      String cluster) {
    this.state = state;
    this.pools = pools;
    this.open = open;
    this.bag = bag;
    this.cluster = cluster;
    pools.setAssignments(pools.assignments() + 1);
    this.number = pools.assignments();
    this.clusterBefore = bag.itsCluster();
    this.assignedBefore = bag.assignedAt();
    this.expiryBefore = bag.expiresAt();
  }

  /** Assigns the bag. */
  void make(OptionalLong expiresAt) {
    state.noteExpiries();
    bag.assign(cluster, expiresAt, state.now());
    state.changed(bag);
    until = bag.expiresAt();
    if (until.isPresent()) {
      for (HostRecord each : state.hostRecords()) {
        if (cluster.equals(each.cluster) && isSooner(each.expiresAt(), until)) {
          lengthened.put(each, each.expiresAt());
          setExpiry(each, until);
        }
      }
      for (ProvidedHost each : pools.notUp(cluster)) { // a release may be undone
        if (isSooner(each.expiresAt(), until)) {
          lengthened.put(each, each.expiresAt());
          setExpiry(each, until);
        }
      }
    }
  }

  /** Undoes it. Later assignments to the cluster may still need its hosts as long. */
  @Override
  public void undo() {
    state.noteExpiries();
    lengthened.forEach((host, before) -> setExpiry(host, replay(host, before)));
    state.changed(bag);
    bag.restoreAssignment(clusterBefore, assignedBefore, expiryBefore);
  }

  private OptionalLong replay(Host host, OptionalLong before) {
    OptionalLong expiry = before;
    for (UndoLog.Step each : open.get()) {
      if (each instanceof Assignment later
          && later.number > number
          && later.cluster.equals(cluster)) {
        if (isSooner(expiry, later.until)) {
          later.lengthened.put(host, expiry);
          expiry = later.until;
        } else {
          later.lengthened.remove(host);
        }
      }
    }
    return expiry;
  }

  private void setExpiry(Host host, OptionalLong expiry) {
    if (host instanceof HostRecord up) {
      up.expires(expiry);
      if (up.isIn(state.table())) { // it may have left since the plan
        state.touch(up);
      }
    } else if (host instanceof ProvidedHost provided) {
      provided.expires(expiry, state);
      HostRecord up = state.hostRecord(provided.id()); // if it has joined since the plan
      if (up != null && up.pool == provided.pool) {
        setExpiry(up, expiry);
      }
    }
  }

  private static boolean isSooner(OptionalLong expiry, OptionalLong other) {
    return expiry.isPresent() && other.isPresent() && expiry.getAsLong() < other.getAsLong();
  }
}

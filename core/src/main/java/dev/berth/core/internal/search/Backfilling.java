package dev.berth.core.internal.search;

import dev.berth.api.InstanceState;
import dev.berth.api.pipeline.Backfill;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.state.ClusterState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What backfilling knows of the hosts: the most that is free, the expected ends of instances, and
 * the reservations of a pass. It follows the transitions of the cluster.
 */
public final class Backfilling {

  private final ClusterState state;
  private final MostFree mostFree;
  private final @Nullable ExpectedEnds ends; // null: no reservations
  private final @Nullable HeadReservation head;
  private final @Nullable AvailabilityProfile profile;
  private long hostSets; // counts the changes of the set of hosts

  public Backfilling(ClusterState state, Backfill backfill) {
    this.state = state;
    this.mostFree = new MostFree(state);
    this.ends = backfill.reserves() ? new ExpectedEnds(state.table()) : null;
    this.head =
        ends != null && backfill == Backfill.EASY
            ? new HeadReservation(state, ends, mostFree)
            : null;
    this.profile =
        ends != null && backfill == Backfill.CONSERVATIVE
            ? new AvailabilityProfile(state, ends, mostFree)
            : null;
  }

  // ---- Following the cluster

  /** Follows a host that joined, empty. */
  public void joined(HostRecord host) {
    hostSets++;
    if (ends != null) {
      ends.joined(host);
    }
  }

  /** Follows a host that left. */
  public void left(HostRecord host) {
    hostSets++;
    mostFree.left(host);
    if (profile != null) {
      profile.left(host);
    }
    if (ends != null) {
      ends.left(host);
    }
  }

  /** Follows a host that opened or closed, or whose description or foreign load changed. */
  public void changed() {
    hostSets++;
    if (profile != null) {
      profile.changed();
    }
  }

  /** Follows an instance that came to a host, or to its present state there. */
  public void isOnHost(InstanceRecord instance, HostRecord host) {
    if (ends != null) {
      ends.isOnHost(instance, host);
    }
    if (profile != null) {
      profile.isOnHost(instance);
    }
  }

  /** Follows an instance that left a host, or its former state there. */
  public void leavesHost(InstanceRecord instance, HostRecord host, InstanceState formerState) {
    if (ends != null) {
      ends.leavesHost(instance, host, formerState);
    }
    if (profile != null) {
      profile.leavesHost(instance, formerState);
    }
  }

  /** Follows an instance that left the queue. */
  public void leavesQueue(InstanceRecord instance) {
    if (profile != null) {
      profile.leavesQueue(instance);
    }
  }

  // ---- In a pass

  /** Returns the version of the set of hosts that are open. */
  public long hostSets() {
    return hostSets;
  }

  /** Returns empty reservations for a pass at the present time. */
  public Reservations reservations() {
    if (head != null) {
      head.begin(state.now());
      return head;
    }
    if (profile != null) {
      profile.begin(state.now());
      return profile;
    }
    throw new IllegalStateException("this backfilling makes no reservations");
  }

  /**
   * Returns the reservations of the latest pass, if this pass would make the same; otherwise null.
   */
  public @Nullable Reservations resumed() {
    return profile != null && profile.resume(state.now()) ? profile : null;
  }

  /**
   * Withdraws the resumed reservations that begin now, and returns their instances in no particular
   * order.
   */
  public List<InstanceRecord> withdrawDue() {
    if (profile == null) {
      return List.of();
    }
    List<InstanceRecord> due = profile.due();
    HostRecord only = state.latestChanged();
    if (only != null) {
      due.forEach(each -> profile.withdraw(each, only));
    }
    return due;
  }

  /** Returns a bound of what has room now, beside reservations of this pass. */
  public RoomBound bound(@Nullable Reservations reservations) {
    mostFree.refresh();
    return reservations == null ? mostFree : reservations;
  }
}

package dev.berth.core.internal.group;

import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.GroupStatus;
import dev.berth.core.internal.cluster.Batch;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.QueueEntry;
import dev.berth.core.internal.undo.UndoLog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A group: its members that are not done, and how many of them are where.
 *
 * <p>A group has started if it has members on hosts. That follows from the law that a plan starts
 * enough of them or none, so it need not be kept.
 */
public final class GroupRecord extends Batch {

  private final String id;
  private final int size;
  private final int minCount;
  private final GroupSpec.OnLoss onLoss;
  private int pending; // members
  private int onHosts; // members

  private long startsInPass;
  private long triedInRun; // of the pipeline

  private long search; // for victims that counts those below
  private int taken; // members

  /** What the queue of a pipeline keeps for its members that are alike, looked up only. */
  public final Map<Object, QueueEntry> queueEntries = new HashMap<>();

  public GroupRecord(String id, int size, int minCount, GroupSpec.OnLoss onLoss, long submission) {
    super(submission);
    this.id = id;
    this.size = size;
    this.minCount = minCount;
    this.onLoss = onLoss;
  }

  @Override
  public String id() {
    return id;
  }

  /** Returns the group of an instance, or null if it belongs to none. */
  public static @Nullable GroupRecord of(InstanceRecord instance) {
    return (GroupRecord) instance.group;
  }

  public int size() {
    return size;
  }

  public int minCount() {
    return minCount;
  }

  public GroupSpec.OnLoss onLoss() {
    return onLoss;
  }

  /** Returns how many members are on hosts. */
  public int onHosts() {
    return onHosts;
  }

  /** Returns how many members must be on hosts; see {@link GroupStatus#required}. */
  public int required() {
    return Math.max(0, Math.min(minCount - completed(), pending + onHosts));
  }

  /** Returns how many members may leave their hosts before it is broken. */
  public int surplus() {
    return Math.max(0, onHosts - required());
  }

  /** Returns whether it has members on hosts, but too few. */
  public boolean isBroken() {
    return onHosts > 0 && onHosts < required();
  }

  /** Returns what has become of it. */
  public GroupStatus status() {
    return new GroupStatus(id, size, minCount, onLoss, pending, onHosts, completed());
  }

  /** Returns the numbers of admission of its members, in order. */
  public List<Long> admissions() {
    return present().stream().map(each -> each.sequence).toList();
  }

  /** Returns whether the pass under way has ended all its members. */
  public boolean isOver() {
    return pending + onHosts == 0;
  }

  // ---- Changes

  /**
   * Notes that a pass begins, in which it is to start together if it has no member on a host.
   * Returns whether it was to start together in the pass before.
   */
  boolean begin(long pass) {
    boolean started = startsInPass != 0;
    startsInPass = onHosts == 0 ? pass : 0;
    return started;
  }

  /** Notes that a pass has preempted its last members. Returns how to undo that. */
  public UndoLog.Step startAgainIn(long pass) {
    long before = startsInPass;
    startsInPass = pass;
    return () -> startsInPass = before;
  }

  /** Returns whether it was to start together in the latest pass, so that no member could go. */
  public boolean startsInLatest() {
    return startsInPass != 0;
  }

  /** Returns whether it is to start together in a pass. */
  public boolean startsIn(long pass) {
    return startsInPass == pass;
  }

  // ---- Victims of one search

  /** Returns whether too few members are left if another one goes with those a search has taken. */
  public boolean breaksIn(long inSearch) {
    return (search == inSearch ? taken : 0) >= surplus();
  }

  /** Counts a member that a search has taken. */
  public void take(long inSearch) {
    taken = search == inSearch ? taken + 1 : 1;
    search = inSearch;
  }

  // ---- Starts

  /** Returns whether a run of the pipeline has not tried to start it yet, and notes that it has. */
  public boolean isFirstTryIn(long run) {
    boolean first = triedInRun != run;
    triedInRun = run;
    return first;
  }

  /** Counts a change of pending members, if the instance is of a group. */
  public static void countPending(InstanceRecord instance, int change) {
    GroupRecord group = of(instance);
    if (group != null) {
      group.pending += change;
    }
  }

  /** Counts a change of members on hosts, if the instance is of a group. */
  public static void countOnHosts(InstanceRecord instance, int change) {
    GroupRecord group = of(instance);
    if (group != null) {
      group.onHosts += change;
    }
  }

  @Override
  public String toString() {
    return "group " + id;
  }
}

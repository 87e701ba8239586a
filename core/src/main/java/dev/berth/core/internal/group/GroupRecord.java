package dev.berth.core.internal.group;

import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.GroupStatus;
import dev.berth.core.internal.cluster.Batch;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.QueueEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
  public final long submission; // number of admissions before it
  private final Map<Long, InstanceRecord> members = new LinkedHashMap<>(); // by admission, in order
  private int completed;
  private int pending; // members
  private int onHosts; // members

  private long startsInPass;
  private long triedInRun; // of the pipeline

  /** What the queue of a pipeline keeps for its members that are alike, looked up only. */
  public final Map<Object, QueueEntry> queueEntries = new HashMap<>();

  public GroupRecord(String id, int size, int minCount, GroupSpec.OnLoss onLoss, long submission) {
    this.id = id;
    this.size = size;
    this.minCount = minCount;
    this.onLoss = onLoss;
    this.submission = submission;
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

  public int completed() {
    return completed;
  }

  /** Returns how many members are on hosts. */
  public int onHosts() {
    return onHosts;
  }

  /** Returns how many members must be on hosts; see {@link GroupStatus#required}. */
  public int required() {
    return Math.max(0, Math.min(minCount - completed, pending + onHosts));
  }

  /** Returns whether it has members on hosts, but too few. */
  public boolean isBroken() {
    return onHosts > 0 && onHosts < required();
  }

  /** Returns what has become of it. */
  public GroupStatus status() {
    return new GroupStatus(id, size, minCount, onLoss, pending, onHosts, completed);
  }

  /** Returns its members that are not done, in order of admission; a copy. */
  public List<InstanceRecord> members() {
    return new ArrayList<>(members.values());
  }

  /** Returns the numbers of admission of its members, in order. */
  public List<Long> admissions() {
    return Collections.unmodifiableList(new ArrayList<>(members.keySet()));
  }

  /** Returns whether the pass under way has ended all its members. */
  public boolean isOver() {
    return pending + onHosts == 0;
  }

  public boolean isEmpty() {
    return members.isEmpty();
  }

  // ---- Changes

  public void joins(InstanceRecord member) {
    members.put(member.sequence, member);
  }

  /** Removes a member that is done. */
  public void left(InstanceRecord member, boolean complete) {
    members.remove(member.sequence);
    completed += complete ? 1 : 0;
  }

  /** Brings back a member that was done. */
  public void returned(InstanceRecord member, boolean wasComplete) {
    completed -= wasComplete ? 1 : 0;
    List<InstanceRecord> later = new ArrayList<>();
    members.values().forEach(each -> addIfLater(each, member, later));
    members.put(member.sequence, member);
    for (InstanceRecord each : later) { // one by one, so that an error loses no other
      members.remove(each.sequence);
      members.put(each.sequence, each);
    }
  }

  private static void addIfLater(
      InstanceRecord each, InstanceRecord member, List<InstanceRecord> later) {
    if (each.sequence > member.sequence) {
      later.add(each);
    }
  }

  /** Notes that a pass begins, in which it is to start together if it has no member on a host. */
  void begin(long pass) {
    startsInPass = onHosts == 0 ? pass : 0;
  }

  /** Returns whether it is to start together in a pass. */
  public boolean startsIn(long pass) {
    return startsInPass == pass;
  }

  /** Returns whether a run of the pipeline has not tried to start it yet, and notes that it has. */
  public boolean isFirstTryIn(long run) {
    boolean first = triedInRun != run;
    triedInRun = run;
    return first;
  }

  public void countPending(int change) {
    pending += change;
  }

  public void countOnHosts(int change) {
    onHosts += change;
  }

  /** Restores how many members have completed. */
  public void restore(int membersCompleted) {
    completed = membersCompleted;
  }

  @Override
  public String toString() {
    return "group " + id;
  }
}

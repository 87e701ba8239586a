package dev.berth.core.engine;

import dev.berth.api.Constraint;
import dev.berth.api.Resources;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one class that ask for the same, and what is known of hosts for all of them.
 *
 * <p>What is no host for one of them is none for another that is no worse off, until the host
 * changes or somebody there may be preempted who might not before. That holds where room and
 * victims decide alone: no filters, no grants, no reservations; and where the preemption rule
 * {@linkplain dev.berth.api.PreemptionRule#favoursTheWorseOff says so}. A host that did not fit
 * with all the victims that the one could take does not fit with fewer.
 */
final class RequestKind {

  /** Older than any change of a host. */
  static final long NEVER = Long.MIN_VALUE;

  /**
   * What makes requests ask for the same.
   *
   * @param job whose members must not share a host; null if they may
   */
  record Key(
      int classRank, Resources demand, List<Constraint> constraints, @Nullable JobRecord job) {

    static Key of(InstanceRecord instance) {
      return new Key(
          instance.classRecord.rank(),
          instance.request.demand(),
          instance.request.constraints(),
          instance.antiAffinity ? instance.job : null);
    }
  }

  /** Those who are pending, in queue order. */
  final NavigableSet<InstanceRecord> waiting;

  /** Whether queue order is also that of value in the victim order, among those. */
  boolean inOrderOfValue = true;

  int place = -1; // among the kinds with somebody waiting
  @Nullable InstanceRecord next; // whose turn it is in this run

  // Who failed: nobody of that value or above finds a host that has not changed since, but for
  // those that are due, until the first retry.
  private long failedValue;
  private long failedVersion = NEVER;
  private final SlotQueue retries = new SlotQueue();
  private int[] due = new int[4]; // slots of hosts of which nothing is known any more
  private int dueCount;
  private long dueInRun;

  // In one run
  private long scannedInRun;
  private long scannedValue;
  @Nullable Bids bids;

  RequestKind(NavigableSet<InstanceRecord> waiting) {
    this.waiting = waiting;
  }

  /** Returns whose turn it is. */
  InstanceRecord turn() {
    if (next == null) {
      throw new IllegalStateException("nobody of this kind is waiting for its turn");
    }
    return next;
  }

  // ---- Who failed

  /** Returns whether what is known of failures holds for an instance of this kind. */
  boolean knowsFailureFor(InstanceRecord instance) {
    return failedVersion != NEVER && instance.victimKey >= failedValue;
  }

  /** Returns the version of the hosts up to which that is known. */
  long failedVersion() {
    return failedVersion;
  }

  /** Returns whether some host that has not changed must be looked at by now. */
  boolean mustRetry(long now) {
    return dueCount > 0 || retries.first() <= now;
  }

  /** Collects the slots of such hosts, once in a run: in it, time stands still. */
  void collectDue(long now, long run) {
    if (dueInRun != run) {
      dueInRun = run;
      while (retries.first() <= now && retries.size() > 0) {
        if (dueCount == due.length) {
          due = Arrays.copyOf(due, 2 * dueCount);
        }
        due[dueCount++] = retries.poll();
      }
    }
  }

  int dueCount() {
    return dueCount;
  }

  int due(int index) {
    return due[index];
  }

  /** A host that was due is known to be none again. The last of those takes its index. */
  void settle(int index) {
    due[index] = due[--dueCount];
  }

  /** A host that is none must be looked at again at a time, even if it does not change. */
  void retry(long time, int slot) {
    if (time != Long.MAX_VALUE) {
      retries.add(time, slot);
    }
  }

  int retries() {
    return retries.size();
  }

  /** Nothing is known of hosts from now on. */
  void forget() {
    failedVersion = NEVER;
    retries.clear();
    dueCount = 0;
    if (bids != null) {
      bids.clear();
    }
  }

  /** An instance of this kind found no host, as they are now. */
  void failed(InstanceRecord instance, long version) {
    failedValue = instance.victimKey;
    failedVersion = version;
  }

  // ---- Who did not

  /** Returns whether all hosts were looked at in this run, for one that was no better off. */
  boolean wasScanned(InstanceRecord instance, long run) {
    return scannedInRun == run && scannedValue <= instance.victimKey;
  }

  void scanned(InstanceRecord instance, long run) {
    scannedInRun = run;
    scannedValue = instance.victimKey;
  }
}

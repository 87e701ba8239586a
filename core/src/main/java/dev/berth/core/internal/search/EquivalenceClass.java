package dev.berth.core.internal.search;

import dev.berth.api.Constraint;
import dev.berth.api.Resources;
import dev.berth.core.internal.state.InstanceRecord;
import dev.berth.core.internal.state.JobRecord;
import dev.berth.core.internal.state.QueueEntry;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one class that ask for the same, and what is known of hosts for all of them.
 *
 * <p>What is no host for one of them is none for another that is no worse off, until the host
 * changes or somebody there may be preempted who might not before. That holds where room and
 * victims decide alone: no filters, no grants, no reservations; and where the preemption rule is
 * {@linkplain dev.berth.api.pipeline.MonotonePreemptionRule monotone}. A host that did not fit with
 * all the victims that the one could take does not fit with fewer.
 */
public final class EquivalenceClass implements QueueEntry {

  /** Older than any change of a host. */
  public static final long NEVER = Long.MIN_VALUE;

  /**
   * What makes requests ask for the same.
   *
   * @param job whose members must not share a host; null if they may
   */
  public record Key(
      int classRank, Resources demand, List<Constraint> constraints, @Nullable JobRecord job) {

    public static Key of(InstanceRecord instance) {
      return new Key(
          instance.classRecord.rank(),
          instance.request.demand(),
          instance.request.constraints(),
          instance.antiAffinity ? instance.job : null);
    }
  }

  /** Those who are pending, in queue order. */
  public final NavigableSet<InstanceRecord> waiting;

  /** Whether queue order is also that of value in the victim order, among those. */
  public boolean inOrderOfValue = true;

  public int place = -1; // among the kinds with somebody waiting
  public @Nullable InstanceRecord next; // whose turn it is in this run

  // Hosts that have not changed since that version are none for anybody of that key or above,
  // but for those that are open, until the first retry.
  private long knownKey; // in the victim order
  private long knownVersion = NEVER;
  private int[] open = new int[4]; // slots
  private int openCount;
  private boolean openMayHaveRoom;
  private final SlotQueue retries = new SlotQueue();
  private long retriedInRun;

  private long scannedInRun;
  public @Nullable PreemptionCandidates bids; // in this run, instead of what is above

  public EquivalenceClass(NavigableSet<InstanceRecord> waiting) {
    this.waiting = waiting;
  }

  /** Returns whose turn it is. */
  public InstanceRecord turn() {
    if (next == null) {
      throw new IllegalStateException("nobody of this kind is waiting for its turn");
    }
    return next;
  }

  /** Returns whether an instance is the first in the queue. */
  public boolean isFirst(InstanceRecord instance) {
    return waiting.first() == instance;
  }

  // ---- What is known of hosts

  /** Returns whether what is known of hosts holds for an instance of this kind. */
  public boolean knows(InstanceRecord instance) {
    return knownVersion != NEVER
        && InstanceRecord.compareVictimKeys(instance.victimKey, knownKey) >= 0;
  }

  /** Returns the version up to which hosts are known. */
  public long knownVersion() {
    return knownVersion;
  }

  /**
   * Returns whether some host that has not changed may have room: one to which only a sibling kept
   * somebody from going.
   */
  public boolean mayHaveRoom() {
    return openCount > 0 && openMayHaveRoom;
  }

  /** Returns whether some host that has not changed must be looked at by now. */
  public boolean mustLook(long now) {
    return openCount > 0 || retries.first() <= now;
  }

  /**
   * Opens the hosts that are to be looked at again by now; once in a run: in it time stands still.
   */
  public void openDue(long now, long run) {
    if (retriedInRun != run) {
      retriedInRun = run;
      while (retries.size() > 0 && retries.first() <= now) {
        open(retries.poll());
      }
    }
  }

  /** A host must be looked at for each, whether it changes or not. */
  public void open(int slot) {
    if (openCount == open.length) {
      open = Arrays.copyOf(open, 2 * openCount);
    }
    open[openCount++] = slot;
  }

  public int openCount() {
    return openCount;
  }

  public int openSlot(int index) {
    return open[index];
  }

  /** An open host is none after all. The last open one takes its index. */
  public void close(int index) {
    open[index] = open[--openCount];
  }

  /** A host that is none must be looked at again at a time, even if it does not change. */
  public void retry(long time, int slot) {
    if (time != Long.MAX_VALUE) {
      retries.add(time, slot);
    }
  }

  public int retries() {
    return retries.size();
  }

  /** Nothing is known of hosts from now on. */
  public void forget() {
    knownVersion = NEVER;
    retries.clear();
    openCount = 0;
    bids = null;
  }

  /**
   * All hosts but the open ones are known to be none as they are now.
   *
   * @param key in the victim order, of who is known to find none
   * @param mayHaveRoom whether open ones may have room
   */
  public void learn(long key, long version, boolean mayHaveRoom) {
    knownKey = key;
    knownVersion = version;
    openMayHaveRoom = mayHaveRoom;
  }

  /** From now on it is bids that tell what is known. */
  public void bidWith(PreemptionCandidates fresh) {
    bids = fresh;
    knownVersion = NEVER;
    openCount = 0;
  }

  /** Returns whether hosts were looked at for another one in this run, and notes that they are. */
  public boolean isLookedAtAgain(long run) {
    boolean again = scannedInRun == run;
    scannedInRun = run;
    return again;
  }
}

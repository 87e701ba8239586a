package dev.berth.core.internal.search;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.api.Constraint;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Resources;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.QueueEntry;
import dev.berth.core.internal.rule.JobRecord;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Pending requests that are alike: the same service class, tier, demand and placement constraints.
 * Keeps what is known about hosts for all of them.
 *
 * <p>A host that is infeasible for one request is infeasible for each request of the class with an
 * equal or higher value. This holds until the host changes, or until an instance on it becomes
 * preemptible. It requires that room and victims alone decide: no filters, allocation rule or
 * reservations, and a {@linkplain dev.berth.api.pipeline.MonotonePreemptionRule monotone}
 * preemption rule. If all victims of one request do not free enough room, fewer victims do not
 * either.
 */
public final class EquivalenceClass implements QueueEntry {

  /** Older than any change of a host. */
  public static final long NEVER = Long.MIN_VALUE;

  /**
   * The properties that all requests of a class share.
   *
   * @param tier their tier in the queue
   * @param antiAffinity whether they must not share a host with their job
   * @param job their job, if that matters: for anti-affinity, or because the placement
   *     specification says anything; otherwise null
   * @param placement what else they say about their hosts
   * @param labels their labels, if the placement specification says anything; otherwise empty
   */
  public record Key(
      int classRank,
      int tier,
      Resources demand,
      List<Constraint> constraints,
      boolean antiAffinity,
      @Nullable JobRecord job,
      PlacementSpec placement,
      Map<String, String> labels) {

    public static Key of(InstanceRecord instance) {
      PlacementSpec placement = instance.request.placement();
      boolean plain = placement.isEmpty();
      return new Key(
          instance.classRecord.rank(),
          instance.queueTier(),
          instance.request.demand(),
          instance.request.constraints(),
          instance.antiAffinity,
          instance.antiAffinity || !plain ? instance.job : null,
          placement,
          plain ? Map.of() : instance.request.labels());
    }
  }

  private final int tier;
  private final Comparator<InstanceRecord> order; // of the queue
  private final NavigableSet<InstanceRecord> waiting;
  private boolean inOrderOfValue = true;
  private int place = -1;
  private @Nullable InstanceRecord next; // the next request to place in this run

  // Hosts that have not changed since this version are infeasible for requests of this key or
  // above, except open hosts, until the first retry.
  private long knownKey; // in the victim order
  private long knownVersion = NEVER;
  private long knownPeers = NEVER; // of what rules about peers refer to
  private int[] open = new int[4]; // slots
  private int openCount;
  private boolean openMayHaveRoom;
  private final SlotQueue retries = new SlotQueue();
  private long retriedInRun;

  private long failedKey; // in the victim order; of the last request that failed, as all above
  private long failedInRun;
  private long failedVersion; // of hosts

  private long scannedInRun;
  private @Nullable PreemptionCandidates candidates; // in this run, instead of the fields above

  /** Creates a class of a tier, without requests. */
  public EquivalenceClass(int tier, Comparator<InstanceRecord> order) {
    this.tier = tier;
    this.order = order;
    this.waiting = new TreeSet<>(order);
  }

  public int tier() {
    return tier;
  }

  /** Adds a pending request. */
  public void add(InstanceRecord instance) {
    InstanceRecord before = waiting.isEmpty() ? null : waiting.last();
    InstanceRecord after = null;
    if (before != null && order.compare(instance, before) < 0) { // rarely
      before = waiting.lower(instance);
      after = waiting.higher(instance);
    }
    if ((before != null
            && InstanceRecord.compareVictimKeys(before.victimKey(), instance.victimKey()) > 0)
        || (after != null
            && InstanceRecord.compareVictimKeys(after.victimKey(), instance.victimKey()) < 0)) {
      inOrderOfValue = false;
    }
    waiting.add(instance);
  }

  /** Removes a request that is no longer pending. */
  public void remove(InstanceRecord instance) {
    if (!waiting.remove(instance)) {
      throw new IllegalStateException(instance + " is not in its place in the queue");
    }
    if (waiting.isEmpty()) {
      inOrderOfValue = true;
    }
  }

  /** Returns the number of pending requests. */
  public int size() {
    return waiting.size();
  }

  /** Returns whether queue order is also the order of value in the victim order. */
  public boolean inOrderOfValue() {
    return inOrderOfValue;
  }

  /** Returns its index among the classes with pending requests, or -1. */
  public int place() {
    return place;
  }

  /** Sets its index among the classes with pending requests, or -1. */
  public void place(int index) {
    place = index;
  }

  /** Begins a run with the first request. */
  public void begin() {
    next = waiting.first();
  }

  /** Goes on to the next request after one. Returns whether there is any. */
  public boolean goOn(InstanceRecord after) {
    next = waiting.higher(after);
    return next != null;
  }

  /** Returns whether the run has a request left to place. */
  public boolean hasTurn() {
    return next != null;
  }

  /** Returns the next request to place, which must exist. */
  public InstanceRecord turn() {
    checkState(next != null, "this equivalence class has no request left to place");
    return next;
  }

  /**
   * Returns whether what fails for an instance, for which the knowledge of hosts holds, fails for
   * all for which it holds. Otherwise those of lower values would have to evaluate all hosts again.
   */
  public boolean isLowest(InstanceRecord instance) {
    return inOrderOfValue ? waiting.first() == instance : instance.victimKey() == knownKey;
  }

  // ---- What is known of hosts

  /** Returns whether the knowledge of hosts holds for an instance of this class. */
  public boolean knows(InstanceRecord instance) {
    return knownVersion != NEVER
        && InstanceRecord.compareVictimKeys(instance.victimKey(), knownKey) >= 0;
  }

  /**
   * Records that all hosts are infeasible, as long as nothing changes that rules about peers may
   * refer to.
   */
  public void learnWithPeers(long key, long version, long peers) {
    learn(key, version, false);
    knownPeers = peers;
  }

  /** Returns the number of the last change that such knowledge includes. */
  public long knownPeers() {
    return knownPeers;
  }

  /** Returns the version of the last host change that the knowledge includes. */
  public long knownVersion() {
    return knownVersion;
  }

  /**
   * Returns whether an unchanged host may have room: one where only a sibling blocked an earlier
   * request.
   */
  public boolean mayHaveRoom() {
    return openCount > 0 && openMayHaveRoom;
  }

  /** Returns whether some unchanged host must be evaluated by a time. */
  public boolean hasHostsDue(long now) {
    return openCount > 0 || retries.first() <= now;
  }

  /**
   * Opens the hosts whose retry is due. Acts once in a run, since time does not pass within a run.
   */
  public void openDue(long now, long run) {
    if (retriedInRun != run) {
      retriedInRun = run;
      while (retries.first() <= now) {
        open(retries.poll());
      }
    }
  }

  /** Opens a host: it must be evaluated for each request, even if it does not change. */
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

  /** Closes an infeasible host. The last open host takes its index. */
  public void close(int index) {
    open[index] = open[--openCount];
  }

  /** Schedules an infeasible host for evaluation at a time, even if it does not change. */
  public void retry(long time, int slot) {
    if (time != Long.MAX_VALUE) {
      retries.add(time, slot);
    }
  }

  public int retries() {
    return retries.size();
  }

  /** Discards all knowledge of hosts. */
  public void forget() {
    knownVersion = NEVER;
    retries.clear();
    openCount = 0;
    candidates = null;
  }

  /**
   * Records that all hosts except the open ones are infeasible as they are now.
   *
   * @param key in the victim order, of the lowest request for which this holds
   * @param mayHaveRoom whether open hosts may have room
   */
  public void learn(long key, long version, boolean mayHaveRoom) {
    knownKey = key;
    knownVersion = version;
    openMayHaveRoom = mayHaveRoom;
  }

  /** Returns what replaces the knowledge of hosts for the rest of the run, or null. */
  public @Nullable PreemptionCandidates candidates() {
    return candidates;
  }

  /** Has knowledge of hosts of its own again. */
  public void shareNoLonger() {
    candidates = null;
  }

  /** Replaces the knowledge of hosts by candidates, for the rest of the run. */
  public void share(PreemptionCandidates fresh) {
    candidates = fresh;
    knownVersion = NEVER;
    openCount = 0;
  }

  /** Notes that a request has failed in a run, as all with an equal or higher value would. */
  public void fails(InstanceRecord instance, long run, long version) {
    failedKey = instance.victimKey();
    failedInRun = run;
    failedVersion = version;
  }

  /** Returns whether a request fails for that reason, as no host has changed since. */
  public boolean hasFailed(InstanceRecord instance, long run, long version) {
    return failedInRun == run
        && failedVersion == version
        && InstanceRecord.compareVictimKeys(instance.victimKey(), failedKey) >= 0;
  }

  /** Returns whether this run has searched for the class before, and notes that it now has. */
  public boolean isSearchedAgain(long run) {
    boolean again = scannedInRun == run;
    scannedInRun = run;
    return again;
  }
}

package dev.berth.core.internal.cluster;

import dev.berth.api.Request;
import dev.berth.core.internal.rule.ConstraintIndex;
import dev.berth.core.internal.rule.JobRecord;
import dev.berth.core.internal.rule.RuledInstance;
import org.jspecify.annotations.Nullable;

/**
 * An instance as a pipeline sees it: its place in the queue, its keys in the orders, its
 * reservation and its expected end.
 */
public abstract class QueuedInstance extends RuledInstance {

  /** The number in {@link #promised} for no host. */
  public static final long NO_HOST = -1;

  private @Nullable QueueEntry queueEntry; // null until it was pending there
  private long queuedAfterPass;
  private long queueKey; // now and for the next state
  private long victimKey;
  private int queueTier;
  private long tierUntil;
  private long nextQueueKey;
  private long nextVictimKey;
  private int nextQueueTier;
  private long nextTierUntil;
  private long promised = NO_HOST;
  private long expectedEnd;
  private long assumedEnd;

  QueuedInstance(
      Request request, ConstraintIndex.@Nullable Entry constraints, @Nullable JobRecord job) {
    super(request, constraints, job);
  }

  /** Notes its place in the queue, or null. */
  public void queuedAt(@Nullable QueueEntry place) {
    queueEntry = place;
  }

  public @Nullable QueueEntry queueEntry() {
    return queueEntry;
  }

  /** Computes its key for the next wait, which comes after a pass. */
  public void nextWait(long key, long afterPass) {
    nextQueueKey = key;
    queuedAfterPass = afterPass;
  }

  /** Computes its tier for the next wait; it holds until a time. */
  public void nextTier(int tier, long until) {
    nextQueueTier = tier;
    nextTierUntil = until;
  }

  public void nextVictimKey(long key) {
    nextVictimKey = key;
  }

  /** Takes its next keys; it has left the orders in which it had the former ones. */
  public void takeKeys() {
    queueKey = nextQueueKey;
    victimKey = nextVictimKey;
    queueTier = nextQueueTier;
    tierUntil = nextTierUntil;
  }

  public long queueKey() {
    return queueKey;
  }

  public int queueTier() {
    return queueTier;
  }

  /** Returns the time at which the order is asked for its tier again. */
  public long tierUntil() {
    return tierUntil;
  }

  public long victimKey() {
    return victimKey;
  }

  /** Returns the latest pass of the pipeline when it came into its queue. */
  public long queuedAfterPass() {
    return queuedAfterPass;
  }

  /** Notes the time of its end if it runs, or the length of its run if it starts. */
  public void expectEnd(long timeOrLength) {
    expectedEnd = timeOrLength;
  }

  public long expectedEnd() {
    return expectedEnd;
  }

  /** Notes the end that reservations assume, as a time. */
  public void assumeEnd(long time) {
    assumedEnd = time;
  }

  public long assumedEnd() {
    return assumedEnd;
  }

  /** Notes the host of its reservation, by its number of joining, or {@link #NO_HOST}. */
  public void promise(long hostNumber) {
    promised = hostNumber;
  }

  /**
   * Returns the host of its reservation since the latest pass, if later instances respect it, by
   * its number of joining; it may have left since.
   */
  public long promised() {
    return promised;
  }

  /** Restores saved keys as its next ones. */
  public void restoreKeys(SavedInstance saved) {
    nextQueueKey = saved.queueKey;
    nextVictimKey = saved.victimKey;
    nextTier(saved.queueTier, saved.tierUntil);
  }

  void saveWait(SavedInstance saved) {
    saved.queueKey = queueKey;
    saved.victimKey = victimKey;
    saved.queueTier = queueTier;
    saved.tierUntil = tierUntil;
    saved.queuedAfterPass = queuedAfterPass;
  }

  void restoreWait(SavedInstance saved) {
    restoreKeys(saved);
    queuedAfterPass = saved.queuedAfterPass;
  }

  /** Saves its next keys, in place of those that were saved. */
  public void saveNextKeys(SavedInstance saved) {
    saved.queueKey = nextQueueKey;
    saved.victimKey = nextVictimKey;
    saved.queueTier = nextQueueTier;
    saved.tierUntil = nextTierUntil;
  }

  /**
   * Compares two keys of the victim order, for instances whose values change alike. Values differ
   * by less than 2<sup>63</sup>, so the difference of the keys has the right sign even if they wrap
   * around.
   */
  public static int compareVictimKeys(long a, long b) {
    return Long.signum(a - b);
  }
}

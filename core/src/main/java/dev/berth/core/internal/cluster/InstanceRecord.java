package dev.berth.core.internal.cluster;

import dev.berth.api.History;
import dev.berth.api.Host;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.TimeLimits;
import dev.berth.api.Usage;
import dev.berth.core.internal.rule.ConstraintIndex;
import dev.berth.core.internal.rule.JobRecord;
import dev.berth.core.internal.rule.RuledInstance;
import dev.berth.core.internal.undo.UndoLog;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * An instance of the cluster, with its accounting.
 *
 * <p>{@code served} and {@code earned} hold the service of finished run intervals. The service of
 * the present interval follows from {@code stateSince}, so no field needs updates over time.
 */
public final class InstanceRecord extends RuledInstance {

  public static final long[] NOTHING = {};

  /**
   * Orders instances by their admission, and those of one time as they came. A request with a
   * history came later than it was admitted.
   */
  public static final Comparator<InstanceRecord> BY_ADMISSION =
      (a, b) ->
          a.admittedAt == b.admittedAt
              ? Long.compare(a.sequence, b.sequence)
              : Long.compare(a.admittedAt, b.admittedAt);

  public final ClassRecord classRecord;
  public final long[] demand;
  public final Grant wholeDemand;
  public @Nullable Batch bag; // null: none
  public @Nullable Batch group; // null: none
  public final long admittedAt;
  public final long sequence; // in which it came
  public final long tieHash;

  public InstanceState state = InstanceState.PENDING;
  public long stateSince;
  public @Nullable HostRecord host;
  public long served;
  public long earned;
  public int preemptions;
  public int placements;
  public long restartOverhead;
  public boolean placedAfterPreemption; // or eviction: whether its latest placement followed one
  public boolean lastStopWasPreemption; // or an eviction
  public int migrations;
  public int attempt;

  /**
   * The attempt in which a fleet was found to be, if an earlier one than the latest; otherwise 0.
   */
  public int earlierAttempt;

  /** The number of its latest placement among those of the cluster; it never recurs. */
  public long placementNumber;

  // While starts fail in a row
  public int failedStarts;
  public long heldUntil = Long.MIN_VALUE;

  /** Whether it is pending but held back, so that it is in no queue. */
  public boolean heldBack;

  /** The latest action on it that can still be undone, or null. */
  public UndoLog.@Nullable Step openAction;

  /**
   * The grant while on a host, by dimension; the demand unless the policy granted other amounts.
   */
  public long[] granted;

  public @Nullable Resources grantedResources; // null: its demand

  /** The part of the grant that it holds on its host: all, all except CPU, or nothing. */
  public long[] held = NOTHING;

  public @Nullable Usage usage;
  public @Nullable Usage previousUsage;

  /**
   * The pass that last placed or preempted it: an instance is the subject of at most one action in
   * a pass.
   */
  public long actedInPass = -1; // in no pass yet, nor in that of a diagnosis, 0

  /** The number in {@link #promised} for no host. */
  public static final long NO_HOST = -1;

  /**
   * The host of its reservation since the latest pass, if later instances respect it, by its number
   * of joining; it may have left since.
   */
  public long promised = NO_HOST;

  /** The place of the instance in the queue of a pipeline; null until it was pending there. */
  public @Nullable QueueEntry queueEntry;

  /** The latest pass of the pipeline when the instance came into its queue. */
  public long queuedAfterPass;

  public int residence = -1; // place in host.residents
  public int pendingPlace = -1; // place in ClusterState.pending
  // Keys in the orders of the pipeline, now and for the next state.
  public long queueKey;
  public long victimKey;
  public long nextQueueKey;
  public long nextVictimKey;

  /**
   * While a pipeline expects it to end: the time of its end if it runs, the length of its run if it
   * starts.
   */
  public long expectedEnd;

  /** The end that the reservations of a pipeline assume, as a time. */
  public long assumedEnd;

  public InstanceRecord(
      Request request,
      ClassRecord classRecord,
      long[] demand,
      ConstraintIndex.@Nullable Entry constraints,
      @Nullable JobRecord job,
      long admittedAt,
      long sequence,
      long tieHash) {
    super(request, constraints, job);
    this.classRecord = classRecord;
    this.demand = demand;
    this.granted = demand;
    this.wholeDemand = new Grant(demand, null);
    this.admittedAt = admittedAt;
    this.stateSince = admittedAt;
    this.sequence = sequence;
    this.tieHash = tieHash;
  }

  /** Gives a new instance what it had before. Its rate of earning is that of its class. */
  public void continues(History history) {
    served = history.served().toNanos();
    earned = classRecord.slo().lifeSpan(served);
    restartOverhead = history.restartOverhead().toNanos();
    placements = history.placements();
    preemptions = history.preemptions();
    migrations = history.migrations();
    attempt = history.attempt();
  }

  /** Returns the first slot of a host where its placement constraints may hold, or -1. */
  public int firstSlot() {
    return constraints == null ? 0 : constraints.nextSlot(0);
  }

  /** Returns the next such slot; -1 or a slot beyond the last if there is none. */
  public int nextSlot(int slot) {
    return constraints == null ? slot + 1 : constraints.nextSlot(slot + 1);
  }

  /**
   * Compares two keys of the victim order, for instances whose values change alike. Values differ
   * by less than 2<sup>63</sup>, so the difference of the keys has the right sign even if they wrap
   * around.
   */
  public static int compareVictimKeys(long a, long b) {
    return Long.signum(a - b);
  }

  @Override
  public Optional<String> bag() {
    return Optional.ofNullable(bag).map(Batch::id);
  }

  @Override
  public Optional<String> group() {
    return Optional.ofNullable(group).map(Batch::id);
  }

  @Override
  public ServiceClass serviceClass() {
    return classRecord.serviceClass();
  }

  @Override
  public InstanceState state() {
    return state;
  }

  @Override
  public Optional<Host> host() {
    return Optional.ofNullable(host);
  }

  @Override
  public @Nullable HostRecord place() {
    return host;
  }

  @Override
  public Resources granted() {
    return grantedResources == null ? request.demand() : grantedResources;
  }

  @Override
  public Optional<Usage> usage() {
    return Optional.ofNullable(usage);
  }

  @Override
  public Optional<Usage> previousUsage() {
    return Optional.ofNullable(previousUsage);
  }

  @Override
  public int migrations() {
    return migrations;
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public long admittedAt() {
    return admittedAt;
  }

  @Override
  public long stateSince() {
    return stateSince;
  }

  /**
   * Returns the attempt that it is in, or was last: the latest, unless a fleet runs an earlier one.
   */
  public int presentAttempt() {
    return earlierAttempt == 0 ? attempt : earlierAttempt;
  }

  @Override
  public long serviceTime(long now) {
    return state == InstanceState.RUNNING ? served + TimeLimits.between(stateSince, now) : served;
  }

  @Override
  public long waitingTime(long now) {
    return super.waitingTime(lived(now));
  }

  @Override
  public OptionalDouble availability(long now) {
    return super.availability(lived(now));
  }

  /** Returns a time, or the end of the instance if it is done. */
  private long lived(long now) {
    return state == InstanceState.DONE ? stateSince : now;
  }

  @Override
  public long earnedTime(long now) {
    if (state != InstanceState.RUNNING) {
      return earned;
    }
    TimeLimits.between(stateSince, now); // refuses others
    return earned + earnedBetween(stateSince, now);
  }

  public long earnedBetween(long from, long to) {
    return classRecord.slo().lifeSpan(to) - classRecord.slo().lifeSpan(from);
  }

  @Override
  public int preemptions() {
    return preemptions;
  }

  @Override
  public int placements() {
    return placements;
  }

  @Override
  public long restartOverhead() {
    return restartOverhead;
  }

  @Override
  public boolean restarting() {
    return switch (state) {
      case PENDING -> lastStopWasPreemption;
      case STARTING -> placedAfterPreemption;
      case RUNNING, PAUSED, SUSPENDED, DONE -> false;
    };
  }

  @Override
  public String toString() {
    return "instance " + id() + " (" + state + (host == null ? "" : " on " + host.id()) + ")";
  }
}

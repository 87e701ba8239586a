package dev.berth.core.internal.cluster;

import dev.berth.api.Backoff;
import dev.berth.api.History;
import dev.berth.api.Host;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.TimeLimits;
import dev.berth.api.Usage;
import dev.berth.api.policy.Completion;
import dev.berth.core.internal.rule.ConstraintIndex;
import dev.berth.core.internal.rule.JobRecord;
import dev.berth.core.internal.undo.UndoLog;
import dev.berth.core.snapshot.InstanceData;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * An instance of the cluster, with its accounting.
 *
 * <p>{@code served} and {@code earned} hold the service of finished run intervals. The service of
 * the present interval follows from {@code stateSince}, so no field needs updates over time.
 */
public final class InstanceRecord extends QueuedInstance {

  private static final long FORGIVEN_AFTER = Backoff.FORGIVEN_AFTER.toNanos();

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
  public final @Nullable Batch bag; // null: none
  public final @Nullable Batch group; // null: none
  public final long sequence; // in which it came
  public final long tieHash;

  private long admittedAt;
  private InstanceState state = InstanceState.PENDING;
  private long stateSince;
  private @Nullable HostRecord host;
  private long served;
  private long earned;
  private int preemptions;
  private int placements;
  private long restartOverhead;
  private boolean placedAfterPreemption; // or eviction: whether its latest placement followed one
  private boolean lastStopWasPreemption; // or an eviction
  private int migrations;
  private int attempt;
  private int earlierAttempt; // in which a fleet was found to be, if not in the latest; otherwise 0
  private long placementNumber; // of its latest placement among those of the cluster; never recurs

  // While starts fail in a row
  private int failures; // ever
  private int forgiven; // of these
  private long heldUntil = Long.MIN_VALUE;
  private boolean heldBack; // whether it is pending but in no queue
  private List<String> waitsFor = List.of(); // ids of those that must complete before it starts

  private long stopAfter = Long.MIN_VALUE; // since its fleet could not stop it

  private UndoLog.@Nullable Step openAction; // the latest on it that can still be undone, or null

  // The grant while on a host, by dimension; the demand unless the policy granted other amounts
  private long[] granted;
  private @Nullable Resources grantedResources; // null: its demand
  private long[] held = NOTHING; // the part that it holds on its host: all, all except CPU, nothing

  private @Nullable Usage usage;
  private @Nullable Usage previousUsage;

  // The pass that last placed or preempted it: an instance is the subject of at most one action in
  // a pass; -1: in no pass yet, nor in that of a diagnosis, 0
  private long actedInPass = -1;

  int residence = -1; // place in host.residents; HostRecord changes it
  int pendingPlace = -1; // place in Cluster.pending; Cluster changes it

  /**
   * Creates a pending instance.
   *
   * @param bag null: it belongs to none
   * @param group null: it belongs to none
   */
  public InstanceRecord(
      Request request,
      ClassRecord classRecord,
      long[] demand,
      ConstraintIndex.@Nullable Entry constraints,
      @Nullable JobRecord job,
      @Nullable Batch bag,
      @Nullable Batch group,
      long admittedAt,
      long sequence,
      long tieHash) {
    super(request, constraints, job);
    this.classRecord = classRecord;
    this.demand = demand;
    this.granted = demand;
    this.wholeDemand = new Grant(demand, null);
    this.bag = bag;
    this.group = group;
    this.admittedAt = admittedAt;
    this.stateSince = admittedAt;
    this.sequence = sequence;
    this.tieHash = tieHash;
  }

  // ---- Transitions. The caller has checked that they may happen, and moves the instance.

  /** It waits again after a history. Its rate of earning is that of its class. */
  public void waitsSince(long time, History history) {
    continues(history);
    stateSince = time;
    lastStopWasPreemption = history.restarting();
  }

  private void continues(History history) {
    served = history.served().toNanos();
    earned = classRecord.slo().lifeSpan(served);
    restartOverhead = history.restartOverhead().toNanos();
    placements = history.placements();
    preemptions = history.preemptions();
    migrations = history.migrations();
    attempt = Math.max(attempt, history.attempt());
  }

  /** All that it waited for has completed. */
  void isRunnable(long now) {
    enters(InstanceState.PENDING, now);
  }

  /** Its attempts are numbered on from those of an earlier instance of its id, if there was one. */
  public void countsOnAfter(EndedInstances.@Nullable Ended earlier) {
    attempt = earlier == null ? 0 : earlier.attempt();
  }

  /** It is placed on a host and starts there. */
  public void isPlaced(HostRecord on, Grant grant, long number, long now) {
    host = on;
    starts(grant, now);
    placements++;
    placedAfterPreemption = lastStopWasPreemption;
    lastStopWasPreemption = false;
    placementNumber = number;
  }

  /** It starts on its host, for the first time or again. */
  public void starts(Grant grant, long now) {
    enters(InstanceState.STARTING, now);
    attempt++;
    earlierAttempt = 0;
    isGranted(grant);
  }

  /** It is ready and runs. */
  public void runs(long at) {
    if (placedAfterPreemption) {
      restartOverhead += at - stateSince;
      placedAfterPreemption = false; // resuming or moving is no restart
    }
    enters(InstanceState.RUNNING, at);
  }

  /** Its grant on its host changes. */
  public void isGranted(Grant grant) {
    granted = grant.amounts();
    grantedResources = grant.resources();
    hold();
  }

  /** It is paused or suspended. */
  public void isHalted(InstanceState halted, long now) {
    enters(halted, now);
    hold();
  }

  /** It moves to another host and starts there. */
  public void migrates(HostRecord to, Grant grant, long now) {
    comesTo(to);
    starts(grant, now);
    migrations++;
  }

  /** It is preempted and waits. */
  public void isPreempted(long now) {
    preemptions++;
    stops(now, true);
  }

  /**
   * It stops and waits.
   *
   * @param restarts whether its next start counts as a restart
   */
  public void stops(long time, boolean restarts) {
    enters(InstanceState.PENDING, time);
    comesTo(null);
    hold();
    lastStopWasPreemption = restarts;
  }

  /** It stops for ever, in any state. */
  public void ends(long time) {
    stops(time, false);
    state = InstanceState.DONE;
  }

  /** It is refused while it waits. */
  public void isRejected(long now) {
    enters(InstanceState.DONE, now);
  }

  /** A fleet reports that it is on a host, whatever was believed. */
  public void isFound(HostRecord on, InstanceState seen, OptionalInt inAttempt, long at) {
    enters(seen, at);
    lastStopWasPreemption = false;
    placedAfterPreemption &= seen == InstanceState.STARTING;
    isIn(inAttempt);
    if (host != on) {
      comesTo(on);
    }
    hold();
  }

  /** A fleet reports a new instance on a host, with its history up to then. */
  public void isAdopted(
      HostRecord on, InstanceState seen, OptionalInt inAttempt, long at, History before) {
    continues(before);
    isFound(on, seen, inAttempt, at);
    placements = Math.max(1, placements);
    placedAfterPreemption = before.restarting() && seen == InstanceState.STARTING;
  }

  private void isIn(OptionalInt reported) {
    if (reported.isPresent()) {
      int seen = reported.getAsInt();
      earlierAttempt = seen < attempt ? seen : 0;
      attempt = Math.max(attempt, seen);
    } else if (attempt == 0) {
      attempt = 1; // so that reports can name it
    }
  }

  /** Changes its state, and accounts for the service that ends with the former one. */
  private void enters(InstanceState next, long time) {
    if (state == InstanceState.RUNNING) {
      served += time - stateSince;
      earned += earnedBetween(stateSince, time);
      if (time - stateSince >= FORGIVEN_AFTER) {
        forgiven = failures;
      }
    }
    if (!waitsFor.isEmpty()) {
      admittedAt += time - stateSince; // its clock stood still
    }
    state = next;
    stateSince = time;
  }

  private void comesTo(@Nullable HostRecord on) {
    host = on;
    granted = demand;
    grantedResources = null;
    usage = null;
    previousUsage = null;
  }

  /** Holds of its grant what its state and its type of host require. */
  private void hold() {
    if (host == null || state == InstanceState.SUSPENDED) {
      held = NOTHING;
    } else {
      held = state == InstanceState.PAUSED ? host.withoutCpu(granted) : host.taken(granted);
    }
  }

  // ---- Saving its state, and going back to it

  void saveTo(SavedInstance saved) {
    saved.admittedAt = admittedAt;
    saved.state = state;
    saved.stateSince = stateSince;
    saved.host = host;
    saved.held = held;
    saved.granted = granted;
    saved.grantedResources = grantedResources;
    saved.usage = usage;
    saved.previousUsage = previousUsage;
    saved.served = served;
    saved.earned = earned;
    saved.preemptions = preemptions;
    saved.placements = placements;
    saved.migrations = migrations;
    saved.attempt = attempt;
    saved.earlierAttempt = earlierAttempt;
    saved.forgiven = forgiven;
    saved.placementNumber = placementNumber;
    saved.restartOverhead = restartOverhead;
    saved.placedAfterPreemption = placedAfterPreemption;
    saved.lastStopWasPreemption = lastStopWasPreemption;
    saveWait(saved);
    saved.heldBack = heldBack;
    saved.actedInPass = actedInPass;
  }

  /** Restores a saved state, with its next keys. Whether it is held back follows from its moves. */
  public void restore(SavedInstance saved) {
    admittedAt = saved.admittedAt;
    state = saved.state;
    stateSince = saved.stateSince;
    host = saved.host;
    held = saved.held;
    granted = saved.granted;
    grantedResources = saved.grantedResources;
    usage = saved.usage;
    previousUsage = saved.previousUsage;
    served = saved.served;
    earned = saved.earned;
    preemptions = saved.preemptions;
    placements = saved.placements;
    migrations = saved.migrations;
    attempt = saved.attempt;
    earlierAttempt = saved.earlierAttempt;
    forgiven = saved.forgiven;
    placementNumber = saved.placementNumber;
    restartOverhead = saved.restartOverhead;
    placedAfterPreemption = saved.placedAfterPreemption;
    lastStopWasPreemption = saved.lastStopWasPreemption;
    actedInPass = saved.actedInPass;
    restoreWait(saved);
  }

  /** Restores the saved grant alone. */
  public void restoreGrant(SavedInstance saved) {
    isGranted(new Grant(saved.granted, saved.grantedResources));
  }

  /** Restores the saved usage alone. */
  public void restoreUsage(SavedInstance saved) {
    usage = saved.usage;
    previousUsage = saved.previousUsage;
  }

  /** Restores what a snapshot keeps, with its next keys. The instance is new. */
  public void restore(
      InstanceData data,
      @Nullable HostRecord on,
      Grant grant,
      @Nullable Usage latest,
      @Nullable Usage before) {
    state = InstanceState.valueOf(data.state());
    stateSince = data.stateSince();
    host = on;
    isGranted(grant);
    usage = latest;
    previousUsage = before;
    served = data.served();
    earned = data.earned();
    preemptions = data.preemptions();
    placements = data.placements();
    migrations = data.migrations();
    restartOverhead = data.restartOverhead();
    placedAfterPreemption = data.placedAfterPreemption();
    lastStopWasPreemption = data.lastStopWasPreemption();
    promise(data.promised().orElse(NO_HOST));
    nextWait(data.queueKey(), data.queuedAfterPass());
    nextVictimKey(data.victimKey());
    nextTier(0, Long.MIN_VALUE); // to be asked for
    attempt = data.starts().attempt();
    earlierAttempt = data.starts().earlier();
    failures = data.starts().failed();
    heldUntil = data.starts().heldUntil().orElse(Long.MIN_VALUE);
    stopAfter = data.stopAfter().orElse(Long.MIN_VALUE);
  }

  // ---- Reports and starts

  /** Its usage is reported. */
  public void uses(Usage reported) {
    previousUsage = usage;
    usage = reported;
  }

  /** Counts a failure. */
  public void countFailure() {
    failures++;
  }

  /** Returns whether it has failed more often than its request allows. */
  public boolean isGivenUp() {
    return failures() > request.maxFailures().orElse(Integer.MAX_VALUE);
  }

  /** Sets before when it is not stopped again, since its fleet could not stop it. */
  public void stopAfter(long time) {
    stopAfter = time;
  }

  /** Returns that time, or {@link Long#MIN_VALUE}. */
  public long stopAfter() {
    return stopAfter;
  }

  /** Sets until when it is held back while it is pending; {@link Long#MIN_VALUE}: it is not. */
  public void holdUntil(long time) {
    heldUntil = time;
  }

  @Override
  public int failures() {
    return failures - forgiven;
  }

  public long heldUntil() {
    return heldUntil;
  }

  /** Notes for which instances it waits; for {@code Dependents}. */
  void waitsFor(List<String> others) {
    waitsFor = others;
  }

  /** Returns the ids of the instances that must complete before it starts. */
  public List<String> waitsFor() {
    return waitsFor;
  }

  /** Notes whether it is pending but held back; for {@code Backoffs} and {@code Dependents}. */
  public void heldBack(boolean inNoQueue) {
    heldBack = inNoQueue;
  }

  public boolean heldBack() {
    return heldBack;
  }

  /** Returns whether it is among the pending instances, perhaps held back. */
  public boolean isAmongPending() {
    return pendingPlace >= 0;
  }

  // ---- Of passes

  /** A pass has acted on it. */
  public void actedOn(long pass) {
    actedInPass = pass;
    if (host != null) {
      host.actedInPass = pass;
    }
  }

  /** Returns the pass that last acted on it. */
  public long actedInPass() {
    return actedInPass;
  }

  /** Notes the latest action on it that can still be undone, or null; for the ledger. */
  public void openAction(UndoLog.@Nullable Step latest) {
    openAction = latest;
  }

  public UndoLog.@Nullable Step openAction() {
    return openAction;
  }

  // ---- What it is

  /** Returns the first slot of a host where its placement constraints may hold, or -1. */
  public int firstSlot() {
    return constraints == null ? 0 : constraints.nextSlot(0);
  }

  /** Returns the next such slot; -1 or a slot beyond the last if there is none. */
  public int nextSlot(int slot) {
    return constraints == null ? slot + 1 : constraints.nextSlot(slot + 1);
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

  /** Returns its grant while on a host, by dimension. */
  public long[] grantedAmounts() {
    return granted;
  }

  /** Returns its grant, or null if it is its demand. */
  public @Nullable Resources grantedResources() {
    return grantedResources;
  }

  /** Returns the part of its grant that it holds on its host. */
  public long[] held() {
    return held;
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

  @Override
  public int presentAttempt() {
    return earlierAttempt == 0 ? attempt : earlierAttempt;
  }

  /** Returns the earlier attempt that a fleet was found to be in; 0 if it is the latest. */
  public int earlierAttempt() {
    return earlierAttempt;
  }

  public long placementNumber() {
    return placementNumber;
  }

  /** Returns its service in finished run intervals. */
  public long served() {
    return served;
  }

  /** Returns the life that this service pays for. */
  public long earned() {
    return earned;
  }

  public boolean placedAfterPreemption() {
    return placedAfterPreemption;
  }

  public boolean lastStopWasPreemption() {
    return lastStopWasPreemption;
  }

  /** Returns what a pass reports if it completes at a time. */
  public Completion completion(long at) {
    boolean repeats = request.losesProgress() && state == InstanceState.RUNNING;
    return new Completion(
        request, serviceClass(), repeats ? at - stateSince : serviceTime(Math.max(at, stateSince)));
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

  /** Returns a time, or that at which its clock stopped: it is done, or waits for others. */
  private long lived(long now) {
    return state == InstanceState.DONE || !waitsFor.isEmpty() ? stateSince : now;
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

package dev.berth.simulator.internal.execution;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Slowdown;
import dev.berth.api.batch.InstanceReport;
import dev.berth.simulator.execution.ExecutionModel;
import dev.berth.simulator.internal.EventQueue;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One live request in the simulator: its progress and speed, its next event, and the simulator's
 * own account of its life. {@link #check} compares this account with that of the scheduler.
 *
 * <p>It works while it is in service, at the speed of the {@link ExecutionModel}. It keeps its
 * progress when it is migrated, and unless its {@linkplain ActualBehaviour#keepsProgress behaviour}
 * says otherwise, also when it is preempted or loses its host.
 */
public final class Execution {

  private static final long NOT_RUNNING = -1;

  private final Arrival arrival;
  private final long number;
  private long admittedAt;
  private int waitsFor; // so many others to complete; until then its clock stands still
  private final @Nullable GroupRun group;
  private Set<String> readyOn = Set.of(); // ids of hosts; never iterated
  private @Nullable String host;
  private @Nullable String lastHost;
  private EventQueue.@Nullable Event next;
  private long workAtArrival; // done when it arrived on its host
  private long
      work; // done by workSince: the last change of its slowdown, or the start of its service
  private long workSince;
  private Slowdown slowdown = Slowdown.NONE;

  // The account
  private long runningSince = NOT_RUNNING;
  private boolean onDisk;
  private long placedAt;
  private long served;
  private long servedBroken; // of that, while its group was broken
  private long brokenBefore; // its group, when the present service began
  private long restartOverhead;
  private long lostWork;
  private long lostService;
  private boolean starting; // placed and not yet ready there
  private int placements;
  private boolean replacesVictims;
  private int preemptions;
  private int migrations;
  private boolean placedAfterPreemption;
  private boolean lastStopWasPreemption;
  private boolean placedAfterEviction;
  private boolean lastStopWasEviction;
  private OptionalLong firstPlacedAt = OptionalLong.empty();
  private OptionalLong firstReadyAt = OptionalLong.empty();
  private OptionalLong firstStart = OptionalLong.empty(); // how long it takes

  /**
   * Creates the execution of a request that was admitted.
   *
   * @param group that it belongs to, or null
   */
  public Execution(Arrival arrival, long number, @Nullable GroupRun group) {
    this.arrival = arrival;
    this.number = number;
    this.admittedAt = arrival.at();
    this.waitsFor = arrival.request().after().size();
    this.group = group;
  }

  public String id() {
    return arrival.request().id();
  }

  public Request request() {
    return arrival.request();
  }

  ActualBehaviour behaviour() {
    return arrival.behaviour();
  }

  public long admittedAt() {
    return admittedAt;
  }

  /** One of those that it is to start after has completed. */
  public void mayStart(long now) {
    waitsFor--;
    if (waitsFor == 0) {
      admittedAt = now;
    }
  }

  /** Returns the number of its placements. */
  public int placements() {
    return placements;
  }

  /** Returns the number of its preemptions. */
  public int preemptions() {
    return preemptions;
  }

  /** Returns the time of its starts after preemptions so far, in nanoseconds. */
  public long restartOverhead() {
    return restartOverhead;
  }

  /** Returns whether it was ready on that host before. */
  boolean wasReadyOn(String hostId) {
    return readyOn.contains(hostId);
  }

  boolean isRunning() {
    return runningSince != NOT_RUNNING;
  }

  /** Returns the id of its host. */
  public String host() {
    checkState(host != null, "instance %s has no host.", id());
    return host;
  }

  // ---- Work

  /** Returns the memory that it needs at its present progress, in bytes. */
  long memoryNeed(long now) {
    return behaviour()
        .memory()
        .map(profile -> profile.needAt(workAt(now)))
        .orElse(request().demand().amount(Dimension.MEMORY));
  }

  /** Returns the work done so far. Changes no state, so that reading cannot add rounding errors. */
  private long workAt(long now) {
    return isRunning() ? work + slowdown.workIn(now - workSince) : work;
  }

  private void settle(long now) {
    work = workAt(now);
    workSince = now;
  }

  /** Sets the slowdown from now on. Returns whether it differs from the previous one. */
  boolean setSlowdown(Slowdown slower, long now) {
    if (slower.equals(slowdown)) {
      return false;
    }
    settle(now);
    slowdown = slower;
    return true;
  }

  /**
   * Returns the nanoseconds until it is done, or reaches a point of its work at which its memory
   * need changes.
   */
  long untilNext(long now) {
    return slowdown.timeFor(nextPoint(now) - work) - (now - workSince);
  }

  /** Returns whether it is done before its memory need changes again. */
  boolean nextIsCompletion(long now) {
    return nextPoint(now) == arrival.serviceTime();
  }

  private long nextPoint(long now) {
    long end = arrival.serviceTime();
    if (behaviour().memory().isEmpty()) {
      return end;
    }
    MemoryProfile profile = behaviour().memory().get();
    int step = profile.stepAt(workAt(now)) + 1;
    return step < profile.size() ? Math.min(end, profile.from(step)) : end;
  }

  /** Returns the work done on its present host. */
  long workHere(long now) {
    return workAt(now) - workAtArrival;
  }

  /** Returns whether it has a host. */
  boolean isOnHost() {
    return host != null;
  }

  /** Sets its next event. */
  void expect(EventQueue.Event event) {
    this.next = event;
  }

  /** Returns the time of its next event, or {@link EventQueue#NEVER}. */
  long expectedAt() {
    return next == null ? EventQueue.NEVER : next.at();
  }

  /** Clears its next event. Returns the event, or null if there was none. */
  EventQueue.@Nullable Event expectNothing() {
    EventQueue.Event voided = next;
    next = null;
    return voided;
  }

  // ---- Life

  void placed(String on, long now) {
    if (group != null) {
      group.moved(1, now);
    }
    host = on;
    lastHost = on;
    workAtArrival = work;
    placedAt = now;
    starting = true;
    placements++;
    placedAfterPreemption = lastStopWasPreemption;
    lastStopWasPreemption = false;
    placedAfterEviction = lastStopWasEviction;
    lastStopWasEviction = false;
    if (firstPlacedAt.isEmpty()) {
      firstPlacedAt = OptionalLong.of(now);
    }
  }

  /** Notes how long its present start takes, apart from waiting for victims. */
  void starts(long overhead) {
    if (firstStart.isEmpty()) {
      firstStart = OptionalLong.of(overhead);
    }
  }

  /** Notes whether instances were preempted for the present placement. */
  void replaces(boolean victims) {
    replacesVictims = victims;
  }

  /** Returns whether instances were preempted for the present placement. */
  public boolean replacesVictims() {
    return replacesVictims;
  }

  void ready(long now) {
    readyOn(host());
    runningSince = now;
    brokenBefore = group == null ? 0 : group.brokenUntil(now);
    workSince = now;
    if (placedAfterPreemption || placedAfterEviction) {
      restartOverhead += now - placedAt;
      lostWork += placedAfterPreemption ? now - placedAt : 0;
      placedAfterPreemption = false;
      placedAfterEviction = false;
    }
    starting = false;
    if (firstReadyAt.isEmpty()) {
      firstReadyAt = OptionalLong.of(now);
    }
  }

  /** Most instances are ready on a single host: they share an immutable set of one. */
  private void readyOn(String hostId) {
    if (readyOn.isEmpty()) {
      readyOn = Set.of(hostId);
    } else if (!readyOn.contains(hostId)) {
      readyOn = readyOn.size() == 1 ? new HashSet<>(readyOn) : readyOn;
      readyOn.add(hostId);
    }
  }

  /** Takes it off its host. */
  void stopped(long now, boolean byPreemption) {
    endService(now);
    leavesHost(now);
    if (starting && (byPreemption || placedAfterPreemption)) {
      lostWork += now - placedAt; // the start served nothing
    }
    if (!behaviour().keepsProgress()) {
      loseProgress(byPreemption);
    }
    starting = false;
    onDisk = false;
    lastStopWasPreemption = byPreemption;
    lastStopWasEviction = false;
    preemptions += byPreemption ? 1 : 0;
  }

  /** Takes it off its host, where it may no longer be. Its next start is a restart. */
  void evicted(long now) {
    stopped(now, false);
    lastStopWasEviction = true;
  }

  private void loseProgress(boolean byPreemption) {
    long servedBroken = served - lostService;
    lostService += servedBroken;
    lostWork += byPreemption ? servedBroken : 0;
    work = 0;
  }

  /** Takes it off its host with its work done. */
  public void finished(long now) {
    endService(now);
    leavesHost(now);
    if (group != null) {
      group.ended(true, now);
    }
  }

  private void leavesHost(long now) {
    if (group != null && host != null) {
      group.moved(-1, now);
    }
    host = null;
  }

  /** Pauses or suspends it on its host. */
  void halted(long now, boolean suspended) {
    endService(now);
    onDisk |= suspended;
  }

  private void endService(long now) {
    settle(now);
    served = servedBy(now);
    servedBroken = servedBrokenBy(now);
    runningSince = NOT_RUNNING;
  }

  /** Resumes it. Returns whether its memory must be read from disk. */
  boolean resumed() {
    boolean suspended = onDisk;
    onDisk = false;
    return suspended;
  }

  /** Moves it to another host. */
  void migrated(String to, long now) {
    endService(now);
    host = to;
    lastHost = to;
    workAtArrival = work;
    onDisk = false;
    migrations++;
  }

  /** Returns the used part of its memory grant, in bytes: the amount copied when it moves. */
  long memoryUsed(Resources granted, long now) {
    long memory = granted.amount(Dimension.MEMORY);
    return behaviour().memory().isPresent() ? Math.min(memory, memoryNeed(now)) : memory;
  }

  // ---- Account

  /**
   * Returns the time on hosts that preemptions have cost so far, in nanoseconds: starts after a
   * preemption, starts that a preemption ended, and service whose progress a preemption undid.
   */
  public long lostWork(long now) {
    return starting && placedAfterPreemption ? lostWork + (now - placedAt) : lostWork;
  }

  /** Returns the service whose progress was lost so far, in nanoseconds. */
  public long lostService() {
    return lostService;
  }

  /**
   * Returns its outcome. Service while its group was broken counts as waiting.
   *
   * @param otherStart the time that a start takes if it was never placed, in nanoseconds
   */
  public RequestOutcome outcome(RequestOutcome.End end, InstanceReport report, long otherStart) {
    if (group != null && end != RequestOutcome.End.COMPLETED) {
      group.ended(false, report.endedAt());
    }
    long service = servedBy(report.endedAt()) - servedBrokenBy(report.endedAt());
    return new RequestOutcome(
        number,
        request(),
        arrival.serviceTime(),
        end,
        group == null ? report : report(report.serviceClass(), report.endedAt(), service),
        firstPlacedAt,
        firstReadyAt,
        firstStart.orElse(otherStart),
        migrations,
        Optional.ofNullable(lastHost),
        arrival.user());
  }

  /**
   * Compares the scheduler's account with the simulator's.
   *
   * @throws IllegalStateException if they differ; the message has both
   */
  public void check(InstanceReport theirs) {
    InstanceReport ours = report(theirs.serviceClass(), theirs.endedAt());
    if (!ours.equals(theirs)) {
      throw new IllegalStateException(
          "accounts of instance %s differ: the scheduler has %s, the simulator %s."
              .formatted(id(), theirs, ours));
    }
  }

  /** Returns the simulator's account up to a time. */
  public InstanceReport report(ServiceClass serviceClass, long end) {
    return report(serviceClass, end, servedBy(end));
  }

  private InstanceReport report(ServiceClass serviceClass, long end, long service) {
    return new InstanceReport(
        id(),
        serviceClass,
        admittedAt,
        end,
        service,
        waitsFor > 0 ? 0 : end - admittedAt - service,
        preemptions,
        placements,
        restartOverhead);
  }

  private long servedBrokenBy(long now) {
    return isRunning() && group != null
        ? servedBroken + group.brokenUntil(now) - brokenBefore
        : servedBroken;
  }

  private long servedBy(long now) {
    return isRunning() ? served + (now - runningSince) : served;
  }
}

package dev.berth.simulator;

import dev.berth.api.Dimension;
import dev.berth.api.InstanceReport;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Slowdown;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One live request as the simulator sees it: the work it has left and how fast it does it, what
 * happens to it next, and the simulator's own account of its life, against which the scheduler's is
 * checked.
 *
 * <p>It works while it is in service, slowed down as the {@link ExecutionModel} says, and keeps
 * what it has done when it is preempted, migrated or loses its host.
 */
final class Execution {

  private static final long NOT_RUNNING = -1;

  private final Arrival arrival;
  private final long number;
  private Set<String> readyOn = Set.of(); // ids of hosts; only asked whether it is in
  private @Nullable String host;
  private EventQueue.@Nullable Event next;
  private long workAtArrival; // done when it came to its host
  private long work; // done by workSince, when its slow-down last changed or its service began
  private long workSince;
  private Slowdown slowdown = Slowdown.NONE;

  // The account
  private long runningSince = NOT_RUNNING;
  private boolean onDisk;
  private long placedAt;
  private long served;
  private long restartOverhead;
  private int placements;
  private int preemptions;
  private int migrations;
  private boolean placedAfterPreemption;
  private boolean lastStopWasPreemption;
  private OptionalLong firstPlacedAt = OptionalLong.empty();
  private OptionalLong firstReadyAt = OptionalLong.empty();

  Execution(Arrival arrival, long number) {
    this.arrival = arrival;
    this.number = number;
  }

  String id() {
    return arrival.request().id();
  }

  Request request() {
    return arrival.request();
  }

  ActualBehaviour behaviour() {
    return arrival.behaviour();
  }

  long admittedAt() {
    return arrival.at();
  }

  /** Returns how often it was placed. */
  int placements() {
    return placements;
  }

  /** Returns whether it became ready on that host before. */
  boolean wasReadyOn(String hostId) {
    return readyOn.contains(hostId);
  }

  boolean isRunning() {
    return runningSince != NOT_RUNNING;
  }

  /** Returns the id of its host. */
  String host() {
    if (host == null) {
      throw new IllegalStateException("instance %s is on no host.".formatted(id()));
    }
    return host;
  }

  // ---- Work

  /** Returns what memory it needs at the point of its work that it has come to. */
  long memoryNeed(long now) {
    return behaviour()
        .memory()
        .map(profile -> profile.needAt(workAt(now)))
        .orElse(request().demand().amount(Dimension.MEMORY));
  }

  /** Returns what work it has done; looking changes nothing, not even by rounding. */
  private long workAt(long now) {
    return isRunning() ? work + slowdown.workIn(now - workSince) : work;
  }

  private void settle(long now) {
    work = workAt(now);
    workSince = now;
  }

  /** Works on with a slow-down. Returns whether that is another than before. */
  boolean workOn(Slowdown slower, long now) {
    if (slower.equals(slowdown)) {
      return false;
    }
    settle(now);
    slowdown = slower;
    return true;
  }

  /**
   * Returns the nanoseconds until it is done or comes to a point of its work where it needs another
   * amount of memory.
   */
  long untilNext(long now) {
    return slowdown.timeFor(nextPoint(now) - work) - (now - workSince);
  }

  /** Returns whether the next thing that happens to its work is that it is done. */
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

  /** Returns what work it has done where it is. */
  long workHere(long now) {
    return workAt(now) - workAtArrival;
  }

  /** Returns whether it is on a host. */
  boolean isOnHost() {
    return host != null;
  }

  /** Notes what happens to it next, unless it is stopped before. */
  void expect(EventQueue.Event event) {
    this.next = event;
  }

  /** Returns when that is. */
  long expectedAt() {
    return next == null ? EventQueue.NEVER : next.at();
  }

  /** Returns what was to happen next, which is void now; or null. */
  EventQueue.@Nullable Event expectNothing() {
    EventQueue.Event voided = next;
    next = null;
    return voided;
  }

  // ---- Life

  void placed(String on, long now) {
    host = on;
    workAtArrival = work;
    placedAt = now;
    placements++;
    placedAfterPreemption = lastStopWasPreemption;
    lastStopWasPreemption = false;
    if (firstPlacedAt.isEmpty()) {
      firstPlacedAt = OptionalLong.of(now);
    }
  }

  void ready(long now) {
    readyOn(host());
    runningSince = now;
    workSince = now;
    if (placedAfterPreemption) {
      restartOverhead += now - placedAt;
      placedAfterPreemption = false;
    }
    if (firstReadyAt.isEmpty()) {
      firstReadyAt = OptionalLong.of(now);
    }
  }

  /** Most are ready on one host in their life, and take no set of their own for that. */
  private void readyOn(String hostId) {
    if (readyOn.isEmpty()) {
      readyOn = Set.of(hostId);
    } else if (!readyOn.contains(hostId)) {
      readyOn = readyOn.size() == 1 ? new HashSet<>(readyOn) : readyOn;
      readyOn.add(hostId);
    }
  }

  /** Leaves its host. */
  void stopped(long now, boolean byPreemption) {
    endService(now);
    host = null;
    onDisk = false;
    lastStopWasPreemption = byPreemption;
    preemptions += byPreemption ? 1 : 0;
  }

  /** Stands still where it is, perhaps on disk. */
  void halted(long now, boolean suspended) {
    endService(now);
    onDisk |= suspended;
  }

  private void endService(long now) {
    settle(now);
    served = servedBy(now);
    runningSince = NOT_RUNNING;
  }

  /** Is about to go on where it is. Returns whether it must be read from disk for that. */
  boolean resumed() {
    boolean suspended = onDisk;
    onDisk = false;
    return suspended;
  }

  /** Goes to another host. */
  void migrated(String to, long now) {
    endService(now);
    host = to;
    workAtArrival = work;
    onDisk = false;
    migrations++;
  }

  /** Returns what it has in memory of a grant, in bytes: what is copied when it moves. */
  long memoryUsed(Resources granted, long now) {
    long memory = granted.amount(Dimension.MEMORY);
    return behaviour().memory().isPresent() ? Math.min(memory, memoryNeed(now)) : memory;
  }

  // ---- Account

  RequestOutcome outcome(RequestOutcome.End end, InstanceReport sli) {
    return new RequestOutcome(
        number,
        request(),
        arrival.serviceTime(),
        end,
        sli,
        firstPlacedAt,
        firstReadyAt,
        migrations);
  }

  /**
   * Compares the scheduler's account with the simulator's own.
   *
   * @throws IllegalStateException with both, if they differ
   */
  void check(InstanceReport theirs) {
    long end = theirs.endedAt();
    long service = servedBy(end);
    InstanceReport ours =
        new InstanceReport(
            id(),
            theirs.serviceClass(),
            arrival.at(),
            end,
            service,
            end - arrival.at() - service,
            preemptions,
            placements,
            restartOverhead);
    if (!ours.equals(theirs)) {
      throw new IllegalStateException(
          "accounts of instance %s differ: the scheduler has %s, the simulator %s."
              .formatted(id(), theirs, ours));
    }
  }

  private long servedBy(long now) {
    return isRunning() ? served + (now - runningSince) : served;
  }
}

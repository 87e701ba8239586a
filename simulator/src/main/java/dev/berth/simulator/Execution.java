package dev.berth.simulator;

import dev.berth.core.Sli;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One live request as the simulator sees it: the work it has left, what happens to it next, and the
 * simulator's own account of its life, against which the scheduler's is checked.
 *
 * <p>Dedicated execution: an instance works at rate 1 while it is in service, and keeps what it has
 * done when it is preempted or loses its host.
 */
final class Execution {

  private static final long NOT_RUNNING = -1;

  private final Arrival arrival;
  private final Set<String> readyOn = new HashSet<>(); // ids of hosts; only asked whether it is in
  private @Nullable String host;
  private EventQueue.@Nullable Event next;
  private long runningSince = NOT_RUNNING;
  private long placedAt;
  private long served;
  private long restartOverhead;
  private int placements;
  private int preemptions;
  private boolean placedAfterPreemption;
  private boolean lastStopWasPreemption;

  Execution(Arrival arrival) {
    this.arrival = arrival;
  }

  String id() {
    return arrival.request().id();
  }

  /** Returns how often it was placed. */
  int placements() {
    return placements;
  }

  /** Returns whether it was ever ready. */
  boolean ran() {
    return !readyOn.isEmpty();
  }

  /** Returns whether it became ready on that host before. */
  boolean wasReadyOn(String hostId) {
    return readyOn.contains(hostId);
  }

  /** Returns the nanoseconds of service it needs at rate 1 from when it last stopped. */
  long remaining() {
    return arrival.serviceTime() - served;
  }

  /** Notes what happens to it next, unless it is stopped before. */
  void expect(EventQueue.Event event) {
    this.next = event;
  }

  void placed(String hostId, long now) {
    host = hostId;
    placedAt = now;
    placements++;
    placedAfterPreemption = lastStopWasPreemption;
    lastStopWasPreemption = false;
  }

  void ready(long now) {
    if (host == null) {
      throw new IllegalStateException("instance %s is ready on no host.".formatted(id()));
    }
    readyOn.add(host);
    runningSince = now;
    if (placedAfterPreemption) {
      restartOverhead += now - placedAt;
    }
  }

  /** Leaves its host. Returns what was to happen next, which is void now. */
  EventQueue.Event stopped(long now, boolean byPreemption) {
    EventQueue.Event voided = next;
    if (voided == null) {
      throw new IllegalStateException("instance %s stops, but is on no host.".formatted(id()));
    }
    served = servedBy(now);
    runningSince = NOT_RUNNING;
    host = null;
    next = null;
    lastStopWasPreemption = byPreemption;
    preemptions += byPreemption ? 1 : 0;
    return voided;
  }

  /**
   * Compares the scheduler's account with the simulator's own.
   *
   * @throws IllegalStateException with both, if they differ
   */
  void check(Sli theirs) {
    long end = theirs.endedAt();
    long service = servedBy(end);
    Sli ours =
        new Sli(
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
    return runningSince == NOT_RUNNING ? served : served + (now - runningSince);
  }
}

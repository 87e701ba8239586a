package dev.berth.core.internal.pipeline;

import dev.berth.api.Dimension;
import dev.berth.api.Reason;
import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.Molding;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.PlacementRules;
import dev.berth.core.internal.pass.Pass;
import dev.berth.core.internal.rule.Limits;
import dev.berth.core.internal.rule.PeerRules;
import dev.berth.core.internal.search.Backfilling;
import dev.berth.core.internal.search.Feasibility;
import dev.berth.core.internal.search.Reservations;
import dev.berth.core.internal.search.RoomBound;
import dev.berth.core.internal.search.RunTimes;
import dev.berth.core.internal.state.ClusterState;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides on the pending instances one after the other in queue order, as backfilling, molding and
 * filters require.
 *
 * <p>It skips instances that certainly find no room: those that need more than is free on any host,
 * or more than the reservation of the head leaves. With preemption it skips none, since preemption
 * makes room.
 */
final class InOrder implements PendingQueue {

  private final ClusterState state;
  private final Feasibility feasibility;
  private final GroupStarts groups;
  private final Backfilling backfilling;
  private final Comparator<InstanceRecord> order;
  private final WaitingQueue queue;
  private final @Nullable LatestStarts latestStarts; // null: late requests are served too
  private final Backfill backfill;
  private final Molding molding;
  private final Set<Dimension> oversubscribed;
  private final boolean grantsItsOwnAmounts; // whether grants may differ from demands
  private final boolean reservationsLast; // whether they hold until something upsets them

  private long decidedPass;
  private @Nullable InstanceRecord head; // first without room in that pass; others wait for it

  // All up to this one have the reservations that the next pass would make; null: none has.
  private @Nullable InstanceRecord lastReserved;

  InOrder(
      ClusterState state,
      Feasibility feasibility,
      Backfilling backfilling,
      Comparator<InstanceRecord> order,
      Pipeline.Builder parts) {
    this.state = state;
    this.feasibility = feasibility;
    this.groups = new GroupStarts(feasibility, order, null);
    this.backfilling = backfilling;
    this.order = order;
    this.queue = new WaitingQueue(order);
    this.latestStarts = parts.admission == Admission.IN_TIME ? new LatestStarts() : null;
    this.backfill = parts.backfill;
    this.molding = parts.molding;
    this.oversubscribed = parts.oversubscribed;
    this.grantsItsOwnAmounts = parts.grants != null;
    this.reservationsLast =
        backfill == Backfill.CONSERVATIVE
            && !grantsItsOwnAmounts
            && parts.filters.isEmpty()
            && !molding.molds();
  }

  @Override
  public void add(InstanceRecord instance) {
    int cpu = state.table().numberOf(Dimension.CPU);
    if (instance.group != null) { // no bound skips it, since others of its group may fit
      long[] nothing = new long[instance.demand.length];
      Arrays.fill(nothing, Long.MIN_VALUE);
      enqueue(instance, nothing, 0);
      return;
    }
    long runTime = RunTimes.remaining(instance, instance.demand, cpu, state.now());
    enqueue(instance, leastNeed(instance, cpu), runTime);
  }

  private void enqueue(InstanceRecord instance, long[] leastNeed, long runTime) {
    queue.add(instance, leastNeed, runTime);
    if (lastReserved != null && order.compare(instance, lastReserved) <= 0) {
      lastReserved = null;
    }
    if (latestStarts != null) {
      latestStarts.add(instance);
    }
  }

  /** Returns the least amounts that an instance can be granted, by dimension. */
  private long[] leastNeed(InstanceRecord instance, int cpu) {
    // Molding varies it too, but what may be molded is tried in any case
    boolean cpuVaries = grantsItsOwnAmounts && instance.request.moldability().isPresent();
    if (!cpuVaries && oversubscribed.isEmpty()) {
      return instance.demand;
    }
    long[] least = instance.demand.clone();
    for (int d = 0; d < least.length; d++) {
      if ((cpuVaries && d == cpu) || oversubscribed.contains(state.table().dimension(d))) {
        least[d] = Long.MIN_VALUE;
      }
    }
    return least;
  }

  @Override
  public void remove(InstanceRecord instance) {
    queue.remove(instance);
    backfilling.leavesQueue(instance);
    if (latestStarts != null) {
      latestStarts.remove(instance);
    }
  }

  @Override
  public long decidedPass() {
    return decidedPass;
  }

  @Override
  public @Nullable InstanceRecord head() {
    return head;
  }

  @Override
  public void restore(long pass, @Nullable InstanceRecord first) {
    decidedPass = pass;
    head = first;
  }

  @Override
  public Reason.@Nullable QueuedBehind waitsFor(InstanceRecord instance, boolean hasRoom) {
    InstanceRecord first = head;
    return first != null
            && WaitingQueue.entry(instance) != null
            && instance.queuedAfterPass() < decidedPass
            && order.compare(first, instance) < 0
            && (hasRoom || backfill == Backfill.NONE)
        ? new Reason.QueuedBehind(first.id())
        : null;
  }

  // ---- A pass

  @Override
  public void decide(Pass pass) {
    head = null;
    groups.begin();
    if (latestStarts != null) {
      latestStarts.rejectLate(pass, state.now(), order);
    }
    if (backfill == Backfill.AGGRESSIVE && !molding.molds()) {
      backfill(pass, null, null);
    } else if (backfill == Backfill.CONSERVATIVE) {
      decideConservatively(pass);
    } else {
      decideBehindHead(pass);
    }
    decidedPass = pass.number();
    if (head != null) {
      pass.actions().waitFor(head);
    }
  }

  /** Places instances up to the first without room, then those that may overtake it. */
  private void decideBehindHead(Pass pass) {
    InstanceRecord first = placeUpToHead(pass);
    if (first == null
        || backfill == Backfill.NONE
        || (backfill == Backfill.EASY && GroupStarts.waits(first, pass))) {
      head = first;
      return;
    }
    Reservations reservations = null;
    if (backfill == Backfill.EASY) {
      head = first;
      reservations = backfilling.reservations();
      feasibility.reserve(first, molding, reservations);
    }
    backfill(pass, first, reservations);
  }

  /** Places instances in queue order; returns the first that must wait, or null. */
  private @Nullable InstanceRecord placeUpToHead(Pass pass) {
    for (InstanceRecord next = queue.next(null);
        next != null && !pass.actions().isFull();
        next = queue.next(next)) {
      pass.requireRunning();
      if (next.actedInPass() != pass.number()
          && !isHopeless(next)
          && !tryToPlace(pass, next, null, true)
          && couldEverFit(next)) {
        return next;
      }
    }
    return null;
  }

  /** Places the instances after another that may have room beside reservations. */
  private void backfill(
      Pass pass, @Nullable InstanceRecord after, @Nullable Reservations reservations) {
    for (InstanceRecord next = queue.next(after, bound(reservations));
        next != null && !pass.actions().isFull();
        next = queue.next(next, bound(reservations))) {
      pass.requireRunning();
      if (next.actedInPass() != pass.number()) {
        tryToPlace(pass, next, reservations, false);
      }
    }
  }

  /**
   * Places instances or reserves for them, in queue order. On a single host it stops as soon as no
   * further instance may start now, and the next pass resumes the reservations. On several hosts
   * each instance needs its reservation, since it keeps the reserved host.
   */
  private void decideConservatively(Pass pass) {
    InstanceRecord last = lastReserved;
    lastReserved = null; // unless this pass comes to its end
    Reservations reservations = last == null ? null : backfilling.resumed();
    if (reservations != null && placeDue(pass, reservations)) {
      InstanceRecord candidate = queue.next(last, bound(reservations));
      head = firstWithHope();
      last = reserveInOrder(pass, queue.next(last), candidate, last, reservations);
      head = firstWithHope();
    } else {
      head = placeUpToHead(pass);
      reservations = backfilling.reservations();
      InstanceRecord candidate = head == null ? null : queue.next(head, bound(null));
      last = reserveInOrder(pass, head, candidate, null, reservations);
    }
    if (reservationsLast && state.hostCount() == 1) {
      lastReserved = last;
    }
  }

  /**
   * Places or reserves for an instance and those after it; returns the last of them.
   *
   * @param first null: there is none
   * @param firstCandidate the first of them that may start now; null: none may
   * @param before the last that has a reservation already; null: none has
   * @return null also if a group waits, for which nothing is reserved and which nothing overtakes
   */
  private @Nullable InstanceRecord reserveInOrder(
      Pass pass,
      @Nullable InstanceRecord first,
      @Nullable InstanceRecord firstCandidate,
      @Nullable InstanceRecord before,
      Reservations reservations) {
    boolean needsAll = state.hostCount() > 1;
    InstanceRecord next = first;
    InstanceRecord candidate = firstCandidate;
    InstanceRecord last = before;
    while (next != null && (needsAll || candidate != null) && !pass.actions().isFull()) {
      pass.requireRunning();
      if (GroupStarts.waits(next, pass)) {
        return null;
      }
      if (next.actedInPass() != pass.number() && !isHopeless(next)) {
        boolean placed = next == candidate && tryToPlace(pass, next, reservations, false);
        if (!placed) {
          reserve(pass, next, reservations);
        }
      }
      if (candidate != null && (next == candidate || !mayStart(candidate, reservations))) {
        candidate = queue.next(candidate, bound(reservations));
      }
      last = next;
      next = queue.next(next);
    }
    return last;
  }

  /** Returns the first instance that may ever have room, or null. */
  private @Nullable InstanceRecord firstWithHope() {
    InstanceRecord first = queue.next(null);
    while (first != null && (isHopeless(first) || !couldEverFit(first))) {
      first = queue.next(first);
    }
    return first;
  }

  /** Places the instances whose reservations begin now; returns whether all had room. */
  private boolean placeDue(Pass pass, Reservations reservations) {
    List<InstanceRecord> due = backfilling.withdrawDue();
    due.sort(order);
    for (InstanceRecord each : due) {
      if (pass.actions().isFull() || !tryToPlace(pass, each, reservations, false)) {
        return false;
      }
    }
    return true;
  }

  private boolean mayStart(InstanceRecord instance, Reservations reservations) {
    WaitingQueue.Node entry = WaitingQueue.entry(instance);
    return entry != null && entry.mayFit(bound(reservations));
  }

  private void reserve(Pass pass, InstanceRecord instance, Reservations reservations) {
    HostRecord where = feasibility.reserve(instance, molding, reservations);
    pass.actions().promise(instance, where);
    if (where == null) {
      couldEverFit(instance);
    }
  }

  private RoomBound bound(@Nullable Reservations reservations) {
    return feasibility.preempts() ? RoomBound.NONE : backfilling.bound(reservations);
  }

  /** Returns whether an instance fits on no host, as found before. */
  private boolean isHopeless(InstanceRecord instance) {
    WaitingQueue.Node entry = WaitingQueue.entry(instance);
    return entry != null && entry.hopelessAt == backfilling.hostSets();
  }

  /** Returns whether an instance fits on some host if it is empty; notes if it does not. */
  private boolean couldEverFit(InstanceRecord instance) {
    boolean could = feasibility.couldEverFit(instance, molding);
    WaitingQueue.Node entry = WaitingQueue.entry(instance);
    if (!could
        && entry != null
        && !grantsItsOwnAmounts
        && instance.bag == null
        && instance.limits() == null // these may change, and no host with them
        && instance.group == null) { // each pass says how many of its members find a host
      entry.hopelessAt = backfilling.hostSets();
    }
    return could;
  }

  /**
   * Places an instance if it can, with its group if that starts; returns whether it is placed. A
   * group does not start beside reservations, but in its turn.
   *
   * @param molds whether the instance may be molded
   */
  private boolean tryToPlace(
      Pass pass, InstanceRecord instance, @Nullable Reservations reservations, boolean molds) {
    if (!GroupStarts.startsAsWhole(instance, pass)) {
      return tryToPlaceAlone(pass, instance, reservations, molds);
    }
    if (reservations == null) {
      groups.start(
          pass,
          instance,
          each -> tryToPlaceAlone(pass, each, null, molds),
          !(molds && molding.molds()));
    }
    return instance.place() != null;
  }

  /** Returns whether rules or limits may refuse the head a host because of an instance. */
  private static boolean mayHinder(InstanceRecord instance, InstanceRecord head) {
    return !PlacementRules.mayShare(instance, head)
        || PeerRules.mayHinder(instance, head)
        || Limits.mayHinder(instance, head);
  }

  /**
   * Places an instance if a host has room for it; returns whether it did.
   *
   * @param molds whether the instance may be molded
   */
  private boolean tryToPlaceAlone(
      Pass pass, InstanceRecord instance, @Nullable Reservations reservations, boolean molds) {
    if (reservations != null && head != null && head != instance && mayHinder(instance, head)) {
      return false;
    }
    boolean found = feasibility.choose(instance, reservations);
    boolean blocked = !found && feasibility.blockedByReservation();
    Reason filtered = feasibility.filtered();
    if (!found && molds && molding.molds()) {
      found = feasibility.chooseMolded(instance, molding);
    }
    if (!found) {
      if (!blocked && filtered != null) {
        pass.actions().defer(instance, filtered);
      }
      return false;
    }
    pass.actions().promise(instance, null);
    if (reservations != null) {
      HostRecord host = feasibility.chosenHost();
      reservations.starts(host, instance, feasibility.chosenGrant());
    }
    Placement.carryOut(pass, instance, feasibility);
    return true;
  }
}

package dev.berth.core.internal.pipeline;

import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.pass.Pass;
import dev.berth.core.internal.search.EquivalenceClass;
import dev.berth.core.internal.search.Feasibility;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides on the pending instances by {@link EquivalenceClass}: in queue order, but it skips
 * instances that cannot find a host because an earlier one of their class found none. A preemption
 * ends the skipping, since nothing else in a pass frees room.
 *
 * <p>Requires that each instance is decided independently of those before it.
 */
final class ByClass implements PendingQueue {

  private final Feasibility feasibility;
  private final GroupStarts groups;
  private final @Nullable Predicate<Instance> served; // null for all
  private final Comparator<InstanceRecord> order;
  private final EquivalenceClassQueue waiting;
  private final PriorityQueue<EquivalenceClass> turns; // by the next request of each class
  private final List<EquivalenceClass> parked = new ArrayList<>(); // classes that find no host

  ByClass(
      Feasibility feasibility,
      Comparator<InstanceRecord> order,
      @Nullable Predicate<Instance> served) {
    this.feasibility = feasibility;
    this.groups = new GroupStarts(feasibility, order, served);
    this.served = served;
    this.order = order;
    this.waiting = new EquivalenceClassQueue(order);
    this.turns = new PriorityQueue<>((a, b) -> order.compare(a.turn(), b.turn()));
  }

  @Override
  public void add(InstanceRecord instance) {
    waiting.add(instance);
  }

  @Override
  public void remove(InstanceRecord instance) {
    waiting.remove(instance);
  }

  @Override
  public Reason.@Nullable QueuedBehind waitsFor(InstanceRecord instance, boolean hasRoom) {
    return null;
  }

  @Override
  public void decide(Pass pass) {
    turns.clear();
    parked.clear();
    groups.begin();
    for (EquivalenceClass equivalenceClass : waiting.waiting()) {
      equivalenceClass.begin();
      if (equivalenceClass.inOrderOfValue()
          && !GroupStarts.startsAsWhole(equivalenceClass.turn(), pass)
          && feasibility.isKnownToFail(equivalenceClass.turn())) {
        parked.add(equivalenceClass);
      } else {
        turns.add(equivalenceClass);
      }
    }
    EquivalenceClass latest = null; // if it may have the next turn, too
    for (EquivalenceClass equivalenceClass = turns.poll();
        equivalenceClass != null && !pass.actions().isFull();
        equivalenceClass = nextTurn(latest)) {
      latest = null;
      pass.requireRunning();
      InstanceRecord instance = equivalenceClass.turn();
      equivalenceClass.goOn(instance);
      boolean fails = false;
      if (instance.actedInPass() != pass.number() && (served == null || served.test(instance))) {
        if (GroupStarts.startsAsWhole(instance, pass)) {
          start(pass, instance); // this is the turn of all its members
          continue;
        }
        if (feasibility.choose(instance, null)) {
          boolean preempts = feasibility.chosenVictimCount() > 0;
          Placement.carryOut(pass, instance, feasibility);
          if (preempts) {
            unpark(instance);
          }
        } else {
          fails = equivalenceClass.inOrderOfValue() && feasibility.failedForClass();
        }
      }
      if (fails) {
        parked.add(equivalenceClass);
      } else if (equivalenceClass.hasTurn()) {
        latest = equivalenceClass;
      }
    }
  }

  /**
   * Returns the class whose next request is the first in queue order, or null if none is left.
   *
   * @param latest a class with a next request that is not among the others; null if there is none
   */
  private @Nullable EquivalenceClass nextTurn(@Nullable EquivalenceClass latest) {
    if (latest == null) {
      return turns.poll();
    }
    EquivalenceClass first = turns.peek();
    if (first == null || order.compare(latest.turn(), first.turn()) < 0) {
      return latest; // often: the requests of a job are submitted one after the other
    }
    turns.poll();
    turns.add(latest);
    return first;
  }

  private void start(Pass pass, InstanceRecord first) {
    int mark = pass.mark();
    groups.start(pass, first, each -> place(pass, each), true);
    if (pass.hasPreempted(mark)) {
      unpark(first);
    }
  }

  private boolean place(Pass pass, InstanceRecord instance) {
    boolean found = feasibility.choose(instance, null);
    if (found) {
      Placement.carryOut(pass, instance, feasibility);
    }
    return found;
  }

  /** Resumes the parked classes with their instances that follow a placed one in queue order. */
  private void unpark(InstanceRecord placed) {
    for (EquivalenceClass equivalenceClass : parked) {
      if (equivalenceClass.goOn(placed)) {
        turns.add(equivalenceClass);
      }
    }
    parked.clear();
  }
}

package dev.berth.core.internal.pipeline;

import dev.berth.core.internal.search.EquivalenceClass;
import dev.berth.core.internal.state.InstanceRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Pending instances by {@link EquivalenceClass}, each kind in queue order. */
final class EquivalenceClassQueue {

  private static final int IDLE = 256;

  private final Comparator<InstanceRecord> order;
  private final Map<EquivalenceClass.Key, EquivalenceClass> kinds =
      new HashMap<>(); // order means nothing
  private final List<EquivalenceClass> waiting = new ArrayList<>(); // with somebody; so does that

  EquivalenceClassQueue(Comparator<InstanceRecord> order) {
    this.order = order;
  }

  /** Returns the kinds of which somebody is pending, in no order that means anything. */
  List<EquivalenceClass> waiting() {
    return waiting;
  }

  void add(InstanceRecord instance) {
    EquivalenceClass kind = kindOf(instance);
    InstanceRecord before = kind.waiting.isEmpty() ? null : kind.waiting.last();
    InstanceRecord after = null;
    if (before != null && order.compare(instance, before) < 0) { // rarely
      before = kind.waiting.lower(instance);
      after = kind.waiting.higher(instance);
    }
    if ((before != null
            && InstanceRecord.compareVictimKeys(before.victimKey, instance.victimKey) > 0)
        || (after != null
            && InstanceRecord.compareVictimKeys(after.victimKey, instance.victimKey) < 0)) {
      kind.inOrderOfValue = false;
    }
    kind.waiting.add(instance);
    if (kind.place < 0) {
      kind.place = waiting.size();
      waiting.add(kind);
    }
  }

  void remove(InstanceRecord instance) {
    EquivalenceClass kind = kindOf(instance);
    if (!kind.waiting.remove(instance)) {
      throw new IllegalStateException(instance + " is not in its place in the queue");
    }
    if (kind.waiting.isEmpty()) {
      kind.inOrderOfValue = true;
      EquivalenceClass last = waiting.remove(waiting.size() - 1);
      if (last != kind) {
        waiting.set(kind.place, last);
        last.place = kind.place;
      }
      kind.place = -1;
    }
  }

  /**
   * Who is of a bag may be bound to a cluster with it at any time: such one is a kind of its own.
   */
  private EquivalenceClass kindOf(InstanceRecord instance) {
    EquivalenceClass kind = (EquivalenceClass) instance.queueEntry;
    if (kind == null) {
      kind =
          instance.bag != null
              ? new EquivalenceClass(new TreeSet<>(order))
              : kinds.computeIfAbsent(
                  EquivalenceClass.Key.of(instance),
                  key -> new EquivalenceClass(new TreeSet<>(order)));
      instance.queueEntry = kind;
      if (kinds.size() > 2 * waiting.size() + IDLE) {
        EquivalenceClass present = kind;
        kinds.values().removeIf(each -> each.place < 0 && each != present);
      }
    }
    return kind;
  }
}

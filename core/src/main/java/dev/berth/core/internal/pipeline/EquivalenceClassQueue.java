package dev.berth.core.internal.pipeline;

import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.group.GroupRecord;
import dev.berth.core.internal.search.EquivalenceClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The pending instances by {@link EquivalenceClass}, in queue order within each class. */
final class EquivalenceClassQueue {

  private static final int IDLE = 256;

  private final Comparator<InstanceRecord> order;
  private final Map<EquivalenceClass.Key, EquivalenceClass> classes = new HashMap<>(); // unordered
  private final List<EquivalenceClass> waiting = new ArrayList<>(); // with pending instances

  EquivalenceClassQueue(Comparator<InstanceRecord> order) {
    this.order = order;
  }

  /** Returns the classes with pending instances, in no particular order. */
  List<EquivalenceClass> waiting() {
    return waiting;
  }

  void add(InstanceRecord instance) {
    EquivalenceClass equivalenceClass = classOf(instance);
    equivalenceClass.add(instance);
    if (equivalenceClass.place() < 0) {
      equivalenceClass.place(waiting.size());
      waiting.add(equivalenceClass);
    }
  }

  void remove(InstanceRecord instance) {
    EquivalenceClass equivalenceClass = classOf(instance);
    equivalenceClass.remove(instance);
    if (equivalenceClass.size() == 0) {
      EquivalenceClass last = waiting.remove(waiting.size() - 1);
      if (last != equivalenceClass) {
        waiting.set(equivalenceClass.place(), last);
        last.place(equivalenceClass.place());
      }
      equivalenceClass.place(-1);
    }
  }

  /**
   * Returns the class of an instance. A member of a bag is a class of its own, since the policy may
   * assign its bag to a cluster at any time. The members of a group share classes only with each
   * other, since they may have to start together.
   */
  private EquivalenceClass classOf(InstanceRecord instance) {
    EquivalenceClass equivalenceClass = (EquivalenceClass) instance.queueEntry();
    if (equivalenceClass == null || equivalenceClass.tier() != instance.queueTier()) {
      GroupRecord group = GroupRecord.of(instance);
      equivalenceClass =
          instance.bag != null
              ? new EquivalenceClass(instance.queueTier(), order)
              : group != null
                  ? classOf(instance, group)
                  : classes.computeIfAbsent(
                      EquivalenceClass.Key.of(instance),
                      key -> new EquivalenceClass(key.tier(), order));
      instance.queuedAt(equivalenceClass);
      if (classes.size() > 2 * waiting.size() + IDLE) {
        EquivalenceClass present = equivalenceClass;
        classes.values().removeIf(each -> each.place() < 0 && each != present);
      }
    }
    return equivalenceClass;
  }

  private EquivalenceClass classOf(InstanceRecord member, GroupRecord group) {
    return (EquivalenceClass)
        group.queueEntries.computeIfAbsent(
            EquivalenceClass.Key.of(member),
            key -> new EquivalenceClass(member.queueTier(), order));
  }
}

package dev.berth.policies.elastic;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Instance;
import dev.berth.api.PoolSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.Bag;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The number of tasks that a host runs at one time. */
final class Slots {

  private Slots() {}

  /** Returns how many instances of a demand an empty host of a pool takes; 0 if it takes none. */
  static int perHost(Resources demand, PoolSpec pool) {
    long slots = Integer.MAX_VALUE;
    for (Dimension each : demand.dimensions()) {
      long amount = demand.amount(each);
      if (amount > 0) {
        slots = Math.min(slots, pool.capacity().amount(each) / amount);
      }
    }
    return (int) slots;
  }

  /**
   * Returns the mean number of tasks of a bag that a host takes, over its remaining tasks; from 1
   * to the size of the bag.
   */
  static int perHost(Bag bag, PoolSpec pool) {
    List<Instance> left = bag.instances();
    double hosts = 0;
    @Nullable Request like = null;
    int slots = 1;
    for (Instance each : left) {
      Request task = each.request();
      if (like == null || !takesAsMuch(task, like)) {
        slots = ofBag(task, bag, pool);
        like = task;
      }
      hosts += 1.0 / slots;
    }
    return left.isEmpty() ? 1 : (int) Math.min(bag.size(), Math.round(left.size() / hosts));
  }

  /** Returns how many tasks of a bag a host takes at least, likewise. */
  static int leastPerHost(Bag bag, PoolSpec pool) {
    int least = bag.size();
    @Nullable Request like = null;
    for (Instance each : bag.instances()) {
      Request task = each.request();
      if (like == null || !takesAsMuch(task, like)) {
        least = Math.min(least, ofBag(task, bag, pool));
        like = task;
      }
    }
    return least;
  }

  /** Returns how many tasks like this one a host takes; one if the task refuses to share it. */
  private static int ofBag(Request task, Bag bag, PoolSpec pool) {
    return task.antiAffinity()
        ? 1
        : Math.max(1, Math.min(bag.size(), perHost(task.demand(), pool)));
  }

  private static boolean takesAsMuch(Request one, Request other) {
    return one.antiAffinity() == other.antiAffinity() && one.demand().equals(other.demand());
  }

  /** Returns whether an empty host of a pool could take an instance. */
  static boolean takes(Instance instance, PoolSpec pool) {
    if (perHost(instance.request().demand(), pool) == 0) {
      return false;
    }
    for (Constraint each : instance.request().constraints()) {
      if (!each.holdsWith(pool.attributes())) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether an empty host of a pool could take any one of some instances. */
  static boolean takesAll(List<Instance> instances, PoolSpec pool) {
    @Nullable Instance like = null;
    for (Instance each : instances) {
      if (like == null || !asksForTheSame(each.request(), like.request())) {
        if (!takes(each, pool)) {
          return false;
        }
        like = each;
      }
    }
    return true;
  }

  private static boolean asksForTheSame(Request one, Request other) {
    return one.demand().equals(other.demand()) && one.constraints().equals(other.constraints());
  }
}

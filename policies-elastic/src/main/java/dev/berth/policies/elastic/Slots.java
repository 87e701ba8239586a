package dev.berth.policies.elastic;

import dev.berth.api.Bag;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Instance;
import dev.berth.api.PoolSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How many tasks a host takes at one time. */
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
   * Returns how many tasks of a bag a host takes, going by the first that is left of it; 1 or more.
   */
  static int perHost(Bag bag, PoolSpec pool) {
    return bag.instances().stream()
        .findFirst()
        .map(each -> Math.max(1, perHost(each.request().demand(), pool)))
        .orElse(1);
  }

  /** Returns whether a host of a pool could take an instance if nobody were there. */
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

  /** Returns whether a host of a pool could take each of some instances if nobody were there. */
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

package dev.berth.testkit.asserting;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * The keys that an order gave the engine, by instance and stay. A stay is the time that an instance
 * spends in a state.
 *
 * <p>An instance has several stays while a pass is under way: what a fork has changed may be
 * undone, and then the engine goes back to the key of before without asking.
 */
final class Keys {

  private final MisuseDetector detector;
  private final String part;
  private final ToLongFunction<Instance> order;
  private final Map<Instance, List<Stay>> given = new LinkedHashMap<>();

  /**
   * Checks the keys of an order.
   *
   * @param part the method: {@code "QueueOrder.key"}
   */
  Keys(MisuseDetector detector, String part, ToLongFunction<Instance> order) {
    this.detector = detector;
    this.part = part;
    this.order = order;
    detector.detector(this);
  }

  private record Stay(InstanceState state, long since, long key) {

    boolean isNow(Instance instance) {
      return instance.state() == state && instance.stateSince() == since;
    }
  }

  /** Returns the key of an instance that has come into a state, and remembers it. */
  long give(Instance instance) {
    long key = detector.ask(part, instance::id, call -> order.applyAsLong(call.instance(instance)));
    List<Stay> stays = given.computeIfAbsent(instance, each -> new ArrayList<>());
    stays.removeIf(each -> each.isNow(instance)); // it came there twice in one instant
    stays.add(new Stay(instance.state(), instance.stateSince(), key));
    return key;
  }

  /** Asks again for the keys of all instances that have not left their state. */
  void check() {
    given.forEach(
        (instance, stays) ->
            stays.stream()
                .filter(each -> each.isNow(instance))
                .forEach(each -> check(instance, each)));
  }

  private void check(Instance instance, Stay stay) {
    long key = detector.askAgain(part, call -> order.applyAsLong(call.instance(instance)));
    if (key != stay.key) {
      throw detector.broken(
          Rule.P24.broken(
              "%s of %s, %s since %s ns, was %s and is %s now",
              part, instance.id(), stay.state, stay.since, stay.key, key));
    }
  }

  /**
   * Forgets instances that are not in the argument, and ended stays. Must not be called during a
   * pass.
   */
  void forgetAllBut(Collection<Instance> present) {
    Set<Instance> known = Collections.newSetFromMap(new IdentityHashMap<>());
    known.addAll(present);
    given.keySet().removeIf(each -> !known.contains(each));
    given.forEach((instance, stays) -> stays.removeIf(each -> !each.isNow(instance)));
  }
}

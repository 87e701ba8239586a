package dev.berth.api.pipeline;

import dev.berth.api.Experimental;
import dev.berth.api.ServiceClass;

/**
 * Divides the service classes into tiers. A {@link QueueOrder} or a {@link VictimOrder} may
 * implement it too; its tiers then take precedence over its keys.
 *
 * <ul>
 *   <li>A queue order serves all instances of a lower tier before those of a higher one.
 *   <li>A victim order considers victims of a higher tier first.
 * </ul>
 *
 * <p>An order without tiers has all classes in tier 0.
 */
@Experimental
@FunctionalInterface
public interface ClassTiers {

  /** Returns the tier of a class; constant. */
  int tier(ServiceClass serviceClass);

  /** Returns the tier that an order gives to a class: 0 unless the order has tiers. */
  static int of(Object order, ServiceClass serviceClass) {
    return order instanceof ClassTiers tiers ? tiers.tier(serviceClass) : 0;
  }
}

package dev.berth.core.internal.search;

import dev.berth.api.Dimension;
import dev.berth.api.Moldability;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.pipeline.AllocationRule;
import dev.berth.api.pipeline.Molding;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.PlacementRules;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Determines what an instance would be granted on a host: now, if it were empty, or molded. */
final class GrantFinder {

  private static final double ROUNDING = 1e-12; // relative; shares are not whole numbers

  private final HostTable table;
  private final @Nullable AllocationRule rule; // null: the demand
  private final Set<Dimension> oversubscribed;

  GrantFinder(HostTable table, @Nullable AllocationRule rule, Set<Dimension> oversubscribed) {
    this.table = table;
    this.rule = rule;
    this.oversubscribed = oversubscribed;
  }

  /** Returns what an instance would be granted on a host, or null if that is too little for it. */
  @Nullable Grant on(InstanceRecord instance, HostRecord host) {
    if (rule == null) {
      return instance.wholeDemand;
    }
    Resources resources = rule.grant(instance, host);
    return refusal(instance, resources) == null ? Grant.of(instance, resources, table) : null;
  }

  /** Returns what is wrong with the grant of an instance on a host, or null. */
  @Nullable Reason refusal(InstanceRecord instance, HostRecord host) {
    return rule == null ? null : refusal(instance, rule.grant(instance, host));
  }

  private @Nullable Reason refusal(InstanceRecord instance, Resources resources) {
    Dimension unknown = Grant.unknown(resources, table);
    return unknown != null
        ? new Reason.Unknown("dimension", unknown.name())
        : Grant.tooSmall(instance, resources, true, oversubscribed);
  }

  /**
   * Returns the whole cores that a moldable instance would take of the free ones; zero if its run
   * would take too long with them.
   */
  long moldedTo(InstanceRecord instance, long free, Molding molding) {
    int cpu = table.numberOf(Dimension.CPU);
    Optional<Moldability> how = instance.request.moldability();
    if (how.isEmpty() || !molding.molds()) {
      return 0;
    }
    long core = table.dimension(cpu).unitsPerWhole();
    long cores = free / core * core;
    double least = how.get().leastShare(molding.maxSlowdown()) * instance.demand[cpu];
    return cores < least - ROUNDING * least ? 0 : cores;
  }

  /**
   * Returns the grant of an instance on a host if the host were empty, or null if it would not fit
   * even then. An allocation rule may grant less while the host is full. The result is therefore
   * not less than the demand, or than the capacity in dimensions that may be oversubscribed.
   */
  @Nullable Grant ifEmpty(InstanceRecord instance, HostRecord host, Molding molding) {
    if (!PlacementRules.mayRunOn(instance, host)) {
      return null;
    }
    Grant whole = instance.wholeDemand;
    if (rule != null || !oversubscribed.isEmpty()) {
      whole = atLeast(on(instance, host), withinCapacity(instance, host));
    }
    long[] amounts = whole.amounts();
    for (int d = 0; d < amounts.length; d++) {
      long capacity = table.usable(host.slot(), d);
      if (amounts[d] > capacity) {
        long cores = d == table.numberOf(Dimension.CPU) ? moldedTo(instance, capacity, molding) : 0;
        if (cores == 0) {
          return null;
        }
        whole = whole.withAmount(d, cores, table);
      }
    }
    return whole;
  }

  private Grant atLeast(@Nullable Grant granted, Grant least) {
    Grant whole = granted == null ? least : granted;
    for (int d = 0; d < least.amounts().length; d++) {
      whole = whole.withAmount(d, Math.max(whole.amounts()[d], least.amounts()[d]), table);
    }
    return whole;
  }

  private Grant withinCapacity(InstanceRecord instance, HostRecord host) {
    Grant within = instance.wholeDemand;
    for (int d = 0; d < instance.demand.length; d++) {
      long capacity = table.usable(host.slot(), d);
      Dimension dimension = table.dimension(d);
      if (oversubscribed.contains(dimension)
          && instance.request.guaranteed().amount(dimension) <= capacity) {
        within = within.withAmount(d, Math.min(instance.demand[d], capacity), table);
      }
    }
    return within;
  }
}

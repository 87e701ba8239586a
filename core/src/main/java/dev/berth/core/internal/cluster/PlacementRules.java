package dev.berth.core.internal.cluster;

import dev.berth.api.Constraint;
import dev.berth.api.Reason;
import dev.berth.api.Taint;
import org.jspecify.annotations.Nullable;

/**
 * The rules that decide whether an instance may be on a host, apart from free capacity: placement
 * constraints, the cluster of its bag, taints, and anti-affinity. The only place where they are
 * decided.
 */
public final class PlacementRules {

  private PlacementRules() {}

  /**
   * Returns whether an instance may be on a host as far as that does not depend on other instances:
   * the host is open, its placement constraints hold, the host belongs to the cluster that its bag
   * is assigned to, and no taint keeps it away.
   */
  public static boolean mayRunOn(InstanceRecord instance, HostRecord host) {
    return !host.isClosed
        && (instance.constraints == null || instance.constraints.holdsOn(host.slot()))
        && isInItsCluster(instance, host)
        && (host.tainted() == null || host.tainted().repelling(instance.request) == null);
  }

  private static boolean isInItsCluster(InstanceRecord instance, HostRecord host) {
    Batch bag = instance.bag;
    return bag == null || bag.itsCluster() == null || bag.itsCluster().equals(host.cluster);
  }

  /** Returns why a taint keeps an instance from coming to a host or resuming there, or null. */
  public static @Nullable Reason tainted(InstanceRecord instance, HostRecord host) {
    Taint repelling = host.tainted() == null ? null : host.tainted().repelling(instance.request);
    return repelling == null ? null : new Reason.Tainted(repelling);
  }

  /** Returns why nothing can be done about an instance where it is, or null. */
  public static @Nullable Reason unreachable(InstanceRecord instance) {
    HostRecord host = instance.place();
    Taint taint = host == null || host.tainted() == null ? null : host.tainted().unreachable();
    return taint == null ? null : new Reason.Tainted(taint);
  }

  /** Returns whether anti-affinity allows two instances to be on one host. */
  public static boolean mayShare(InstanceRecord one, InstanceRecord other) {
    return one.job == null || one.job != other.job || !(one.antiAffinity || other.antiAffinity);
  }

  /** Returns whether anti-affinity with an instance of its job keeps an instance off a host. */
  public static boolean isKeptOff(InstanceRecord instance, HostRecord host) {
    return instance.job != null && !instance.job.admits(host, instance.antiAffinity);
  }

  /**
   * Returns why anti-affinity keeps an instance off a host once some victims have left, or null.
   *
   * @param count the number of victims; the first entries of the array
   */
  public static @Nullable Reason antiAffinity(
      InstanceRecord instance, HostRecord host, InstanceRecord[] victims, int count) {
    if (instance.job == null || !isKeptOff(instance, host)) {
      return null;
    }
    InstanceRecord sibling = sibling(instance, host, victims, count);
    return sibling == null ? null : new Reason.AntiAffinity(instance.job.name, sibling.id());
  }

  /**
   * Returns the earliest admitted instance on the host that conflicts and is no victim, or null.
   */
  private static @Nullable InstanceRecord sibling(
      InstanceRecord instance, HostRecord host, InstanceRecord[] victims, int count) {
    InstanceRecord first = null;
    for (InstanceRecord each : host.residents) {
      if (each.job == instance.job
          && (instance.antiAffinity || each.antiAffinity)
          && (first == null || InstanceRecord.BY_ADMISSION.compare(each, first) < 0)
          && !contains(victims, count, each)) {
        first = each;
      }
    }
    return first;
  }

  private static boolean contains(InstanceRecord[] victims, int count, InstanceRecord wanted) {
    for (int i = 0; i < count; i++) {
      if (victims[i] == wanted) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns why an instance can never run on a host with certain amounts, even if the host were
   * empty; null if it can.
   */
  public static @Nullable Reason misfit(
      InstanceRecord instance, HostRecord host, long[] need, HostTable table) {
    if (!isInItsCluster(instance, host)
        && instance.bag != null
        && instance.bag.itsCluster() != null) {
      return new Reason.OtherCluster(instance.bag.id(), instance.bag.itsCluster());
    }
    if (instance.constraints != null && !instance.constraints.holdsOn(host.slot())) {
      for (Constraint each : instance.constraints.constraints) {
        if (!each.holdsOn(host)) {
          return new Reason.ConstraintNotMet(each, host.attribute(each.attribute()));
        }
      }
    }
    Reason tainted = tainted(instance, host);
    if (tainted != null) {
      return tainted;
    }
    for (int d = 0; d < need.length; d++) {
      if (need[d] == 0) {
        continue; // as for a dimension that was not known when the need was computed
      }
      long missing = need[d] - table.capacity(host.slot(), d);
      if (missing > 0) {
        return new Reason.LargerThanHost(table.dimension(d), missing);
      }
      long lacking = need[d] - table.usable(host.slot(), d);
      if (lacking > 0) {
        return new Reason.ForeignLoad(table.dimension(d), lacking);
      }
    }
    return null;
  }
}

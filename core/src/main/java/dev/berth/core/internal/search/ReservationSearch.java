package dev.berth.core.internal.search;

import dev.berth.api.Dimension;
import dev.berth.api.pipeline.Molding;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.rule.Limits;
import org.jspecify.annotations.Nullable;

/** Finds hosts for instances that have no room now: with fewer cores, or at a later time. */
final class ReservationSearch {

  private final HostTable table;
  private final Selection selection;
  private final FitView fit;
  private final HostEligibility hosts;
  private final GrantFinder grants;
  private final DecisionRecorder recorder;

  ReservationSearch(
      HostTable table, Selection selection, HostEligibility hosts, DecisionRecorder recorder) {
    this.table = table;
    this.selection = selection;
    this.fit = selection.fit;
    this.hosts = hosts;
    this.grants = hosts.grants();
    this.recorder = recorder;
  }

  /** Returns the position of CPU in the demand of a moldable instance, or -1 if it is not one. */
  int moldableCpu(InstanceRecord instance) {
    int cpu = table.numberOf(Dimension.CPU);
    return instance.request.moldability().isEmpty() || cpu >= instance.demand.length ? -1 : cpu;
  }

  /**
   * Keeps the host that grants a moldable instance most cores, as long as its run time does not
   * grow too much.
   *
   * @param cpu as {@link #moldableCpu} returns it
   */
  void chooseMolded(InstanceRecord instance, int cpu, Molding molding) {
    long most = 0;
    for (HostRecord host = hosts.first(instance); host != null; host = hosts.next(instance, host)) {
      if (hosts.grantOn(instance, host)
          && hosts.admits(instance, host)
          && Limits.admit(instance, host)) {
        most = Math.max(most, considerMolded(instance, host, cpu, molding, most));
        fit.grant = instance.wholeDemand;
      }
    }
  }

  /** Returns how many cores a host grants if it became the best; zero otherwise. */
  private long considerMolded(
      InstanceRecord instance, HostRecord host, int cpu, Molding molding, long most) {
    long free = Math.min(table.free(host.slot(), cpu), fit.grant.amounts()[cpu]);
    long cores = grants.moldedTo(instance, free, molding);
    if (cores == 0 || cores < most) {
      return 0;
    }
    fit.grant = fit.grant.withAmount(cpu, cores, table);
    if (!table.fits(host.slot(), fit.grant.amounts()) || !hosts.passes(instance, host)) {
      return 0;
    }
    long worth = hosts.worth(instance, host);
    double value = selection.scoreOf(host);
    long tie = selection.tieOf(host);
    recorder.countRoom();
    if (cores > most
        || worth > selection.worth()
        || (worth == selection.worth()
            && (value > selection.score()
                || (value == selection.score() && selection.winsTie(host, tie))))) {
      selection.keep(host, worth, value, tie);
      return cores;
    }
    return 0;
  }

  /**
   * Returns whether some host of the cluster could hold an instance if the host were empty, and no
   * other instance used its limits.
   */
  boolean couldEverFit(InstanceRecord instance, Molding molding) {
    if (Limits.exceedsAll(instance)) {
      return false;
    }
    for (HostRecord host = hosts.first(instance); host != null; host = hosts.next(instance, host)) {
      if (grants.ifEmpty(instance, host, molding) != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reserves the earliest time at which a host has room for an instance; returns that host, or null
   * if there is none. Then it keeps what the instance needs on each host where it could run. On a
   * host that a filter refuses now, the reservation begins after the next instance leaves. On one
   * that rules or limits refuse now, there is none.
   */
  @Nullable HostRecord reserve(
      InstanceRecord instance, Molding molding, Reservations reservations) {
    HostRecord where = null;
    Grant what = fit.grant;
    long when = Reservations.NEVER;
    for (HostRecord host = hosts.first(instance); host != null; host = hosts.next(instance, host)) {
      Grant whole = grants.ifEmpty(instance, host, molding);
      if (whole == null || !hosts.admits(instance, host) || !Limits.admit(instance, host)) {
        continue;
      }
      // A host that a filter refuses now may be allowed once an instance has left it.
      boolean mayStartNow = hosts.passes(instance, host);
      long earliest = reservations.earliest(host, instance, whole, mayStartNow);
      if (earliest < when || (earliest == when && where != null && host.joined < where.joined)) {
        where = host;
        what = whole;
        when = earliest;
      }
    }
    if (where != null) {
      reservations.reserve(where, instance, what, when);
    } else {
      keepRoom(instance, molding, reservations);
    }
    return where;
  }

  private void keepRoom(InstanceRecord instance, Molding molding, Reservations reservations) {
    for (HostRecord host = hosts.first(instance); host != null; host = hosts.next(instance, host)) {
      Grant whole = grants.ifEmpty(instance, host, molding);
      if (whole != null) {
        reservations.keep(host, instance, whole);
      }
    }
  }
}

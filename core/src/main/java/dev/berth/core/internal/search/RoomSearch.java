package dev.berth.core.internal.search;

import dev.berth.api.pipeline.ResourceScore;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.core.internal.state.HostRecord;
import dev.berth.core.internal.state.HostTable;
import dev.berth.core.internal.state.InstanceRecord;
import dev.berth.core.internal.state.LimitRecord;
import dev.berth.core.internal.state.Limits;
import dev.berth.core.internal.state.PlacementRules;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best host that has room for an instance without preemption.
 *
 * <p>A {@link HostIndex} finds it if the score depends on resources only. Otherwise every host is
 * evaluated.
 */
final class RoomSearch {

  private final HostTable table;
  private final Selection selection;
  private final FitView fit;
  private final HostEligibility hosts;
  private final DecisionRecorder recorder;
  private final @Nullable HostIndex index; // null: evaluate every host

  private @Nullable Reservations reservations; // of other instances
  private boolean blockedByReservation;

  /**
   * Prepares a search.
   *
   * @param indexable whether neither filters nor an allocation rule decide on hosts
   */
  RoomSearch(
      PipelineParts parts,
      Selection selection,
      HostEligibility hosts,
      DecisionRecorder recorder,
      boolean indexable) {
    this.table = parts.state().table();
    this.selection = selection;
    this.fit = selection.fit;
    this.hosts = hosts;
    this.recorder = recorder;
    this.index =
        indexable && parts.score() instanceof ResourceScore it && parts.ties() == TieBreak.SEEDED
            ? new HostIndex(parts.state(), it)
            : null;
  }

  boolean isIndexed() {
    return index != null;
  }

  /** Removes a host from the index. */
  void left(HostRecord host) {
    if (index != null) {
      index.remove(host);
    }
  }

  /** Removes a host from the index until the next search, which adds it again if it is open. */
  void changed(HostRecord host) {
    left(host);
  }

  /**
   * Prepares for the next instance.
   *
   * @param others reservations of other instances, which must hold; null if there are none
   */
  void start(@Nullable Reservations others) {
    reservations = others;
    blockedByReservation = false;
  }

  /** Returns whether a host had room, but not until the reservations of other instances begin. */
  boolean blockedByReservation() {
    return blockedByReservation;
  }

  /** Finds the best host with room. */
  void choose(InstanceRecord instance) {
    LimitRecord scarce = Limits.scarce(instance);
    if (scarce != null) {
      chooseAmongUsers(instance, scarce);
      return;
    }
    if (index != null
        && reservations == null
        && instance.promised == InstanceRecord.NO_HOST
        && !recorder.considersAll()) {
      recorder.skipsHosts();
      if (instance.constraints == null || !instance.constraints.areRare(table.slots())) {
        selection.keepBestOf(index, instance);
        hosts.noteSibling(instance, index.blockedBySibling());
        return;
      }
    }
    for (HostRecord host = hosts.first(instance); host != null; host = hosts.next(instance, host)) {
      consider(instance, host);
    }
  }

  /** Finds the best host with room of those on which a scarce limit is used already. */
  private void chooseAmongUsers(InstanceRecord instance, LimitRecord scarce) {
    if (!recorder.considersAll()) {
      recorder.skipsHosts();
    }
    if (Limits.needsVictims(instance)) {
      return;
    }
    for (HostRecord host : scarce.holders()) {
      if (Limits.admit(instance, host) && PlacementRules.mayRunOn(instance, host)) {
        consider(instance, host);
      }
    }
  }

  /** Evaluates one host, and keeps it if it has room and is better than the best so far. */
  void consider(InstanceRecord instance, HostRecord host) {
    if (!hosts.grantOn(instance, host)
        || !table.fits(host.slot, fit.grant.amounts())
        || !hosts.admits(instance, host)
        || !hosts.passes(instance, host)) {
      return;
    }
    if (reservations != null && !reservations.hasRoom(host, instance, fit.grant)) {
      blockedByReservation = true;
      return;
    }
    recorder.countRoom();
    double value = selection.scoreOf(host);
    if (recorder.considersAll()) {
      recorder.add(host, value, selection.tieOf(host));
    }
    HostRecord best = selection.best();
    if (best != null && best.joined == instance.promised) {
      return;
    }
    if (best == null || value > selection.score() || host.joined == instance.promised) {
      selection.keep(host, value, selection.tieOf(host));
    } else if (value == selection.score()) {
      long tie = selection.tieOf(host);
      if (selection.winsTie(host, tie)) {
        selection.keep(host, value, tie);
      }
    }
  }
}

package dev.berth.core.internal.search;

import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.ResourceScore;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.PlacementRules;
import dev.berth.core.internal.rule.LimitRecord;
import dev.berth.core.internal.rule.Limits;
import dev.berth.core.internal.rule.PeerTable;
import dev.berth.core.internal.rule.RuledHost;
import dev.berth.core.internal.state.ClusterState;
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
  private @Nullable HostIndex byAttributes; // for rules and preferences; null until first used
  private final ClusterState state;
  private final AllocationScore score;

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
    this.state = parts.state();
    this.score = parts.score();
    this.table = state.table();
    this.selection = selection;
    this.fit = selection.fit;
    this.hosts = hosts;
    this.recorder = recorder;
    this.index =
        indexable && parts.score() instanceof ResourceScore it && parts.ties() == TieBreak.SEEDED
            ? new HostIndex(parts.state(), it, null)
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
    if (byAttributes != null) {
      byAttributes.remove(host);
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
        && instance.promised() == InstanceRecord.NO_HOST
        && !recorder.considersAll()) {
      recorder.skipsHosts();
      if (instance.constraints == null || !instance.constraints.areRare(table.slots())) {
        if (hosts.peers().concern(instance)) {
          chooseByAttributes(instance);
        } else {
          keepBestOf(index, instance);
        }
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
    for (RuledHost each : scarce.holders()) {
      HostRecord host = (HostRecord) each;
      if (Limits.admit(instance, host) && PlacementRules.mayRunOn(instance, host)) {
        consider(instance, host);
      }
    }
  }

  private void keepBestOf(HostIndex hostIndex, InstanceRecord instance) {
    selection.keepBestOf(hostIndex, instance);
    hosts.noteSibling(instance, hostIndex.blockedBySibling());
    hosts.notePeer(instance, hostIndex.blockedByPeer());
  }

  /**
   * Finds the best host with room where rules or preferences distinguish hosts. An index that keeps
   * hosts with different attributes apart finds the best of those whose worth depends on nothing
   * else. The few others are evaluated one by one.
   */
  private void chooseByAttributes(InstanceRecord instance) {
    Iterable<?> only = instance.rules() == null ? null : instance.rules().onlyHosts();
    if (only != null) {
      for (Object each : only) {
        considerIfUp(instance, each);
      }
      return;
    }
    HostIndex hostIndex = byAttributes;
    if (hostIndex == null) {
      hostIndex = new HostIndex(state, (ResourceScore) score, new HostSignatures(state));
      byAttributes = hostIndex;
    }
    keepBestOf(hostIndex, instance);
    if (instance.rules() != null) {
      for (PeerTable each : instance.rules().valuedByHost()) {
        for (Object place : each.occupied()) {
          considerIfUp(instance, place);
        }
      }
    }
  }

  private void considerIfUp(InstanceRecord instance, Object place) {
    HostRecord host = (HostRecord) place;
    if (host.isIn(table)) {
      consider(instance, host);
    }
  }

  /** Evaluates one host, and keeps it if it has room and is better than the best so far. */
  void consider(InstanceRecord instance, HostRecord host) {
    if (!hosts.grantOn(instance, host)
        || !table.fits(host.slot(), fit.grant.amounts())
        || !hosts.admits(instance, host)
        || !hosts.passes(instance, host)) {
      return;
    }
    if (reservations != null && !reservations.hasRoom(host, instance, fit.grant)) {
      blockedByReservation = true;
      return;
    }
    recorder.countRoom();
    long worth = hosts.worth(instance, host);
    double value = selection.scoreOf(host);
    if (recorder.considersAll()) {
      recorder.add(host, worth, value, selection.tieOf(host));
    }
    HostRecord best = selection.best();
    if (best != null && best.joined == instance.promised()) {
      return;
    }
    if (best == null
        || worth > selection.worth()
        || (worth == selection.worth() && value > selection.score())
        || host.joined == instance.promised()) {
      selection.keep(host, worth, value, selection.tieOf(host));
    } else if (worth == selection.worth() && value == selection.score()) {
      long tie = selection.tieOf(host);
      if (selection.winsTie(host, tie)) {
        selection.keep(host, worth, value, tie);
      }
    }
  }
}

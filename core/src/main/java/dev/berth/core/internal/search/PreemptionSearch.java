package dev.berth.core.internal.search;

import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.PlacementRules;
import dev.berth.core.internal.rule.LimitRecord;
import dev.berth.core.internal.rule.Limits;
import dev.berth.core.internal.rule.RuledHost;

/** Finds the host where preemption for an instance costs least, by evaluating every host. */
final class PreemptionSearch {

  private final Selection selection;
  private final FitView fit;
  private final HostEligibility hosts;
  private final VictimSearch victims;
  private final DecisionRecorder recorder;

  PreemptionSearch(
      Selection selection, HostEligibility hosts, VictimSearch victims, DecisionRecorder recorder) {
    this.selection = selection;
    this.fit = selection.fit;
    this.hosts = hosts;
    this.victims = victims;
    this.recorder = recorder;
  }

  /** Finds the best host that has room after preemption. */
  void choose(InstanceRecord instance) {
    recorder.beginVictims();
    LimitRecord scarce = Limits.scarce(instance);
    if (scarce != null) { // only instances that use it can give it back
      for (RuledHost each : scarce.holders()) {
        HostRecord host = (HostRecord) each;
        if (Limits.couldBeCovered(instance, host) && PlacementRules.mayRunOn(instance, host)) {
          find(instance, host);
        }
      }
      return;
    }
    for (HostRecord host = hosts.first(instance); host != null; host = hosts.next(instance, host)) {
      find(instance, host);
    }
  }

  private void find(InstanceRecord instance, HostRecord host) {
    if (hosts.grantOn(instance, host)
        && hosts.mayAdmit(instance, host)
        && hosts.passes(instance, host)
        && victims.find(host, fit.grant.amounts())
        && hosts.admitsWith(instance, host, victims)) {
      consider(instance, host);
    }
  }

  /** Compares a host, whose victims were just found, with the best so far. */
  void consider(InstanceRecord instance, HostRecord host) {
    recorder.countVictims();
    victims.addUpCost(host, selection.cost());
    int order = selection.compareCost();
    boolean recordsAll = recorder.considersAll();
    if (order > 0 && !recordsAll) {
      return;
    }
    long worth = hosts.worth(instance, host);
    if (order == 0 && worth < selection.worth() && !recordsAll) {
      return;
    }
    double value = selection.scoreOf(host);
    long tie = selection.tieOf(host);
    if (recordsAll) {
      recorder.add(host, selection.cost(), worth, value, tie);
    }
    if (order < 0
        || (order == 0
            && (worth > selection.worth()
                || (worth == selection.worth()
                    && (value > selection.score()
                        || (value == selection.score() && selection.winsTie(host, tie))))))) {
      selection.keep(host, worth, value, tie);
      selection.needsVictims(true);
    }
  }
}

package dev.berth.testkit.reference;

import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import java.util.ArrayList;
import java.util.List;

/** A pass over a cluster, and what it has decided so far. */
final class ReferencePass {

  final ReferenceCluster cluster;
  final ReferencePlacement placement;
  final CaseCoverage coverage;
  final long number;
  final long now;
  final List<Action> actions = new ArrayList<>();

  ReferencePass(ReferenceCluster cluster, CaseCoverage coverage, long number, long now) {
    this.cluster = cluster;
    this.placement = new ReferencePlacement(cluster);
    this.coverage = coverage;
    this.number = number;
    this.now = now;
  }

  void decide(Action action) {
    cluster.execute(new ActionId(number, actions.size()), action, now);
    actions.add(action);
  }
}

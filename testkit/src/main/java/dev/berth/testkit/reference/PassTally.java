package dev.berth.testkit.reference;

import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.LimitUse;
import dev.berth.api.PlacementRule;
import dev.berth.api.plan.Action;
import dev.berth.testkit.reference.CaseCoverage.Mark;
import java.util.List;
import java.util.function.Function;

/** Counts the cases that a pass meets. */
record PassTally(ReferencePolicy policy, ReferencePass pass) {

  void choice(ReferenceInstance j, HostSpec host, List<ReferenceInstance> victims) {
    pass.coverage.count(Mark.PLACEMENT);
    pass.coverage.count(Mark.PLACEMENT_AFTER_OTHERS, !j.request().after().isEmpty());
    rules(host, j);
    limits(host, j);
    pass.coverage.count(
        Mark.PLACEMENT_BESIDE_FOREIGN_LOAD,
        pass.cluster.dimensions().stream().anyMatch(each -> pass.cluster.foreign(host, each) > 0));
    pass.coverage.count(Mark.PREEMPTION_OF_SEVERAL, victims.size() > 1);
    for (ReferenceInstance k : victims) {
      switch (policy.judge(j, k, pass.now)) {
        case RULE_A -> pass.coverage.count(Mark.PREEMPTION_BY_RULE_A);
        case RULE_B -> pass.coverage.count(Mark.PREEMPTION_BY_RULE_B);
        case RULE_C -> pass.coverage.count(Mark.PREEMPTION_BY_RULE_C);
        case RULE_G -> pass.coverage.count(Mark.PREEMPTION_BY_RULE_G);
        case RULE_S -> pass.coverage.count(Mark.PREEMPTION_BY_RULE_S);
        case LOWER_PRIORITY -> pass.coverage.count(Mark.PREEMPTION_BY_PRIORITY);
        case OVER_LIMIT,
            AT_PREEMPTION_LIMIT,
            OVER_RESTART_SHARE,
            WITHIN_QUANTUM,
            LOSES_PROGRESS,
            NO_RULE ->
            throw new IllegalStateException(k + " is no victim of " + j);
      }
      pass.coverage.count(Mark.PREEMPTION_LOSING_PROGRESS, k.request().losesProgress());
      pass.coverage.count(Mark.PREEMPTION_OF_STARTING, k.state() == InstanceState.STARTING);
      pass.coverage.count(Mark.PREEMPTION_WITHIN_BUDGET, pass.cluster.budgets().cover(k));
    }
  }

  private void limits(HostSpec host, ReferenceInstance j) {
    List<LimitUse> uses = j.request().placement().limits();
    pass.coverage.count(
        Mark.PLACEMENT_WITH_LIMIT_PER_INSTANCE,
        uses.stream().anyMatch(each -> each.kind() == LimitUse.Kind.PER_INSTANCE));
    pass.coverage.count(
        Mark.PLACEMENT_WITH_LIMIT_PER_HOST,
        uses.stream().anyMatch(each -> each.kind() == LimitUse.Kind.PER_HOST));
    pass.coverage.count(
        Mark.LIMIT_GIVEN_BACK_BY_VICTIMS, !pass.cluster.limits().allow(j, host, List.of()));
  }

  private void rules(HostSpec host, ReferenceInstance j) {
    if (!host.taints().isEmpty()) {
      pass.coverage.count(
          ReferencePlacement.discouraging(j, host) > 0
              ? Mark.PLACEMENT_DESPITE_TAINT
              : Mark.PLACEMENT_BY_TOLERATION);
    }
    pass.coverage.count(Mark.PLACEMENT_OF_FIRST_PEER, pass.placement.isFirst(j));
    for (PlacementRule each : j.request().placement().rules()) {
      pass.coverage.count(
          each instanceof PlacementRule.Near
              ? Mark.PLACEMENT_NEAR
              : each instanceof PlacementRule.Apart ? Mark.PLACEMENT_APART : Mark.PLACEMENT_SPREAD);
    }
    pass.coverage.count(
        Mark.PLACEMENT_WITH_PREFERENCE, !j.request().placement().preferences().isEmpty());
  }

  void pass(List<ReferenceInstance> queue, Function<HostSpec, List<ReferenceInstance>> candidates) {
    pass.coverage.count(Mark.PASS);
    pass.coverage.count(Mark.LIMIT_EXCEEDED, pass.cluster.limits().areExceeded());
    pass.coverage.count(
        Mark.PASS_PLACING, pass.actions.stream().anyMatch(Action.Place.class::isInstance));
    pass.coverage.count(
        Mark.PASS_PREEMPTING, pass.actions.stream().anyMatch(Action.Preempt.class::isInstance));
    pass.cluster
        .instances(InstanceState.PENDING)
        .forEach(
            each -> {
              pass.coverage.count(Mark.LEFT_PENDING);
              pass.coverage.count(Mark.WAITS_FOR_OTHERS, !each.waitsFor().isEmpty());
            });
    pass.cluster.budgets().byJob().keySet().stream()
        .filter(job -> !pass.cluster.budgets().isWithin(job))
        .forEach(job -> pass.coverage.count(Mark.BUDGET_EXCEEDED));
    if (policy instanceof QosDriven qosDriven) {
      long alpha = qosDriven.expectedOverhead();
      for (int i = 1; i < queue.size(); i++) {
        pass.coverage.count(
            Mark.TIE_IN_QUEUE,
            queue.get(i - 1).qos(pass.now, alpha) == queue.get(i).qos(pass.now, alpha));
      }
    }
    queue.forEach(each -> policy.tally(each, pass.now, pass.coverage));
    for (HostSpec host : pass.cluster.hosts()) {
      pass.coverage.count(
          Mark.CONSTRAINT_OUTLIVED,
          pass.cluster.residents(host).stream()
              .anyMatch(each -> !ReferencePlacement.constraintsHold(each, host)));
      List<ReferenceInstance> victims = candidates.apply(host);
      for (int i = 1; i < victims.size(); i++) {
        pass.coverage.count(
            Mark.TIE_AMONG_CANDIDATES,
            policy.victimOrder(pass.now).compare(victims.get(i - 1), victims.get(i)) == 0);
      }
    }
  }
}

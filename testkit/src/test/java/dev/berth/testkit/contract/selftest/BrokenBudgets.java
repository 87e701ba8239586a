package dev.berth.testkit.contract.selftest;

import static dev.berth.testkit.contract.selftest.AdjustingScheduler.adjusting;

import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.plan.Action;
import dev.berth.testkit.reference.LedgerCalls;
import dev.berth.testkit.reference.ReferenceBag;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.rule.Rule;
import java.util.List;
import java.util.Optional;

/** Schedulers that ignore disruption budgets. */
final class BrokenBudgets {

  private static final String BUDGET =
      ", but job j\\d of r\\d+ has a budget of at (most|least) \\d (down|up), and has \\d+ up and"
          + " \\d+ down";

  private BrokenBudgets() {}

  // ---- P50

  @Breaks(value = Rule.P50, says = "pause r\\d+ on h\\d" + BUDGET, events = 6)
  static class PausesBeyondBudgets extends BrokenSchedulers.Subject {
    PausesBeyondBudgets() {
      super(
          setting ->
              adjusting(
                  setting,
                  (scheduler, each, now) -> {
                    if (each.state() != InstanceState.RUNNING) {
                      return Optional.empty();
                    }
                    String host = each.hostId().orElseThrow();
                    LedgerCalls.pause(scheduler.cluster, each.id(), now);
                    return Optional.of(new Action.Pause(each.id(), host));
                  }));
    }
  }

  @Breaks(
      value = Rule.P50,
      says = "r\\d+ is placed for victims \\[r\\d+(, r\\d+)*]" + BUDGET,
      events = 7)
  static class PreemptsBeyondBudgets extends BrokenSchedulers.Subject {
    PreemptsBeyondBudgets() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                void decide(ReferenceInstance instance, long now, List<Action> actions) {
                  int before = actions.size();
                  super.decide(instance, now, actions);
                  if (before == 0 && actions.isEmpty()) { // so that no victim acts twice
                    for (HostSpec host : cluster.hosts()) {
                      List<ReferenceInstance> all = cluster.residents(host);
                      List<ReferenceInstance> victims =
                          all.stream()
                              .filter(each -> each.state() == InstanceState.RUNNING)
                              .toList();
                      List<ReferenceInstance> others =
                          all.stream().filter(each -> !victims.contains(each)).toList();
                      if (!victims.isEmpty() && admits(host, instance, others)) {
                        place(instance, host, victims, now, actions);
                        return;
                      }
                    }
                  }
                }
              });
    }
  }

  @Breaks(value = Rule.P50, says = "cancel bag b\\d+.*" + BUDGET, events = 8)
  static class CancelsBeyondBudgets extends BrokenSchedulers.Subject {
    CancelsBeyondBudgets() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                void adjust(long now, List<Action> actions) {
                  if (actions.isEmpty()) {
                    cluster.bags().stream()
                        .filter(CancelsBeyondBudgets::runs)
                        .findFirst()
                        .ifPresent(
                            each -> actions.add(cancel(each, WellBehavedParts.NO_ROOM, now)));
                  }
                }
              });
    }

    private static boolean runs(ReferenceBag bag) {
      return bag.members().stream().anyMatch(each -> each.state() == InstanceState.RUNNING);
    }
  }
}

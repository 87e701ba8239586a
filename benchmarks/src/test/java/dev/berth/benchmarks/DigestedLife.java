package dev.berth.benchmarks;

import dev.berth.api.Instance;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Rejection;
import dev.berth.core.Scheduler;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.testkit.event.Call;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.HistoryPlayer;
import dev.berth.testkit.reference.ReferenceCluster;

/** Plays a history to a scheduler and digests its answers. */
final class DigestedLife {

  private final PlanAccount account;
  private final Scheduler scheduler;
  private final ReferenceCluster ledger; // which the steps of the history are resolved against
  private final HistoryPlayer player;

  /**
   * Starts a scheduler.
   *
   * @param notes 0: no decision is recorded; 2: the best hosts are recorded too
   */
  DigestedLife(History history, PlanAccount account, int notes) {
    this.account = account;
    this.ledger = new ReferenceCluster(history.serviceClasses());
    this.player = new HistoryPlayer(history, ledger, this::make);
    this.scheduler =
        Scheduler.builder()
            .registry(PlanDigest.POLICIES)
            .policy(account.name.get(0), account.name.get(1).replace('\'', '"'))
            .serviceClasses(history.serviceClasses())
            .seed(history.seed())
            .decisionLog(notes == 0 ? 0 : 1000)
            .topScores(notes == 2 ? 3 : 0)
            .build();
  }

  void live() {
    account.word("life");
    try {
      player.play();
    } catch (PolicyFailedException failed) {
      account.kind("failed");
      return;
    }
    for (Instance each : scheduler.instances()) {
      account.report(InstanceReport.of(each, player.now()));
    }
  }

  private void make(Call call) {
    Object answer = call.applyTo(EventTarget.of(scheduler)).orElse(null);
    if (answer instanceof Plan plan) {
      account.plan(plan);
      account.time(scheduler.nextPassAt());
      account.time(scheduler.nextTimerAt());
      execute(plan);
    } else if (!(answer instanceof Call.Stale)) {
      ledger.apply(call.event().orElseThrow(), call.at());
    }
    if (answer instanceof InstanceReport report) {
      account.report(report);
    } else if (answer instanceof Call.Ended group) {
      group.reports().forEach(account::report);
    } else if (answer instanceof BagReport report) {
      account.report(report);
    } else if (answer instanceof Rejection rejection) {
      account.word(rejection.toString());
    } else if (answer instanceof Reconciliation found) {
      found.differences().forEach(each -> account.word(each.describe()));
    }
  }

  private void execute(Plan plan) {
    ledger.settle();
    for (int i = 0; i < plan.actions().size(); i++) {
      ledger.execute(plan.id(i), plan.actions().get(i), plan.now());
    }
    ledger.takeEndedBags();
  }
}

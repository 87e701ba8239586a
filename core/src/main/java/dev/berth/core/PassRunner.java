package dev.berth.core;

import dev.berth.api.Action;
import dev.berth.api.Dimension;
import dev.berth.api.Plan;
import dev.berth.api.policy.Policy;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.SchedulerFailedException;
import dev.berth.core.internal.pass.Journal;
import dev.berth.core.internal.pass.Pass;
import dev.berth.core.internal.pass.RecordedDecisions;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs the passes of a policy, one at a time, and keeps the latest plan. */
final class PassRunner {

  private final ClusterState state;
  private final Transitions transitions;
  private final Policy policy;
  private final String policyId;
  private final Set<Dimension> oversubscribed;
  private final RecordedDecisions log;
  private final int topScores;
  private final int maxPlacements;
  private final PassTimer timer;
  private final Journal journal = new Journal(); // of the running pass
  private final Set<String> departed = new HashSet<>(); // instances of the last plan that ended
  private final @Nullable DecisionReport report; // null: there is no listener
  private final ActionCounts counts = new ActionCounts();
  private long undone;
  private Plan lastPlan = new Plan(0, 0, Set.of(), List.of());

  PassRunner(
      ClusterState state,
      Transitions transitions,
      Policy policy,
      String policyId,
      RecordedDecisions log,
      @Nullable DecisionReport report,
      int topScores,
      int maxPlacements,
      PassTimer timer) {
    this.state = state;
    this.transitions = transitions;
    this.policy = policy;
    this.policyId = policyId;
    this.oversubscribed = Set.copyOf(policy.oversubscribes());
    this.log = log;
    this.report = report;
    this.topScores = topScores;
    this.maxPlacements = maxPlacements;
    this.timer = timer;
  }

  /**
   * Runs a pass and returns its plan. If the policy throws, all its actions are undone. If an error
   * has left a change incomplete, the pass is not undone, and it stays open in the cluster.
   */
  Plan run(long now) {
    long number = timer.passes() + 1;
    Pass pass =
        new Pass(
            state,
            transitions,
            journal,
            number,
            timer.triggersAt(now),
            oversubscribed,
            report != null || !log.keepsNothing(),
            topScores,
            maxPlacements);
    try {
      pass.cancelExpired();
      policy.schedule(pass.view());
      pass.prepare();
    } catch (Throwable failure) { // policies may throw even checked exceptions undeclared
      boolean reverted = pass.abandon();
      if (pass.isInterrupted() || failure instanceof InterruptedException) { // flag may be cleared
        Thread.currentThread().interrupt();
      }
      if (failure instanceof VirtualMachineError fatal) {
        throw fatal;
      }
      if (!reverted) {
        throw failure instanceof SchedulerFailedException failed
            ? failed
            : new SchedulerFailedException(failure);
      }
      undone++;
      throw new PolicyFailedException(policyId, number, failure);
    }
    state.beginChange(); // until all know of the pass
    lastPlan =
        report == null ? pass.finish(log::add, log::add) : pass.finish(report::add, report::add);
    timer.passed(now, pass.isFull() ? now : pass.wakeAt()); // others may wait for their turn
    noteActions();
    state.endChange();
    return lastPlan;
  }

  private void noteActions() {
    departed.clear();
    for (Action each : lastPlan.actions()) {
      counts.add(each);
      if (each instanceof Action.Reject reject) {
        departed.add(reject.instance());
      } else if (each instanceof Action.Cancel cancel) {
        departed.addAll(cancel.instances());
      }
    }
  }

  /** Returns the number of actions so far, by kind. */
  ActionCounts counts() {
    return counts;
  }

  /** Returns the number of passes that were undone. */
  long undone() {
    return undone;
  }

  /** Returns the latest plan; an empty one before the first pass. */
  Plan lastPlan() {
    return lastPlan;
  }

  /**
   * Returns the ids of instances that ended in or after the last pass, live. The last plan may
   * mention them, but another instance may have the same id by now.
   */
  Set<String> departed() {
    return departed;
  }

  /** Notes that an instance ended after the last pass. */
  void departed(String instanceId) {
    departed.add(instanceId);
  }
}

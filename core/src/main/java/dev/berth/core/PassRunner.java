package dev.berth.core;

import dev.berth.api.Dimension;
import dev.berth.api.Reason;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.decision.Decision;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.SchedulerFailedException;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.pass.Pass;
import dev.berth.core.internal.pass.PassLog;
import dev.berth.core.internal.pass.RecordedDecisions;
import dev.berth.core.internal.pipeline.Pipeline;
import dev.berth.core.internal.snapshot.Reasons;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import dev.berth.core.internal.undo.UndoLog;
import dev.berth.core.snapshot.LatestPlan.ErrorData;
import dev.berth.core.snapshot.ReasonData;
import dev.berth.core.snapshot.SchedulerSnapshot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
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
  private final PassLog undoLog;
  private final Set<String> departed = new HashSet<>(); // instances of the last plan that ended
  private final @Nullable DecisionReport report; // null: there is no listener
  private final ActionCounts counts = new ActionCounts();
  private long undone;
  private long actionsUndone;
  private Plan lastPlan = new Plan(0, 0, Set.of(), List.of());

  // The hashes of its deferrals, without those of instances that ended, once a digest counts them
  private long deferralSum;
  private boolean deferralsCounted;

  PassRunner(
      ClusterState state,
      Transitions transitions,
      Policy policy,
      String policyId,
      PassLog undoLog,
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
    this.undoLog = undoLog;
  }

  /**
   * Runs a pass and returns its plan. If the policy throws, all its actions are undone, and it
   * remembers what it did before. If an error has left a change incomplete, the pass is not undone,
   * and it stays open in the cluster.
   */
  Plan run(long now) {
    Pass pass = begin(timer.triggersAt(now), report != null || !log.keepsNothing(), maxPlacements);
    Memory memory = new Memory();
    try {
      policy.memory().ifPresent(memory::save);
      pass.run(policy);
    } catch (Throwable failure) { // policies may throw even checked exceptions undeclared
      PolicyFailedException failed = abandon(pass, failure);
      undone++;
      if (memory.refused != null) {
        memory.refused.addSuppressed(failed);
        throw new PolicyFailedException(policyId, pass.number(), memory.refused);
      }
      throw failed;
    }
    state.beginChange(); // until all know of the pass
    boolean isFull = pass.actions().isFull(); // while its placements are in the log
    lastPlan =
        report == null ? pass.finish(log::add, log::add) : pass.finish(report::add, report::add);
    boolean again = // others may wait for their turn
        isFull || pass.actions().hasEvicted();
    timer.passed(now, again ? now : pass.wakeAt());
    noteActions();
    state.endChange();
    return lastPlan;
  }

  private Pass begin(Set<Trigger> triggers, boolean detailed, int most) {
    Pass pass =
        new Pass(
            state,
            transitions,
            undoLog,
            timer.passes() + 1,
            triggers,
            oversubscribed,
            detailed,
            topScores,
            most);
    if (state.follower() instanceof Pipeline pipeline) { // keeps its last pass, for explanations
      long number = pipeline.queuePass();
      InstanceRecord head = pipeline.queueHead();
      undoLog.add(() -> pipeline.restoreQueue(number, head));
    }
    return pass;
  }

  /** The memory of the policy before a pass. Restoring it may fail. */
  private final class Memory {

    private @Nullable RuntimeException refused;

    void save(PolicyMemory memory) {
      Map<String, Object> remembered = memory.save();
      undoLog.add(
          () -> {
            try {
              memory.restore(remembered);
            } catch (RuntimeException thrown) {
              refused = thrown;
            }
          });
    }
  }

  private PolicyFailedException abandon(Pass pass, Throwable failure) {
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
    return new PolicyFailedException(policyId, pass.number(), failure);
  }

  /**
   * Supposes events, runs a pass, asks about the state after it, and undoes all. Nothing has
   * changed then.
   *
   * @param suppose supposes the events; returns further triggers of the pass
   * @param most most instances that it places; empty: as many as in an actual pass
   */
  <T> T preview(
      PolicyMemory ofPolicy,
      Function<UndoLog, Set<Trigger>> suppose,
      OptionalInt most,
      Function<Preview, T> question) {
    Memory memory = new Memory();
    T answer;
    try {
      memory.save(ofPolicy);
      answer = preview(suppose.apply(undoLog), most.orElse(maxPlacements), question);
    } catch (VirtualMachineError | SchedulerFailedException fatal) {
      throw fatal;
    } catch (Throwable thrown) {
      undoLog.undoTo(0);
      if (memory.refused != null) {
        memory.refused.addSuppressed(thrown);
        throw memory.refused;
      }
      throw thrown;
    }
    if (memory.refused != null) {
      throw memory.refused;
    }
    return answer;
  }

  private <T> T preview(Set<Trigger> more, int most, Function<Preview, T> question) {
    Pass pass = begin(timer.triggersAt(state.now(), more), true, most);
    T answer;
    boolean asks = false;
    try {
      pass.run(policy);
      List<Decision> decisions = new ArrayList<>();
      List<ActionRecord> actions = new ArrayList<>();
      Plan plan = pass.preview(decisions::add, actions::add);
      asks = true;
      answer = question.apply(new Preview(plan, decisions, actions));
    } catch (Throwable failure) {
      PolicyFailedException failed = abandon(pass, failure);
      throw asks && failure instanceof RuntimeException refused ? refused : failed;
    }
    if (!pass.abandon()) {
      throw new SchedulerFailedException(null);
    }
    return answer;
  }

  private void noteActions() {
    departed.clear();
    deferralsCounted = false;
    for (Action each : lastPlan.actions()) {
      counts.add(each);
      if (each instanceof Action.Ends ends) {
        departed.add(ends.instance());
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

  /** Notes that an action was undone; if it ended instances, they are back. */
  void undone(Action action) {
    actionsUndone++;
    if (action instanceof Action.Ends ends) {
      departed.remove(ends.instance());
    } else if (action instanceof Action.Cancel cancel) {
      cancel.instances().forEach(departed::remove);
    }
  }

  /** Returns the number of actions that were undone after their plan. */
  long actionsUndone() {
    return actionsUndone;
  }

  /** Notes that an instance ended after the last pass. */
  void departed(String instanceId) {
    if (departed.add(instanceId) && deferralsCounted) {
      Reason deferral = lastPlan.deferrals().get(instanceId);
      if (deferral != null) {
        deferralSum -= SchedulerSnapshot.digestOfDeferral(instanceId, Reasons.write(deferral));
      }
    }
  }

  // ---- For snapshots

  /** Restores the part of the last plan that explanations need. */
  void restore(Plan remains) {
    lastPlan = remains;
  }

  /** Returns the deferrals of the last plan, without those of instances that ended since. */
  Map<String, ReasonData> deferrals() {
    Map<String, ReasonData> deferrals = new TreeMap<>();
    lastPlan
        .deferrals()
        .forEach(
            (id, why) -> {
              if (!departed.contains(id)) {
                deferrals.put(id, Reasons.write(why));
              }
            });
    return deferrals;
  }

  /** Returns the invalid actions in the last plan, without those on instances that ended since. */
  List<ErrorData> policyErrors() {
    return lastPlan.policyErrors().stream()
        .filter(each -> !departed.contains(each.subject()))
        .map(each -> new ErrorData(each.subject(), Reasons.write(each.why())))
        .toList();
  }

  /** Returns the sum of the hashes of {@link #deferrals}. Cost O(1) until the next pass. */
  long deferralSum() {
    if (!deferralsCounted) {
      deferralSum = 0;
      deferrals().forEach((id, why) -> deferralSum += SchedulerSnapshot.digestOfDeferral(id, why));
      deferralsCounted = true;
    }
    return deferralSum;
  }
}

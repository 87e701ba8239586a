package dev.berth.core.internal.pass;

import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.batch.BagReport;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.decision.Decision;
import dev.berth.core.internal.action.ActionLedger;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import dev.berth.core.internal.undo.UndoLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Turns the {@link PassLog} of a pass into its {@link Plan} and the records of its decisions. */
final class PlanWriter {

  private final ClusterState state;
  private final Transitions transitions;
  private final PassLog log;
  private final long number;
  private final boolean detailed;
  private final List<Decision> decisions = new ArrayList<>(); // lists stay empty unless detailed
  private final List<ActionRecord> records = new ArrayList<>();
  private final List<Action> actions;
  private final List<InstanceRecord> ended = new ArrayList<>();
  private final List<PassLog.Cancelled> cancellations = new ArrayList<>();
  private List<String> victims = List.of(); // of the next placement; most have none
  private Map<String, Reason> deferrals = Map.of();
  private Map<String, Reason> bagDeferrals = Map.of();
  private Optional<InstanceRecord> blockedHead = Optional.empty();

  /** Collects the entries of a log; changes nothing. */
  PlanWriter(
      ClusterState state, Transitions transitions, PassLog log, long number, boolean detailed) {
    this.state = state;
    this.transitions = transitions;
    this.log = log;
    this.number = number;
    this.detailed = detailed;
    this.actions = new ArrayList<>(log.size());
    for (int i = 0; i < log.size(); i++) {
      add(log.get(i));
    }
  }

  /** Returns the plan, clears the log and forgets the instances that ended. */
  Plan write(
      Set<Trigger> triggers,
      List<Plan.PolicyError> errors,
      Consumer<Decision> toDecisions,
      Consumer<ActionRecord> toRecords) {
    transitions.settle();
    handOver();
    log.clear();
    decisions.forEach(toDecisions);
    records.forEach(toRecords);
    if (!deferrals.isEmpty()) {
      deferrals.keySet().removeIf(id -> !isPending(id));
    }
    cancellations.forEach(each -> transitions.forgetCancelled(each.bag(), each.report()));
    ended.forEach(transitions::forgetEnded); // a bag may end with its last instance
    if (!bagDeferrals.isEmpty()) {
      bagDeferrals.keySet().removeIf(id -> state.bag(id).isEmpty());
    }
    state.forgetCompletions();
    return new Plan(
        number,
        state.now(),
        triggers,
        actions,
        deferrals,
        errors,
        bagDeferrals,
        state.takeEndedBags(),
        blockedHead.map(InstanceRecord::id).filter(this::isPending));
  }

  /**
   * Returns the plan that {@link #write} would return, while the pass can still be undone. Changes
   * nothing.
   */
  Plan preview(
      Set<Trigger> triggers,
      List<Plan.PolicyError> errors,
      Consumer<Decision> toDecisions,
      Consumer<ActionRecord> toRecords) {
    decisions.forEach(toDecisions);
    records.forEach(toRecords);
    List<BagReport> reports = new ArrayList<>(state.endedBags());
    cancellations.forEach(each -> reports.add(each.report()));
    Set<BagRecord> over = new HashSet<>();
    for (InstanceRecord each : ended) {
      BagRecord bag = BagRecord.of(each);
      if (bag != null && bag.isOver() && over.add(bag)) {
        reports.add(bag.reportOfEnded(state.now()));
      }
    }
    Map<String, Reason> waiting = new HashMap<>(deferrals);
    waiting.keySet().removeIf(id -> !isPending(id));
    Map<String, Reason> waitingBags = new HashMap<>(bagDeferrals);
    waitingBags.keySet().removeIf(id -> !goesOn(id));
    return new Plan(
        number,
        state.now(),
        triggers,
        actions,
        waiting,
        errors,
        waitingBags,
        reports,
        blockedHead.map(InstanceRecord::id).filter(this::isPending));
  }

  private boolean goesOn(String bagId) {
    return state.bag(bagId).filter(each -> each.remaining() > 0).isPresent();
  }

  /** Hands the actions over to the ledger of those that can still be undone. */
  private void handOver() {
    ActionLedger ledger = state.openActions();
    int index = 0;
    for (int i = 0; i < log.size(); i++) {
      UndoLog.Step entry = log.get(i);
      if (entry instanceof PassLog.OnInstance done) {
        done.inLedger();
        done.decided(number, index, actions.get(index));
        ledger.add(done);
        index++;
      } else if (entry instanceof PassLog.Arranged arranged) {
        ledger.add(number, index, arranged.action(), arranged.change(), state.pools());
        index++;
      } else if (entry instanceof PassLog.Cancelled cancelled) {
        ledger.add(number, index, cancelled.action(), cancelled.bag(), cancelled.before());
        index++;
      }
    }
  }

  private void add(UndoLog.Step entry) {
    if (entry instanceof PassLog.OnInstance done) {
      add(done);
    } else if (entry instanceof PassLog.Cancelled cancelled) {
      actions.add(cancelled.action());
      cancellations.add(cancelled);
      record(cancelled.action(), cancelled.action().why());
    } else if (entry instanceof PassLog.Arranged arranged) {
      actions.add(arranged.action());
      record(arranged.action(), arranged.why());
    } else if (entry instanceof PassLog.Deferred deferred) {
      deferrals = with(deferrals, deferred.instance().id(), deferred.why());
    } else if (entry instanceof PassLog.HeadBlocked blocked) {
      blockedHead = Optional.of(blocked.head());
    } else if (entry instanceof PassLog.BagDeferred deferred) {
      bagDeferrals = with(bagDeferrals, deferred.bag().id(), deferred.why());
    }
  }

  private void add(PassLog.OnInstance done) {
    Action action = done.action(victims);
    actions.add(action);
    if (done.isPreemption()) {
      if (victims.isEmpty()) {
        victims = new ArrayList<>();
      }
      victims.add(done.subject().id());
    } else if (done.why() != null) {
      record(action, done.why());
      if (action instanceof Action.Ends) {
        ended.add(done.subject());
      }
    } else {
      victims = List.of();
      if (done.decision() != null) {
        decisions.add(done.decision());
      }
    }
  }

  /** Adds a reason to a map; most passes have none, so they share an empty map. */
  private static Map<String, Reason> with(Map<String, Reason> reasons, String id, Reason why) {
    Map<String, Reason> all = reasons.isEmpty() ? new HashMap<>() : reasons;
    all.put(id, why);
    return all;
  }

  private void record(Action action, Reason why) {
    if (detailed) {
      records.add(new ActionRecord(number, state.now(), action, why));
    }
  }

  private boolean isPending(String id) {
    return state.instance(id).filter(each -> each.state() == InstanceState.PENDING).isPresent();
  }
}

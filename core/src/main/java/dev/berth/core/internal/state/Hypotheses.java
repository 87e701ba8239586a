package dev.berth.core.internal.state;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.Completion;
import dev.berth.core.error.EventRefusedException.Code;
import dev.berth.core.event.Event;
import dev.berth.core.internal.action.Before;
import dev.berth.core.internal.cluster.EndedInstances.Ended;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.group.GroupRecord;
import dev.berth.core.internal.undo.UndoLog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Events that are only supposed. Each is applied as the actual one would be, and adds to the undo
 * log how to take it back. The ledger of open actions is frozen meanwhile, so no action closes.
 * Cost O(what the events change).
 */
public final class Hypotheses {

  private final ClusterState state;
  private final Events events;
  private final Transitions transitions;
  private final UndoLog log;
  private final Set<Trigger> triggers = EnumSet.noneOf(Trigger.class);

  /** Begins to suppose, as a change of the cluster that ends when the log is undone. */
  public Hypotheses(Events events, UndoLog log) {
    this.state = events.state();
    this.events = events;
    this.transitions = events.transitions();
    this.log = log;
    int dimensions = state.table().dimensions();
    UndoLog.Step counters = state.counters();
    state.beginChange();
    state.openActions().freeze(true);
    log.add(
        () -> {
          state.budgets().settle();
          state.table().forgetDimensionsFrom(dimensions);
          counters.undo();
          state.openActions().freeze(false);
          state.revertChange();
        });
  }

  /** Returns what would make a pass due. */
  public Set<Trigger> triggers() {
    return Collections.unmodifiableSet(triggers);
  }

  /** Returns whether events of a kind can be supposed. */
  public static boolean canBe(Event.Kind kind) {
    return switch (kind) {
      case HOST_ADDED,
          HOST_REMOVED,
          HOST_CHANGED,
          FOREIGN_LOAD_REPORTED,
          HOST_CORDONED,
          HOST_UNCORDONED,
          HOST_DRAINED,
          LIMIT_SET,
          BUDGET_SET,
          BUDGET_REMOVED,
          SUBMITTED,
          BAG_SUBMITTED,
          GROUP_SUBMITTED,
          COMPLETED_NOW,
          CANCELLED ->
          true;
      default -> false;
    };
  }

  /** Supposes an event that {@linkplain #canBe can be}. */
  public void suppose(Event<?> event) {
    if (changes(event)) {
      event.kind().trigger().ifPresent(triggers::add);
    }
  }

  private boolean changes(Event<?> event) {
    if (event instanceof Event.HostAdded added) {
      addHost(added.spec());
    } else if (event instanceof Event.HostRemoved removed) {
      removeHost(removed.host());
    } else if (event instanceof Event.HostChanged changed) {
      HostRecord host = require(changed.spec().id(), "change");
      return undoneBy(
          description(host), events.hostChanges().changeHost(changed.spec(), state.now()));
    } else if (event instanceof Event.ForeignLoadReported load) {
      HostRecord host = require(load.host(), "report foreign load");
      return undoneBy(
          description(host),
          events.hostChanges().foreignLoad(load.host(), load.foreign(), state.now()));
    } else if (event instanceof Event.HostCordoned cordoned) {
      HostRecord host = require(cordoned.host(), "be cordoned");
      return undoneBy(closings(host), events.hostChanges().cordon(cordoned.host(), state.now()));
    } else if (event instanceof Event.HostUncordoned uncordoned) {
      HostRecord host = require(uncordoned.host(), "be uncordoned");
      return undoneBy(
          closings(host), events.hostChanges().uncordon(uncordoned.host(), state.now()));
    } else if (event instanceof Event.HostDrained drained) {
      HostRecord host = require(drained.host(), "be drained");
      return undoneBy(
          closings(host), events.hostChanges().drain(drained.host(), drained.how(), state.now()));
    } else if (event instanceof Event.LimitSet set) {
      long before = state.limits().amount(set.limit());
      return undoneBy(
          () -> state.limits().set(set.limit(), before),
          state.setLimit(set.limit(), set.amount(), state.now()));
    } else if (event instanceof Event.BudgetSet set) {
      return undoneBy(budget(set.job()), state.budgets().set(set.job(), set.budget(), state.now()));
    } else if (event instanceof Event.BudgetRemoved removed) {
      return undoneBy(budget(removed.job()), state.budgets().remove(removed.job(), state.now()));
    } else if (event instanceof Event.Submitted submitted) {
      freeId(submitted.request());
      Instance admitted =
          events.admissions().submit(submitted.request(), submitted.history(), state.now());
      log.add(() -> events.admissions().withdraw((InstanceRecord) admitted));
    } else if (event instanceof Event.BagSubmitted submitted) {
      submitted.bag().requests().forEach(this::freeId);
      events.batches().submit(submitted.bag(), state.now(), log);
    } else if (event instanceof Event.GroupSubmitted submitted) {
      submitted.group().members().forEach(this::freeId);
      events.batches().submit(submitted.group(), state.now(), log);
    } else if (event instanceof Event.CompletedNow completed) {
      end(completed.instance(), "complete", true);
    } else if (event instanceof Event.Cancelled cancelled) {
      end(cancelled.instance(), "be cancelled", false);
    } else {
      throw new IllegalArgumentException(event.kind() + " cannot be supposed");
    }
    return true;
  }

  /** Notes how to take back an event if it has changed something; returns whether it has. */
  private boolean undoneBy(UndoLog.Step step, boolean changed) {
    if (changed) {
      log.add(step);
    }
    return changed;
  }

  // ---- Hosts

  /** A host joins, which no plan has requested. */
  private void addHost(HostSpec spec) {
    if (state.pools().provided(spec.id()) != null) {
      throw Code.ID_IN_USE.refusal(
          "host %s is supposed to join, but a plan requested or released it. Maybe another id.",
          spec.id());
    }
    HostRecord host = (HostRecord) events.hosts().addHost(spec, state.now());
    log.add(() -> state.leaveHost(host));
  }

  /** A host that is up leaves. */
  private void removeHost(String id) {
    HostRecord host = require(id, "leave");
    List<Before> stranded = new ArrayList<>(host.residents.size());
    for (InstanceRecord each : host.residents) {
      stranded.add(before(each));
    }
    events.hosts().removeHost(id, state.now());
    log.add(
        () -> {
          state.pools().cameBack(host);
          state.returnHost(host);
          stranded.forEach(Before::undo);
        });
  }

  private HostRecord require(String id, String event) {
    return events.hostChanges().find(id, " is supposed to " + event);
  }

  /** Returns how to restore the present description of a host, its foreign load and closings. */
  private UndoLog.Step description(HostRecord host) {
    UndoLog.Step description = host.description();
    UndoLog.Step closings = closings(host);
    return () -> {
      state.peers().beforeChange(host, host.residents);
      description.undo();
      state.noteExpelling(host);
      state.constraints().added(host);
      state.peers().afterChange(host, host.residents);
      state
          .table()
          .change(host.slot(), state.table().dense(host.capacity()), host.foreignAmounts());
      closings.undo();
    };
  }

  /** Returns how to restore what closes a host at present. */
  private UndoLog.Step closings(HostRecord host) {
    UndoLog.Step closings = state.closings().present(host);
    Drain drain = host.drain();
    return () -> {
      state.drain(host, drain);
      closings.undo();
    };
  }

  // ---- Instances

  /** Lets a request have the id of an instance that is supposed to have ended. */
  private void freeId(Request request) {
    InstanceRecord ended = state.instanceRecord(request.id());
    if (ended != null && ended.state() == InstanceState.DONE) {
      state.remove(ended);
      log.add(() -> state.bringBack(List.of(ended)));
    }
  }

  /** An instance is done. It stays among the instances, as one that a pass rejects. */
  private void end(String id, String event, boolean completes) {
    InstanceRecord instance = state.instanceRecord(id);
    if (instance == null || instance.state() == InstanceState.DONE) {
      throw Code.UNKNOWN_INSTANCE.refusal(
          "instance %s is supposed to %s, but there is no such instance, or it is done.",
          id, event);
    }
    if (completes && instance.state() != InstanceState.RUNNING) {
      throw Code.WRONG_STATE.refusal(
          "instance %s is supposed to %s, but it is %s. Maybe suppose that it is cancelled.",
          id, event, instance.state());
    }
    Before before = before(instance);
    Completion completion = instance.completion(state.now());
    transitions.end(instance);
    log.add(before);
    log.add(state.ended().suppose(id, new Ended(instance.attempt(), !completes)));
    if (completes) {
      log.add(state.dependents().completed(id, state.now()));
      state.noteCompleted(completion);
      log.add(() -> state.completions.remove(state.completions.size() - 1));
    }
    BagRecord bag = BagRecord.of(instance);
    if (bag != null) {
      leaveBag(instance, bag, completes);
    }
    GroupRecord group = GroupRecord.of(instance);
    if (group != null) {
      leaveGroup(instance, group, completes);
    }
  }

  private void leaveBag(InstanceRecord instance, BagRecord bag, boolean completes) {
    boolean isLast = bag.members().size() == 1;
    transitions.leaveBag(instance, completes);
    log.add(
        () -> {
          bag.returned(instance, completes);
          if (isLast) {
            state.endedBags.remove(state.endedBags.size() - 1);
            state.bringBack(bag);
          }
          state.changed(bag);
        });
  }

  private void leaveGroup(InstanceRecord instance, GroupRecord group, boolean completes) {
    transitions.leaveGroup(instance, completes);
    log.add(
        () -> {
          group.returned(instance, completes);
          if (!state.contains(group)) {
            state.bringBack(group);
          }
          state.changed(group);
        });
  }

  private Before before(InstanceRecord instance) {
    Before before = new Before();
    before.noteBefore(instance, transitions);
    return before;
  }

  // ---- Budgets

  /** Returns how to restore the present budget of a job. */
  private UndoLog.Step budget(String job) {
    Optional<DisruptionBudget> before = state.budgets().budget(job);
    return () ->
        before.ifPresentOrElse(
            each -> state.budgets().set(job, each), () -> state.budgets().remove(job));
  }
}

package dev.berth.core.internal.state;

import dev.berth.api.BagSpec;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.GroupSpec;
import dev.berth.api.History;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Trigger;
import dev.berth.core.error.EventRefusedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Events that are only supposed: applies them to the cluster, and takes them all back.
 *
 * <p>Each event is applied as the actual one would be, and keeps how to undo it. The ledger of open
 * actions is frozen meanwhile, so no action closes. Cost O(what the events change).
 */
public final class Hypotheses {

  private final ClusterState state;
  private final ClusterEvents events;
  private final HostEvents hostEvents;
  private final BudgetEvents budgetEvents;
  private final Transitions transitions;
  private final Deque<Runnable> undo = new ArrayDeque<>(); // the latest first
  private final Set<Trigger> triggers = EnumSet.noneOf(Trigger.class);
  private final int dimensions;
  private final Runnable counters;

  /** Begins to suppose, as a change of the cluster that {@link #undo} ends. */
  public Hypotheses(
      ClusterState state, ClusterEvents events, HostEvents hostEvents, Transitions transitions) {
    this.state = state;
    this.events = events;
    this.hostEvents = hostEvents;
    this.budgetEvents = new BudgetEvents(state, events);
    this.transitions = transitions;
    this.dimensions = state.table.dimensions();
    this.counters = state.counters();
    state.beginChange();
    state.openActions.freeze(true);
  }

  /** Takes all back, the latest first. */
  public void undo() {
    while (!undo.isEmpty()) {
      undo.pop().run();
    }
    state.budgets.settle();
    state.table.forgetDimensionsFrom(dimensions);
    counters.run();
    state.openActions.freeze(false);
    state.revertChange();
  }

  /** Returns what would make a pass due. */
  public Set<Trigger> triggers() {
    return Collections.unmodifiableSet(triggers);
  }

  // ---- Hosts

  /** A host joins, which no plan has requested. */
  public void addHost(HostSpec spec) {
    if (state.pools.provided(spec.id()) != null) {
      throw new EventRefusedException(
          "host %s is supposed to join, but a plan requested or released it. Maybe another id."
              .formatted(spec.id()));
    }
    HostRecord host = (HostRecord) events.addHost(spec, state.now);
    undo.push(() -> state.leaveHost(host));
    triggers.add(Trigger.HOST_ADDED);
  }

  /** A host that is up leaves. */
  public void removeHost(String id) {
    HostRecord host = require(id, "leave");
    List<Before> stranded = new ArrayList<>(host.residents.size());
    for (InstanceRecord each : host.residents) {
      stranded.add(before(each));
    }
    events.removeHost(id, state.now);
    undo.push(
        () -> {
          if (host.pool != null) {
            host.pool.up.put(host.joined, host);
          }
          state.returnHost(host);
          stranded.forEach(each -> each.restore(transitions));
        });
    triggers.add(Trigger.HOST_REMOVED);
  }

  /** A host changes its capacity, attributes or taints. */
  public void changeHost(HostSpec spec) {
    HostRecord host = require(spec.id(), "change");
    Runnable back = description(host);
    change(hostEvents.changeHost(spec, state.now), back);
  }

  /** Others hold other amounts on a host. */
  public void foreignLoad(String id, Resources foreign) {
    HostRecord host = require(id, "report foreign load");
    Runnable back = description(host);
    change(hostEvents.foreignLoad(id, foreign, state.now), back);
  }

  /** A host is closed. */
  public void cordon(String id) {
    Runnable back = closings(require(id, "be cordoned"));
    change(hostEvents.cordon(id, state.now), back);
  }

  /** A host is opened. */
  public void uncordon(String id) {
    Runnable back = closings(require(id, "be uncordoned"));
    change(hostEvents.uncordon(id, state.now), back);
  }

  /** A host is to be emptied. */
  public void drain(String id, Drain how) {
    Runnable back = closings(require(id, "be drained"));
    change(hostEvents.drain(id, how, state.now), back);
  }

  private void change(boolean changed, Runnable back) {
    if (changed) {
      undo.push(back);
      triggers.add(Trigger.HOST_CHANGED);
    }
  }

  private HostRecord require(String id, String event) {
    HostRecord host = state.hosts.get(id);
    if (host == null) {
      throw new EventRefusedException(
          "host %s is supposed to %s, but no such host is up.".formatted(id, event));
    }
    return host;
  }

  /** Returns how to restore the present description of a host, its foreign load and closings. */
  private Runnable description(HostRecord host) {
    HostSpec spec = host.spec;
    Resources foreign = host.foreign();
    long[] held = host.foreignAmounts;
    boolean mayBeOver = host.mayBeOver;
    HostTaints tainted = host.tainted;
    Runnable closings = closings(host);
    return () -> {
      state.peers.beforeChange(host);
      host.spec = spec;
      host.tainted = tainted;
      state.noteExpelling(host);
      host.foreignLoad(foreign, held);
      state.constraintIndex.added(host);
      state.peers.afterChange(host);
      state.table.change(host.slot, state.table.dense(spec.capacity()), held);
      host.mayBeOver = mayBeOver;
      closings.run();
    };
  }

  /** Returns how to restore what closes a host at present. */
  private Runnable closings(HostRecord host) {
    Map<Closing, Reason> causes = new EnumMap<>(Closing.class);
    causes.putAll(host.closings());
    Drain drain = host.drain;
    return () -> {
      host.drain = drain;
      state.noteDraining(host);
      state.closings.restore(host, causes);
    };
  }

  /** There is more or less of a counted limit. */
  public void setLimit(String name, long amount) {
    long before = state.limits.amount(name);
    if (events.setLimit(name, amount, state.now)) {
      undo.push(() -> state.limits.set(name, before));
      triggers.add(Trigger.LIMIT_CHANGED);
    }
  }

  // ---- Instances

  /** A request is admitted. */
  public void submit(Request request) {
    freeId(request);
    submitted(events.submit(request, state.now));
  }

  /** A request is admitted that continues a history. */
  public void submit(Request request, History history) {
    freeId(request);
    submitted(events.submit(request, history, state.now));
  }

  private void submitted(Instance admitted) {
    InstanceRecord instance = (InstanceRecord) admitted;
    undo.push(() -> forget(instance));
    triggers.add(Trigger.REQUEST_ADMITTED);
  }

  /** A bag of tasks is submitted. */
  public void submit(BagSpec spec) {
    spec.requests().forEach(this::freeId);
    BagRecord bag = (BagRecord) events.submit(spec, state.now);
    List<InstanceRecord> members = List.copyOf(bag.members);
    undo.push(
        () -> {
          members.forEach(this::forget);
          state.bags.remove(bag.id());
          state.changed(bag);
          state.expiriesChanged = true;
        });
    triggers.add(Trigger.REQUEST_ADMITTED);
  }

  /** Lets a request have the id of an instance that is supposed to have ended. */
  private void freeId(Request request) {
    InstanceRecord ended = state.instances.get(request.id());
    if (ended != null && ended.state == InstanceState.DONE) {
      state.remove(ended);
      undo.push(() -> state.bringBack(List.of(ended)));
    }
  }

  private void forget(InstanceRecord admitted) {
    transitions.leavePending(admitted);
    state.remove(admitted);
    transitions.forget(admitted);
  }

  /** A group is submitted. */
  public void submit(GroupSpec spec) {
    spec.members().forEach(this::freeId);
    events.submit(spec, state.now);
    GroupRecord group = state.groups.get(spec.id());
    if (group == null) {
      throw new IllegalStateException("group " + spec.id() + " was not submitted");
    }
    List<InstanceRecord> members = group.members();
    undo.push(
        () -> {
          members.forEach(this::forget);
          state.groups.remove(group.id());
          state.changed(group);
        });
    triggers.add(Trigger.REQUEST_ADMITTED);
  }

  /** An instance in any state is done. It stays among the instances, as one that a pass rejects. */
  public void end(String id) {
    InstanceRecord instance = state.instances.get(id);
    if (instance == null || instance.state == InstanceState.DONE) {
      throw new EventRefusedException(
          "instance %s is supposed to end, but there is no such instance, or it is done."
              .formatted(id));
    }
    Before before = before(instance);
    boolean completes = instance.state == InstanceState.RUNNING;
    transitions.end(instance);
    undo.push(() -> before.restore(transitions));
    if (instance.bag != null) {
      leaveBag(instance, instance.bag, completes);
    }
    if (instance.group != null) {
      leaveGroup(instance, instance.group, completes);
    }
    triggers.add(Trigger.INSTANCE_COMPLETED);
  }

  private void leaveBag(InstanceRecord instance, BagRecord bag, boolean completes) {
    boolean isLast = bag.members.size() == 1;
    transitions.leaveBag(instance, completes);
    undo.push(
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
    undo.push(
        () -> {
          group.returned(instance, completes);
          if (state.groups.get(group.id()) != group) {
            state.bringBack(group);
          }
          state.changed(group);
        });
  }

  private Before before(InstanceRecord instance) {
    Before before = new Before();
    before.noteBefore(instance, state);
    return before;
  }

  // ---- Budgets

  /** A job has a disruption budget. */
  public void setBudget(String job, DisruptionBudget budget) {
    Runnable back = budget(job);
    changeBudget(budgetEvents.set(job, budget, state.now), back);
  }

  /** A job has no disruption budget. */
  public void removeBudget(String job) {
    Runnable back = budget(job);
    changeBudget(budgetEvents.remove(job, state.now), back);
  }

  private void changeBudget(boolean changed, Runnable back) {
    if (changed) {
      undo.push(back);
      triggers.add(Trigger.BUDGET_CHANGED);
    }
  }

  /** Returns how to restore the present budget of a job. */
  private Runnable budget(String job) {
    Optional<DisruptionBudget> before = state.budgets.budget(job);
    return () ->
        before.ifPresentOrElse(
            each -> state.budgets.set(job, each), () -> state.budgets.remove(job));
  }

  // ---- Time

  /** The times of what is held back end, if they are over. */
  public void endBackoffs() {
    Runnable back = state.backoffs.end();
    if (back != null) {
      undo.push(back);
      triggers.add(Trigger.HELD_BACK_ENDED);
    }
  }
}

package dev.berth.core.internal.state;

import dev.berth.api.History;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.InstanceReport;
import dev.berth.core.internal.action.Before;
import dev.berth.core.internal.action.OpenAction;
import dev.berth.core.internal.budget.BudgetRecord;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.SavedInstance;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.group.GroupRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The transitions of instances. Each keeps {@code e + p = now − admission}, moves capacity and
 * notifies the {@code TransitionListener}.
 *
 * <p>The caller has checked that a transition may happen. A transition first changes the instance,
 * then asks for its new keys, then moves it. If a part of the policy fails to give the keys, the
 * transition has not happened.
 */
public final class Transitions implements Before.Restorer {

  private final ClusterState state;
  private final SavedInstance saved = new SavedInstance(); // for the one transition under way

  /** Prepares transitions in a cluster. */
  public Transitions(ClusterState state) {
    this.state = state;
  }

  /** Pending to starting. */
  public void place(InstanceRecord instance, HostRecord host, Grant grant) {
    place(instance, host, grant, saved.note(instance));
  }

  /** Pending to starting, for a pass that has noted the state before. */
  public void place(InstanceRecord instance, HostRecord host, Grant grant, Before before) {
    place(instance, host, grant, before.former());
  }

  private void place(InstanceRecord instance, HostRecord host, Grant grant, SavedInstance former) {
    state.beginChange();
    instance.isPlaced(host, grant, state.nextPlacementNumber(), state.now());
    change(instance, former, state.now());
    state.setLatestPlacement(host.id(), instance.placementNumber());
  }

  /** On a host to pending, by preemption. */
  public void preempt(InstanceRecord instance) {
    preempt(instance, saved.note(instance));
  }

  /** On a host to pending, by preemption, for a pass that has noted the state before. */
  public void preempt(InstanceRecord instance, Before before) {
    preempt(instance, before.former());
  }

  private void preempt(InstanceRecord instance, SavedInstance former) {
    state.beginChange();
    instance.isPreempted(state.now());
    change(instance, former, state.now());
  }

  /** On a host to pending, by the engine. The next start counts as a restart. */
  public void evict(InstanceRecord instance) {
    SavedInstance former = begin(instance);
    instance.stops(state.now(), true);
    change(instance, former, state.now());
  }

  /** Same state, with another grant. */
  public void resize(InstanceRecord instance, Grant grant) {
    SavedInstance former = begin(instance);
    instance.isGranted(grant);
    change(instance, former, state.now());
  }

  /** Running to paused, or either to suspended. */
  public void halt(InstanceRecord instance, InstanceState halted) {
    SavedInstance former = begin(instance);
    instance.isHalted(halted, state.now());
    change(instance, former, state.now());
  }

  /** Paused or suspended to starting, on the same host. */
  public void resume(InstanceRecord instance, Grant grant) {
    SavedInstance former = begin(instance);
    instance.starts(grant, state.now());
    change(instance, former, state.now());
  }

  /** From one host to another, starting there. */
  public void migrate(InstanceRecord instance, HostRecord host, Grant grant) {
    SavedInstance former = begin(instance);
    instance.migrates(host, grant, state.now());
    change(instance, former, state.now());
  }

  /** Any state to done. The instance stays in the cluster, so that the transition can be undone. */
  public void end(InstanceRecord instance) {
    SavedInstance former = begin(instance);
    instance.ends(state.now());
    leave(instance, former);
    state.endChange();
  }

  /**
   * Pending to done. The instance stays in the cluster until {@link #forgetEnded}, so that the
   * transition can be undone.
   */
  public void reject(InstanceRecord instance) {
    SavedInstance former = begin(instance);
    instance.isRejected(state.now());
    leave(instance, former);
    state.endChange();
  }

  /** Forgets an instance that an action ended. Only the rejection of the action can undo this. */
  public void forgetEnded(InstanceRecord instance) {
    state.beginChange();
    state.remove(instance);
    state.noteEnded(instance, true);
    leaveBag(instance, false);
    leaveGroup(instance, false);
    state.endChange();
  }

  /**
   * All instances of a bag to done. The bag and its instances stay in the cluster until {@link
   * #forgetCancelled}, so that the transition can be undone.
   */
  public void cancel(BagRecord bag) {
    state.beginChange();
    bag.members().forEach(this::end);
    state.endChange();
  }

  /** Returns the outcome of a bag that was just cancelled. */
  public BagReport report(BagRecord bag, Reason why) {
    List<InstanceReport> cutOff = new ArrayList<>(bag.members().size());
    for (InstanceRecord each : bag.members()) {
      cutOff.add(InstanceReport.of(each, state.now()));
    }
    return bag.report(cutOff, Optional.of(why), state.now());
  }

  /**
   * Forgets a cancelled bag, whose outcome the next plan reports. Only the rejection of the action
   * can undo this.
   */
  public void forgetCancelled(BagRecord bag, BagReport report) {
    state.beginChange();
    for (InstanceRecord each : bag.members()) {
      state.remove(each);
      state.noteEnded(each, true);
    }
    state.leave(bag);
    state.noteEnded(report);
    state.endChange();
  }

  /** Settles the actions of the latest plan that end with the next one. */
  public void settle() {
    List<OpenAction> settled = state.openActions().untilNextPass();
    if (settled.isEmpty()) {
      return;
    }
    for (OpenAction each : settled) {
      InstanceRecord ended = each.instance();
      if (ended != null) {
        forget(ended);
        state.openActions().end(ended);
      } else {
        for (Before member : each.members()) {
          forget(member.subject());
          state.openActions().end(member.subject());
        }
        state.openActions().close(each);
      }
    }
    settled.clear();
  }

  void forget(InstanceRecord instance) {
    state.constraints().release(instance.constraints);
    state.peers().disconnect(instance);
    state.limits().disconnect(instance);
    state.dependents().disconnect(instance);
  }

  void leaveBag(InstanceRecord instance, boolean complete) {
    BagRecord bag = BagRecord.of(instance);
    if (bag == null) {
      return;
    }
    bag.left(instance, complete);
    state.changed(bag);
    if (bag.isEmpty()) {
      state.leave(bag);
      state.noteEnded(bag.report(List.of(), Optional.empty(), state.now()));
    }
  }

  void leaveGroup(InstanceRecord instance, boolean complete) {
    GroupRecord group = GroupRecord.of(instance);
    if (group == null) {
      return;
    }
    group.left(instance, complete);
    state.groupChanges(instance);
    state.changed(group);
    if (group.isEmpty()) {
      state.leave(group);
    }
  }

  @Override
  public @Nullable String latestPlacement() {
    return state.latestPlacement();
  }

  @Override
  public long latestPlacementNumber() {
    return state.latestPlacementNumber();
  }

  /** Undoes an action: restores the former state of an instance. */
  @Override
  public void undo(InstanceRecord instance, Before before) {
    SavedInstance present = begin(instance);
    instance.restore(before.former());
    goBack(instance, before.former(), present, present.stateSince());
    state.setLatestPlacement(before.latestPlacement(), before.latestPlacementNumber());
    state.endChange();
  }

  /**
   * Moves an instance, whose former state has been restored.
   *
   * @param stopped since when it has not run, if it runs again
   */
  void goBack(InstanceRecord instance, SavedInstance before, SavedInstance present, long stopped) {
    if (before.state() == InstanceState.RUNNING
        && present.state() != InstanceState.RUNNING
        && before.host() != null) {
      before.host().removeCompletion(stopped);
    }
    leave(instance, present);
    enter(instance, present);
    if (before.heldBack()) {
      state.backoffs().holdAgain(instance);
    }
  }

  /**
   * From whatever is believed to what a fleet reports: a state on a host.
   *
   * @param at since when; not before the believed state began
   */
  void correct(
      InstanceRecord instance,
      HostRecord host,
      InstanceState seen,
      OptionalInt attempt,
      long at,
      long now) {
    SavedInstance former = begin(instance);
    instance.isFound(host, seen, attempt, at);
    rekey(instance, former);
    state.openActions().end(instance);
    move(instance, former, now);
    state.backoffs().isOnHost(instance);
    state.dependents().disconnect(instance);
    state.closings().checkCapacity(host);
  }

  /**
   * From nothing to a state on a host; the instance is new.
   *
   * @param at since when it is in that state
   * @param before its history up to then
   */
  void adopt(
      InstanceRecord instance,
      HostRecord host,
      InstanceState seen,
      OptionalInt attempt,
      long at,
      History before) {
    SavedInstance former = begin(instance);
    instance.isAdopted(host, seen, attempt, at, before);
    rekey(instance, former);
    enter(instance, former);
    state.endChange();
    state.closings().checkCapacity(host);
  }

  // ---- Steps: first the state of the instance, then its keys, then its place in the orders

  /** Begins a change of an instance. Returns its present state. */
  SavedInstance begin(InstanceRecord instance) {
    state.beginChange();
    return saved.note(instance);
  }

  /** Completes a transition and ends its change; undoes it if a part of the policy throws. */
  void change(InstanceRecord instance, SavedInstance former, long time) {
    rekey(instance, former);
    move(instance, former, time);
  }

  /** Computes the keys of a changed instance; undoes its change if a part of the policy throws. */
  void rekey(InstanceRecord instance, SavedInstance former) {
    try {
      state.follower().rekey(instance);
    } catch (Throwable failure) {
      instance.restore(former);
      state.revertChange();
      throw failure;
    }
  }

  /** Completes a transition, which nothing can undo any more, and ends its change. */
  void move(InstanceRecord instance, SavedInstance former, long time) {
    state.setNow(time);
    leave(instance, former);
    enter(instance, former);
    state.endChange();
  }

  void leave(InstanceRecord instance, SavedInstance former) {
    state.changed(instance);
    state.groupChanges(instance);
    if (former.state() == InstanceState.PENDING) {
      if (instance.state() == InstanceState.STARTING || instance.state() == InstanceState.DONE) {
        leavePending(instance);
      } else {
        leavePendingAs(instance, former);
      }
    }
    if (former.host() == null) {
      return;
    }
    state.follower().leavesHost(instance, former.host(), former.state());
    state.runLimits().leavesHost(instance, former);
    count(instance, former.state(), former.host(), -1);
    state.touch(former.host());
    if (former.state() == InstanceState.RUNNING && instance.state() != InstanceState.RUNNING) {
      former.host().ended(instance.stateSince());
    }
    boolean moves = instance.place() != former.host();
    if (moves || instance.held() != former.held()) {
      state.table().giveBack(former.host().slot(), former.held());
      if (former.host().mayBeOver()) {
        state.closings().checkCapacity(former.host());
      }
    }
    if (moves) {
      state.dismiss(instance, former.host());
      GroupRecord.countOnHosts(instance, -1);
    }
  }

  /** Counts an instance that enters a state, or leaves one. */
  private void count(
      InstanceRecord instance, InstanceState inState, @Nullable HostRecord host, int change) {
    state.count(instance, inState, change);
    BudgetRecord budget = instance.job == null ? null : BudgetRecord.of(instance.job);
    if (budget != null) {
      state.budgets().count(budget, instance, inState, host, change);
    }
  }

  /** Puts an instance where it is now; its former state was left, or it is new. */
  public void enter(InstanceRecord instance, SavedInstance former) {
    state.groupChanges(instance);
    if (instance.state() == InstanceState.PENDING) {
      enterPending(instance);
    }
    HostRecord host = instance.place();
    if (host == null) {
      return;
    }
    state.changed(instance);
    instance.takeKeys(); // of the latest wait, if an action is undone
    boolean moves = host != former.host();
    if (moves || instance.held() != former.held()) {
      state.table().take(host.slot(), instance.held());
      if (host.mayBeOver()) {
        state.closings().checkCapacity(host);
      }
    }
    if (moves) {
      state.admit(instance, host);
      GroupRecord.countOnHosts(instance, 1);
    }
    state.follower().isOnHost(instance, host);
    state.runLimits().isOnHost(instance);
    count(instance, instance.state(), host, 1);
    state.touch(host);
  }

  void enterPending(InstanceRecord instance) {
    state.changed(instance);
    instance.takeKeys();
    state.addPending(instance);
    count(instance, InstanceState.PENDING, null, 1);
    GroupRecord.countPending(instance, 1);
    if (!state.dependents().holds(instance) && !state.backoffs().holds(instance)) {
      state.follower().isPending(instance);
    }
  }

  /** Leaves the queue with the state there, on which the place in the queue may depend. */
  private void leavePendingAs(InstanceRecord instance, SavedInstance pending) {
    SavedInstance next = new SavedInstance().note(instance);
    instance.saveNextKeys(next);
    instance.restore(pending);
    leavePending(instance);
    instance.restore(next);
  }

  void leavePending(InstanceRecord instance) {
    if (!state.backoffs().leaves(instance)) {
      state.follower().leavesQueue(instance);
    }
    state.removePending(instance);
    count(instance, InstanceState.PENDING, null, -1);
    GroupRecord.countPending(instance, -1);
  }
}

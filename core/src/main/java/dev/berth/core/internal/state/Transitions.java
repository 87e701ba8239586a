package dev.berth.core.internal.state;

import dev.berth.api.BagReport;
import dev.berth.api.Dimension;
import dev.berth.api.InstanceReport;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The transitions of instances. Each keeps {@code e + p = now − admission}, moves capacity and
 * notifies the {@link TransitionListener}.
 *
 * <p>The caller has checked that a transition may happen. A transition first changes the instance,
 * then asks for its new keys, then moves it. If a part of the policy fails to give the keys, the
 * transition has not happened.
 */
public final class Transitions {

  private final ClusterState state;
  private final SavedInstance saved = new SavedInstance(); // for the one transition under way

  /** Prepares transitions in a cluster. */
  public Transitions(ClusterState state) {
    this.state = state;
  }

  /** Pending to starting. */
  public void place(InstanceRecord instance, HostRecord host, Grant grant) {
    SavedInstance former = begin(instance);
    instance.state = InstanceState.STARTING;
    instance.stateSince = state.now;
    instance.host = host;
    grant.giveTo(instance);
    instance.held = holding(instance);
    instance.placements++;
    instance.placedAfterPreemption = instance.lastStopWasPreemption;
    instance.lastStopWasPreemption = false;
    change(instance, former, state.now);
    state.latestPlacement = host.id();
  }

  /** On a host to pending, by preemption. */
  public void preempt(InstanceRecord instance) {
    SavedInstance former = begin(instance);
    instance.preemptions++;
    stop(instance, state.now, true);
    change(instance, former, state.now);
  }

  /** Same state, with another grant. */
  public void resize(InstanceRecord instance, Grant grant) {
    SavedInstance former = begin(instance);
    grant.giveTo(instance);
    instance.held = holding(instance);
    change(instance, former, state.now);
  }

  /** Running to paused, or either to suspended. */
  public void halt(InstanceRecord instance, InstanceState halted) {
    SavedInstance former = begin(instance);
    endService(instance, state.now);
    instance.state = halted;
    instance.stateSince = state.now;
    instance.held = holding(instance);
    change(instance, former, state.now);
  }

  /** Paused or suspended to starting, on the same host. */
  public void resume(InstanceRecord instance, Grant grant) {
    SavedInstance former = begin(instance);
    instance.state = InstanceState.STARTING;
    instance.stateSince = state.now;
    grant.giveTo(instance);
    instance.held = holding(instance);
    change(instance, former, state.now);
  }

  /** From one host to another, starting there. */
  public void migrate(InstanceRecord instance, HostRecord host, Grant grant) {
    SavedInstance former = begin(instance);
    endService(instance, state.now);
    instance.migrations++;
    instance.state = InstanceState.STARTING;
    instance.stateSince = state.now;
    instance.host = host;
    instance.usage = null;
    instance.previousUsage = null;
    grant.giveTo(instance);
    instance.held = holding(instance);
    change(instance, former, state.now);
  }

  /**
   * Pending to done. The instance stays in the cluster until {@link #forgetRefused}, so that the
   * transition can be undone.
   */
  public void reject(InstanceRecord instance) {
    SavedInstance former = begin(instance);
    instance.state = InstanceState.DONE;
    instance.stateSince = state.now;
    leave(instance, former);
    state.endChange();
  }

  /** Forgets a rejected instance. This cannot be undone. */
  public void forgetRefused(InstanceRecord instance) {
    state.beginChange();
    state.remove(instance);
    forget(instance);
    leaveBag(instance, false);
    state.endChange();
  }

  /**
   * All instances of a bag to done. The bag and its instances stay in the cluster until {@link
   * #forgetCancelled}, so that the transition can be undone.
   */
  public void cancel(BagRecord bag) {
    state.beginChange();
    for (InstanceRecord each : bag.members) {
      SavedInstance former = saved.note(each);
      stop(each, state.now, false);
      each.state = InstanceState.DONE;
      leave(each, former);
    }
    state.endChange();
  }

  /** Returns the outcome of a bag that was just cancelled. */
  public BagReport report(BagRecord bag, Reason why) {
    List<InstanceReport> cutOff = new ArrayList<>(bag.members.size());
    for (InstanceRecord each : bag.members) {
      cutOff.add(InstanceReport.of(each, state.now));
    }
    return bag.report(cutOff, Optional.of(why), state.now);
  }

  /** Forgets a cancelled bag, whose outcome the next plan reports. This cannot be undone. */
  public void forgetCancelled(BagRecord bag, BagReport report) {
    state.beginChange();
    for (InstanceRecord each : bag.members) {
      state.remove(each);
      forget(each);
    }
    state.bags.remove(bag.id());
    state.expiriesChanged = true;
    state.endedBags.add(report);
    state.endChange();
  }

  void forget(InstanceRecord instance) {
    state.constraintIndex.release(instance.constraints);
    if (instance.job != null && --instance.job.members == 0) {
      state.jobs.remove(instance.job.name);
    }
  }

  void leaveBag(InstanceRecord instance, boolean complete) {
    BagRecord bag = instance.bag;
    if (bag == null) {
      return;
    }
    bag.left(instance, complete);
    if (bag.members.isEmpty()) {
      state.bags.remove(bag.id());
      state.expiriesChanged = true;
      state.endedBags.add(bag.report(List.of(), Optional.empty(), state.now));
    }
  }

  /** Undoes an action: restores the former state of an instance. */
  public void undo(
      InstanceRecord instance, SavedInstance before, @Nullable String latestPlacementBefore) {
    SavedInstance present = begin(instance);
    before.restore(instance);
    if (before.state == InstanceState.RUNNING
        && present.state != InstanceState.RUNNING
        && before.host != null) {
      before.host.removeLatestCompletion();
    }
    leave(instance, present);
    enter(instance, present);
    state.latestPlacement = latestPlacementBefore;
    state.endChange();
  }

  /** Returns the amounts that an instance holds, by its state and its type of host. */
  private long[] holding(InstanceRecord instance) {
    if (instance.state == InstanceState.SUSPENDED) {
      return InstanceRecord.NOTHING;
    }
    boolean shares = instance.host != null && instance.host.timeShared();
    return shares || instance.state == InstanceState.PAUSED
        ? withoutCpu(instance.granted)
        : instance.granted;
  }

  private long[] withoutCpu(long[] granted) {
    int cpu = state.table.numberOf(Dimension.CPU);
    if (cpu < 0 || cpu >= granted.length || granted[cpu] == 0) {
      return granted;
    }
    long[] rest = granted.clone();
    rest[cpu] = 0;
    return rest;
  }

  // ---- Steps: first the state of the instance, then its keys, then its place in the orders

  /** Begins a change of an instance. Returns its present state. */
  SavedInstance begin(InstanceRecord instance) {
    state.beginChange();
    return saved.note(instance);
  }

  private static void endService(InstanceRecord instance, long time) {
    if (instance.state == InstanceState.RUNNING) {
      instance.served += time - instance.stateSince;
      instance.earned += instance.earnedBetween(instance.stateSince, time);
    }
  }

  static void stop(InstanceRecord instance, long time, boolean byPreemption) {
    endService(instance, time);
    instance.state = InstanceState.PENDING;
    instance.stateSince = time;
    instance.host = null;
    instance.granted = instance.demand;
    instance.grantedResources = null;
    instance.held = InstanceRecord.NOTHING;
    instance.usage = null;
    instance.previousUsage = null;
    instance.lastStopWasPreemption = byPreemption;
  }

  /** Completes a transition and ends its change; undoes it if a part of the policy throws. */
  void change(InstanceRecord instance, SavedInstance former, long time) {
    try {
      state.index.rekey(instance);
    } catch (Throwable failure) {
      former.restore(instance);
      state.revertChange();
      throw failure;
    }
    state.now = time;
    leave(instance, former);
    enter(instance, former);
    state.endChange();
  }

  void leave(InstanceRecord instance, SavedInstance former) {
    if (former.state == InstanceState.PENDING) {
      leavePending(instance);
    }
    if (former.host == null) {
      return;
    }
    state.index.leavesHost(instance, former.host, former.state);
    state.count(instance, former.state, -1);
    state.touch(former.host);
    if (former.state == InstanceState.RUNNING && instance.state != InstanceState.RUNNING) {
      former.host.ended(state.now);
    }
    boolean moves = instance.host != former.host;
    if (moves || instance.held != former.held) {
      state.table.giveBack(former.host.slot, former.held);
    }
    if (moves) {
      former.host.dismiss(instance);
      if (instance.job != null) {
        instance.job.left(former.host, instance.antiAffinity);
      }
    }
  }

  void enter(InstanceRecord instance, SavedInstance former) {
    if (instance.state == InstanceState.PENDING) {
      enterPending(instance);
    }
    HostRecord host = instance.host;
    if (host == null) {
      return;
    }
    instance.victimKey = instance.nextVictimKey;
    boolean moves = host != former.host;
    if (moves || instance.held != former.held) {
      state.table.take(host.slot, instance.held);
    }
    if (moves) {
      host.admit(instance);
      if (instance.job != null) {
        instance.job.arrived(host, instance.antiAffinity);
      }
    }
    state.index.isOnHost(instance, host);
    state.count(instance, instance.state, 1);
    state.touch(host);
  }

  void enterPending(InstanceRecord instance) {
    instance.queueKey = instance.nextQueueKey;
    instance.victimKey = instance.nextVictimKey;
    instance.pendingPlace = state.pending.size();
    state.pending.add(instance);
    state.count(instance, InstanceState.PENDING, 1);
    state.index.isPending(instance);
  }

  void leavePending(InstanceRecord instance) {
    state.index.leavesQueue(instance);
    InstanceRecord last = state.pending.remove(state.pending.size() - 1);
    if (last != instance) {
      state.pending.set(instance.pendingPlace, last);
      last.pendingPlace = instance.pendingPlace;
    }
    instance.pendingPlace = -1;
    state.count(instance, InstanceState.PENDING, -1);
  }
}

package dev.berth.core.internal.pass;

import dev.berth.api.Host;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Action;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.decision.Decision;
import dev.berth.core.internal.action.Before;
import dev.berth.core.internal.budget.BudgetRecord;
import dev.berth.core.internal.cluster.Departures;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.PlacementRules;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.elastic.ElasticActions;
import dev.berth.core.internal.elastic.PoolRecord;
import dev.berth.core.internal.elastic.ProvidedHost;
import dev.berth.core.internal.group.GroupRecord;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import dev.berth.core.internal.undo.UndoLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The actions of a pass. Each checks with the guard that it may happen, takes effect on the state
 * at once, and is recorded in the log. It returns why it is refused, or null if it is done.
 */
public final class PassActions implements Departures {

  private final Pass pass;
  private final ClusterState state;
  private final Transitions transitions;
  private final ElasticActions elastic;
  private final PassLog log;
  private final PassGuard guard;
  private final long number; // of the pass
  private final int maxPlacements;
  private boolean hasEvicted;

  PassActions(
      Pass pass,
      ClusterState state,
      Transitions transitions,
      PassLog log,
      PassGuard guard,
      int maxPlacements) {
    this.pass = pass;
    this.state = state;
    this.transitions = transitions;
    this.elastic =
        new ElasticActions(state, state.pools(), state.openActions()::changesUntilNextPass);
    this.log = log;
    this.guard = guard;
    this.number = pass.number();
    this.maxPlacements = maxPlacements;
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public void requireRunning() {
    pass.requireRunning();
  }

  /** Returns whether the pass has placed as many instances as it may. */
  public boolean isFull() {
    return log.placements() >= maxPlacements;
  }

  /** Returns whether the pass has evicted instances, which the next pass may place. */
  public boolean hasEvicted() {
    return hasEvicted;
  }

  // ---- Of the engine

  /** Migrates an instance that fits on a host, with its present grant. */
  @Override
  public void moveTo(InstanceRecord instance, HostRecord host, Reason why) {
    Reason refusal = migrate(instance, host, Grant.of(instance), why);
    if (refusal != null) {
      throw new IllegalStateException(
          "the drain chose %s for %s, which the guard refuses: %s"
              .formatted(host, instance, refusal.describe()));
    }
    guard.drained(instance, why);
  }

  /** Stops an instance by decision of the engine. */
  @Override
  public void evict(InstanceRecord instance, Reason why) {
    HostRecord host = hostOf(instance);
    adjust(
        instance,
        new Action.Evict(instance.id(), host.id(), why),
        why,
        () -> transitions.evict(instance));
    guard.drained(instance, why);
    hasEvicted = true;
  }

  /** Stops an instance for good, by decision of the engine. */
  void stop(InstanceRecord instance, Reason why) {
    adjust(
        instance,
        new Action.Stop(InstanceReport.of(instance, state.now()), hostOf(instance).id(), why),
        why,
        () -> transitions.end(instance));
  }

  // ---- On instances

  /** Places as {@link SchedulingPass#place} does; returns why it is refused, or null if done. */
  public @Nullable Reason place(
      InstanceRecord instance,
      HostRecord host,
      InstanceRecord[] victims,
      int count,
      Grant grant,
      @Nullable Decision decision) {
    Reason obstacle = obstacle(instance, host, victims, count, grant);
    if (obstacle != null) {
      return obstacle;
    }
    int mark = log.size();
    boolean wasBusy = pass.busy;
    pass.busy = true;
    try {
      for (int i = 0; i < count; i++) {
        InstanceRecord victim = victims[i];
        PassLog.OnInstance left = log.about(victim).preempted(hostOf(victim), instance);
        log.add(left);
        transitions.preempt(victim, left);
        victim.actedOn(number);
        GroupRecord group = GroupRecord.of(victim);
        if (group != null && group.onHosts() == 0) {
          log.add(group.startAgainIn(number));
        }
      }
      PassLog.OnInstance placed = log.about(instance).placed(host, grant.resources(), decision);
      log.add(placed);
      transitions.place(instance, host, grant, placed);
      instance.actedOn(number);
    } catch (VirtualMachineError fatal) {
      pass.stop = fatal; // the end of the pass undoes it, with more stack than here
      throw fatal;
    } catch (Throwable failure) {
      pass.undoTo(mark);
      throw failure;
    } finally {
      pass.busy = wasBusy;
    }
    return null;
  }

  /** Returns why {@link #place} would be refused, or null if it would not. */
  @Nullable Reason obstacle(
      InstanceRecord instance, HostRecord host, InstanceRecord[] victims, int count, Grant grant) {
    Reason obstacle = guard.obstacle(instance, host, victims, count, grant);
    return obstacle == null && isFull() && !isMissing(instance)
        ? new Reason.PassFull(maxPlacements)
        : obstacle;
  }

  /**
   * Returns whether an instance is needed to complete a group that this pass has begun to start.
   */
  private boolean isMissing(InstanceRecord instance) {
    GroupRecord group = GroupRecord.of(instance);
    return group != null && group.startsIn(number) && group.isBroken();
  }

  /** Rejects a request; returns why that is refused, or null if done. */
  public @Nullable Reason reject(InstanceRecord instance, Reason why) {
    if (instance.state() != InstanceState.PENDING || instance.placements() > 0) {
      return new Reason.WrongState(
          instance.id(),
          "must be pending and never placed to be rejected, is " + PassGuard.where(instance));
    }
    if (!instance.waitsFor().isEmpty()) {
      return state.whyHeldBack(instance); // it is for the policy once it is runnable
    }
    if (instance.actedInPass() == number) { // a fleet was found to run it without a placement
      return guard.acted(instance, "was acted on in this pass, so it is not rejected");
    }
    adjust(
        instance, new Action.Reject(instance.id(), why), why, () -> transitions.reject(instance));
    return null;
  }

  /** Records why a pending instance keeps waiting. */
  @Override
  public void defer(InstanceRecord waiting, Reason why) {
    log.add(new PassLog.Deferred(waiting, why));
  }

  /** Records the first instance in queue order without room, if others wait for it. */
  public void waitFor(InstanceRecord head) {
    log.add(new PassLog.HeadBlocked(head));
  }

  /** Records the host on which a waiting instance holds a reservation; null if it holds none. */
  public void promise(InstanceRecord waiting, @Nullable HostRecord host) {
    promise(waiting, host == null ? InstanceRecord.NO_HOST : host.joined);
  }

  /** Records the host of a reservation by its number of joining. */
  void promise(InstanceRecord waiting, long number) {
    if (waiting.promised() != number) {
      log.add(new PassLog.Promised(waiting, waiting.promised(), state));
      waiting.promise(number);
      state.changed(waiting);
    }
  }

  @Nullable Reason resize(InstanceRecord instance, Grant grant, Reason why) {
    Reason obstacle =
        guard.unready(
            instance,
            "must be starting, running or paused to be resized",
            InstanceState.STARTING,
            InstanceState.RUNNING,
            InstanceState.PAUSED);
    return obstacle != null
        ? obstacle
        : regrant(
            instance,
            grant,
            instance.state() != InstanceState.PAUSED,
            new Action.Resize(instance.id(), hostOf(instance).id(), resourcesOf(instance, grant)),
            why,
            () -> transitions.resize(instance, grant));
  }

  @Nullable Reason resume(InstanceRecord instance, Grant grant, Reason why) {
    Reason obstacle =
        guard.unready(
            instance,
            "must be paused or suspended to be resumed",
            InstanceState.PAUSED,
            InstanceState.SUSPENDED);
    if (obstacle == null) {
      obstacle = hostOf(instance).closedBy();
    }
    if (obstacle == null) {
      obstacle = PlacementRules.tainted(instance, hostOf(instance));
    }
    return obstacle != null
        ? obstacle
        : regrant(
            instance,
            grant,
            true,
            new Action.Resume(
                instance.id(),
                hostOf(instance).id(),
                resourcesOf(instance, grant),
                instance.attempt() + 1),
            why,
            () -> transitions.resume(instance, grant));
  }

  private @Nullable Reason regrant(
      InstanceRecord instance,
      Grant grant,
      boolean withCpu,
      Action action,
      Reason why,
      Runnable change) {
    Reason shortage = guard.shortage(hostOf(instance), grant.amounts(), instance, withCpu);
    if (shortage == null) {
      adjust(instance, action, why, change);
    }
    return shortage;
  }

  @Nullable Reason pause(InstanceRecord instance, Reason why) {
    Reason obstacle =
        guard.unready(instance, "must be running to be paused", InstanceState.RUNNING);
    return obstacle == null ? halt(instance, InstanceState.PAUSED, why) : obstacle;
  }

  @Nullable Reason suspend(InstanceRecord instance, Reason why) {
    Reason obstacle =
        guard.unready(
            instance,
            "must be running or paused to be suspended",
            InstanceState.RUNNING,
            InstanceState.PAUSED);
    return obstacle == null ? halt(instance, InstanceState.SUSPENDED, why) : obstacle;
  }

  private @Nullable Reason halt(InstanceRecord instance, InstanceState halted, Reason why) {
    Reason protection = BudgetRecord.protection(instance);
    if (protection == null) {
      String host = hostOf(instance).id();
      adjust(
          instance,
          halted == InstanceState.PAUSED
              ? new Action.Pause(instance.id(), host)
              : new Action.Suspend(instance.id(), host),
          why,
          () -> transitions.halt(instance, halted));
    }
    return protection;
  }

  @Nullable Reason migrate(InstanceRecord instance, HostRecord host, Grant grant, Reason why) {
    Reason obstacle = guard.unmovable(instance, host, grant);
    if (obstacle == null) {
      adjust(
          instance,
          new Action.Migrate(
              instance.id(),
              hostOf(instance).id(),
              host.id(),
              resourcesOf(instance, grant),
              instance.attempt() + 1),
          why,
          () -> transitions.migrate(instance, host, grant));
    }
    return obstacle;
  }

  // ---- On hosts and bags

  @Nullable Reason provision(
      PoolRecord pool, int count, Optional<String> cluster, OptionalLong expiresAt, Reason why) {
    Reason obstacle = PassGuard.unprovidable(pool, count, cluster);
    if (obstacle != null) {
      return obstacle;
    }
    List<String> ids = new ArrayList<>(count);
    state.beginChange();
    UndoLog.Step done = elastic.provision(pool, count, cluster, expiresAt, ids);
    arranged(new Action.Provision(pool.name(), ids, cluster, expiresAt), why, done);
    return null;
  }

  @Nullable Reason release(Host host, Reason why) {
    ProvidedHost starting = state.starting(host);
    HostRecord up = state.record(host);
    PoolRecord pool = up == null ? null : PoolRecord.of(up);
    if (starting != null) {
      state.beginChange();
      UndoLog.Step done = elastic.release(starting);
      arranged(new Action.Release(host.id(), starting.pool.name()), why, done);
      return null;
    }
    if (up == null) {
      return new Reason.Unknown("host", host.id());
    }
    if (pool == null) {
      return new Reason.WrongSubject(
          "host", host.id(), "belongs to no pool, so it cannot be released");
    }
    if (!up.residents.isEmpty()) {
      return PassGuard.occupied(up);
    }
    state.beginChange();
    UndoLog.Step done = elastic.release(up, pool);
    arranged(new Action.Release(host.id(), pool.name()), why, done);
    return null;
  }

  @Nullable Reason assign(BagRecord bag, String cluster, OptionalLong expiresAt, Reason why) {
    Reason obstacle = PassGuard.unassignable(bag, cluster, expiresAt, state.now());
    if (obstacle != null) {
      return obstacle;
    }
    state.beginChange();
    UndoLog.Step done = elastic.assign(bag, cluster, expiresAt);
    arranged(new Action.Assign(bag.id(), cluster, bag.expiresAt()), why, done);
    return null;
  }

  /** Records an action on hosts or bags, and ends its change. */
  private void arranged(Action action, Reason why, UndoLog.Step change) {
    log.add(new PassLog.Arranged(action, why, change));
    state.endChange();
  }

  @Nullable Reason tryCancel(BagRecord bag, Reason why) {
    for (InstanceRecord each : bag.members()) {
      if (each.actedInPass() == number) {
        return guard.acted(each, "of the bag was acted on in this pass, so it waits for the next");
      }
    }
    Reason protection = BudgetRecord.protection(bag.members());
    if (protection == null) {
      cancel(bag, why);
    }
    return protection;
  }

  /** Cancels a bag, whatever protects its members. */
  BagReport cancel(BagRecord bag, Reason why) {
    List<Before> before = new ArrayList<>(bag.members().size());
    for (InstanceRecord each : bag.members()) {
      Before noted = new Before();
      noted.noteBefore(each, transitions);
      before.add(noted);
    }
    List<String> ids = bag.members().stream().map(InstanceRecord::id).toList();
    state.beginChange();
    transitions.cancel(bag);
    bag.members().forEach(each -> each.actedOn(number));
    BagReport report = transitions.report(bag, why);
    log.add(new PassLog.Cancelled(bag, before, new Action.Cancel(bag.id(), ids, why), report));
    state.endChange();
    return report;
  }

  private static HostRecord hostOf(InstanceRecord instance) {
    return Objects.requireNonNull(instance.place()); // as the guard has checked
  }

  private static Resources resourcesOf(InstanceRecord instance, Grant grant) {
    return grant.resources() == null ? instance.request.demand() : grant.resources();
  }

  void defer(Bag bag, Reason why) {
    log.add(new PassLog.BagDeferred(bag, why));
  }

  /** Carries out a change, or nothing if it fails. Parts of the policy must not act meanwhile. */
  private void adjust(InstanceRecord instance, Action action, Reason why, Runnable change) {
    int mark = log.size();
    boolean wasBusy = pass.busy;
    pass.busy = true;
    try {
      log.add(log.about(instance).adjusted(action, why));
      change.run();
      instance.actedOn(number);
    } catch (VirtualMachineError fatal) {
      pass.stop = fatal;
      throw fatal;
    } catch (Throwable failure) {
      pass.undoTo(mark);
      throw failure;
    } finally {
      pass.busy = wasBusy;
    }
  }
}

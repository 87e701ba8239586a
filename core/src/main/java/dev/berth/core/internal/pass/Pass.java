package dev.berth.core.internal.pass;

import dev.berth.api.Action;
import dev.berth.api.Bag;
import dev.berth.api.BagReport;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.InstanceState;
import dev.berth.api.Plan;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.Trigger;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.decision.Decision;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.error.SchedulerFailedException;
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
import dev.berth.core.internal.group.GroupStep;
import dev.berth.core.internal.host.DrainStep;
import dev.berth.core.internal.host.TaintStep;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import dev.berth.core.internal.undo.UndoLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One pass of a policy over the {@link ClusterState}. Checks every action of the policy.
 *
 * <p>Actions take effect on the state at once, so the policy sees them. A {@link PassLog} records
 * them. The pass undoes them if a fork is discarded or the policy throws; otherwise they become the
 * plan.
 */
public final class Pass implements Departures {

  private final ClusterState state;
  private final Transitions transitions;
  private final ElasticActions elastic;
  private final long number;
  private final Thread thread = Thread.currentThread();
  private final int level; // of open changes, of which the pass is the last
  @Nullable Throwable stop; // why the policy cannot continue; null if it can
  private final Set<Trigger> triggers;
  private final boolean detailed;
  private final int topScores;
  private final int maxPlacements;
  private final int groupBits; // of the host hashes that break ties
  private final PassLog log;
  private final PassGuard guard;
  private final List<Plan.PolicyError> errors = new ArrayList<>();
  private List<BagReport> endedBags = List.of(); // before the policy ran
  private final PolicyView root;
  private PolicyView innermost;
  private @Nullable PlanWriter writer; // of the plan, once the policy has returned
  private long wakeAt = Long.MAX_VALUE;
  private boolean hasEvicted;
  private @Nullable DrainStep drains; // null: no host is draining
  private final @Nullable GroupStep groups; // null: there are none
  private boolean busy; // while parts of the policy decide, which must not act
  private boolean tornSearch; // whether an error ended the search of a pipeline

  /**
   * Opens a pass, as a change of the cluster that {@link #finish} or {@link #abandon} ends.
   *
   * @param log the log of the cluster; with the pass, all that is in it is undone
   * @param oversubscribed the dimensions that the policy oversubscribes
   * @param detailed whether decisions are recorded for the log
   * @param topScores number of best hosts in each record
   * @param maxPlacements most instances that it places; positive
   */
  public Pass(
      ClusterState state,
      Transitions transitions,
      PassLog log,
      long number,
      Set<Trigger> triggers,
      Set<Dimension> oversubscribed,
      boolean detailed,
      int topScores,
      int maxPlacements) {
    this.state = state;
    this.transitions = transitions;
    this.elastic =
        new ElasticActions(state, state.pools(), state.openActions()::changesUntilNextPass);
    this.number = number;
    this.triggers = triggers;
    this.detailed = detailed;
    this.topScores = topScores;
    this.maxPlacements = maxPlacements;
    this.groupBits = SeededTieBreaker.groupBits(state.hostCount());
    this.log = log;
    this.guard = new PassGuard(state, number, oversubscribed);
    this.groups =
        state.groupRecords().isEmpty()
            ? null
            : new GroupStep(this, state.groupRecords(), new Redo(this, state, log)::without);
    this.root =
        new PolicyView(
            this, state, guard, new PassRandom(SeededTieBreaker.combine(state.seed(), number, 0)));
    this.innermost = root;
    state.beginChange();
    this.level = state.openChanges();
  }

  /** Returns the view that the policy acts on. */
  public SchedulingPass view() {
    return root;
  }

  /**
   * Runs the steps of the pass in this order: each depends on what those before have changed. The
   * pass can still be abandoned.
   *
   * @throws SchedulerFailedException if an error has left a change incomplete, even if the policy
   *     caught it
   * @throws CancellationException if the pass was stopped, even if the policy caught that
   */
  public void run(Policy policy) {
    if (state.backoffs().isOver()) {
      state.backoffs().end(log);
    }
    cancelExpired();
    releaseGroups();
    emptyDraining(); // moves instances that the next step would evict
    expelTainted();
    beginGroups();
    policy.schedule(root);
    prepare();
  }

  /** Ends the turn of the policy and collects its actions. Discards a fork left open. */
  private void prepare() {
    requireWhole();
    if (stop != null) {
      throw stopped(stop);
    }
    close();
    if (groups != null) {
      groups.undoIncomplete();
    }
    writer = new PlanWriter(state, transitions, log, number, detailed);
  }

  /**
   * Ends a pass that {@linkplain #run has run} and returns its plan; the actions take effect.
   *
   * @param decisions receives the recorded decisions
   * @param actions receives the other recorded actions
   */
  public Plan finish(Consumer<Decision> decisions, Consumer<ActionRecord> actions) {
    Plan plan = Objects.requireNonNull(writer).write(triggers, errors, decisions, actions);
    if (drains != null) {
      drains.keep();
    }
    state.endChange();
    return plan;
  }

  /**
   * Returns the plan of a pass that {@linkplain #run has run} and is to be {@linkplain #abandon
   * abandoned}.
   *
   * @param decisions receives the recorded decisions
   * @param actions receives the other recorded actions
   */
  public Plan preview(Consumer<Decision> decisions, Consumer<ActionRecord> actions) {
    return Objects.requireNonNull(writer).preview(triggers, errors, decisions, actions);
  }

  /**
   * Returns when the policy wants the next pass, or {@link Long#MAX_VALUE} if it does not ask for
   * one.
   */
  public long wakeAt() {
    return wakeAt;
  }

  /** Returns whether the pass has placed as many instances as it may. */
  public boolean isFull() {
    return log.placements() >= maxPlacements;
  }

  /**
   * Requires that the pass goes on: refuses a call of another thread, and stops the pass if its
   * thread is interrupted.
   *
   * @throws CancellationException if the pass is stopped; the policy cannot continue it
   */
  @Override
  public void requireRunning() {
    requireThread();
    if (stop != null) {
      throw stopped(stop);
    }
    if (thread.isInterrupted()) {
      CancellationException interrupted =
          new CancellationException(
              "thread %s was interrupted, so pass %s stops.".formatted(thread.getName(), number));
      stop = interrupted; // even if the policy clears the flag of its thread
      throw interrupted;
    }
  }

  private CancellationException stopped(Throwable why) {
    if (why instanceof CancellationException interrupted) {
      return interrupted;
    }
    CancellationException error =
        new CancellationException("%s has stopped pass %s.".formatted(why, number));
    error.initCause(why);
    return error;
  }

  /** Requires that no error has left a change of this pass incomplete. */
  void requireWhole() {
    if (isTorn()) {
      throw new SchedulerFailedException(stop);
    }
  }

  private boolean isTorn() {
    return state.openChanges() != level || tornSearch;
  }

  /** Refuses a call of another thread than the one that runs the pass. */
  void requireThread() {
    Thread current = Thread.currentThread();
    if (current != thread) {
      throw new IllegalStateException(
          "thread %s uses pass %s, which thread %s runs. Only the thread of a pass may use it."
              .formatted(current.getName(), number, thread.getName()));
    }
  }

  /** Returns whether an interruption has stopped the pass. */
  public boolean isInterrupted() {
    return stop instanceof CancellationException;
  }

  /** Cancels the bags whose time to live has run out. */
  private void cancelExpired() {
    endedBags = state.endedBags();
    if (state.bagRecords().isEmpty()) {
      return;
    }
    List<BagReport> ended = new ArrayList<>(endedBags);
    for (BagRecord each : state.bagRecords()) {
      long expiry = each.expiresAt().orElse(Long.MAX_VALUE); // never
      if (expiry <= state.now() && expiry != Long.MAX_VALUE) {
        long late = state.now() - expiry;
        ended.add(cancel(each, new Reason.Expired(each.id(), late)));
      }
    }
    endedBags = List.copyOf(ended);
  }

  /** Stops the members of groups that are to start again. */
  private void releaseGroups() {
    if (groups != null) {
      busy = true; // keys of the policy must not act
      groups.release();
      busy = false; // if it throws, the pass is over
    }
  }

  /** Notes which groups are to start. */
  private void beginGroups() {
    if (groups != null) {
      groups.begin();
    }
  }

  /** Returns whether jobs have disruption budgets. */
  public boolean hasBudgets() {
    return !state.budgets().all().isEmpty();
  }

  /** Returns whether the pass has broken a group that the next pass releases. */
  public boolean hasBrokenGroups() {
    return groups != null && groups.hasBroken();
  }

  /** Moves instances off draining hosts. */
  private void emptyDraining() {
    if (!state.draining().isEmpty()) {
      busy = true; // filters of the policy must not act
      drains = new DrainStep(this, state);
      drains.run();
      busy = false; // if it throws, the pass is over
    }
  }

  /** Evicts instances that have stayed too long on hosts with taints. */
  private void expelTainted() {
    if (!state.expelling().isEmpty()) {
      new TaintStep(this, state).run();
    }
  }

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

  /** Returns whether the pass has evicted instances, which the next pass may place. */
  public boolean hasEvicted() {
    return hasEvicted;
  }

  /**
   * Ends the pass and undoes all that is in the log.
   *
   * @return false if an error has left a change incomplete, so that nothing can be undone
   */
  public boolean abandon() {
    root.open = false;
    if (isTorn()) {
      return false;
    }
    close();
    undoTo(0);
    state.revertChange();
    return true;
  }

  // ---- For the pipeline, on the fast path

  @Override
  public long number() {
    return number;
  }

  public boolean detailed() {
    return detailed;
  }

  public int topScores() {
    return topScores;
  }

  public int groupBits() {
    return groupBits;
  }

  /** Returns the pass behind the view of a policy. The pass must be open and of this cluster. */
  public static Pass of(SchedulingPass view, ClusterState expected) {
    if (view instanceof PolicyView ours && ours.pass().state == expected) {
      ours.checkActs();
      return ours.pass();
    }
    throw new IllegalArgumentException(
        "a pipeline runs only on a pass of its own scheduler, but got a %s."
            .formatted(view.getClass()));
  }

  /** Declares that a pipeline begins to decide. */
  public void beginDeciding() {
    busy = true;
    tornSearch = true; // unless it ends
  }

  /** Declares that an error ended the search of a pipeline, so that the policy cannot continue. */
  public void failDeciding(Throwable fatal) {
    stop = fatal;
    busy = false;
  }

  /** Declares that a pipeline has decided, or that one of its parts has thrown. */
  public void endDeciding() {
    tornSearch = false;
    busy = false;
  }

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
    boolean wasBusy = busy;
    busy = true;
    try {
      for (int i = 0; i < count; i++) {
        InstanceRecord victim = victims[i];
        PassLog.OnInstance left = log.about(victim).preempted(host, instance);
        log.add(left);
        transitions.preempt(victim, left);
        victim.actedOn(number);
      }
      PassLog.OnInstance placed = log.about(instance).placed(host, grant.resources(), decision);
      log.add(placed);
      transitions.place(instance, host, grant, placed);
      instance.actedOn(number);
    } catch (VirtualMachineError fatal) {
      stop = fatal; // the end of the pass undoes it, with more stack than here
      throw fatal;
    } catch (Throwable failure) {
      undoTo(mark);
      throw failure;
    } finally {
      busy = wasBusy;
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
    if (obstacle == null) {
      boolean withCpu = instance.state() != InstanceState.PAUSED;
      obstacle = guard.shortage(hostOf(instance), grant.amounts(), instance, withCpu);
    }
    if (obstacle == null) {
      adjust(
          instance,
          new Action.Resize(instance.id(), hostOf(instance).id(), resourcesOf(instance, grant)),
          why,
          () -> transitions.resize(instance, grant));
    }
    return obstacle;
  }

  @Nullable Reason pause(InstanceRecord instance, Reason why) {
    Reason obstacle =
        guard.unready(instance, "must be running to be paused", InstanceState.RUNNING);
    if (obstacle == null) {
      obstacle = BudgetRecord.protection(instance);
    }
    if (obstacle == null) {
      adjust(
          instance,
          new Action.Pause(instance.id(), hostOf(instance).id()),
          why,
          () -> transitions.halt(instance, InstanceState.PAUSED));
    }
    return obstacle;
  }

  @Nullable Reason suspend(InstanceRecord instance, Reason why) {
    Reason obstacle =
        guard.unready(
            instance,
            "must be running or paused to be suspended",
            InstanceState.RUNNING,
            InstanceState.PAUSED);
    if (obstacle == null) {
      obstacle = BudgetRecord.protection(instance);
    }
    if (obstacle == null) {
      adjust(
          instance,
          new Action.Suspend(instance.id(), hostOf(instance).id()),
          why,
          () -> transitions.halt(instance, InstanceState.SUSPENDED));
    }
    return obstacle;
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
    if (obstacle == null) {
      obstacle = guard.shortage(hostOf(instance), grant.amounts(), instance, true);
    }
    if (obstacle == null) {
      adjust(
          instance,
          new Action.Resume(
              instance.id(),
              hostOf(instance).id(),
              resourcesOf(instance, grant),
              instance.attempt() + 1),
          why,
          () -> transitions.resume(instance, grant));
    }
    return obstacle;
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

  /** Releases a host of a pool, as it was before an action that is carried out again. */
  void releaseAgain(String hostId, Reason why) {
    Host host = state.host(hostId).orElse(null);
    for (PoolRecord each : state.poolRecords()) {
      for (Host starting : each.starting.values()) {
        host = starting.id().equals(hostId) ? starting : host;
      }
    }
    if (host != null) {
      release(host, why);
    }
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
    for (InstanceRecord each : bag.members) {
      if (each.actedInPass() == number) {
        return guard.acted(each, "of the bag was acted on in this pass, so it waits for the next");
      }
    }
    Reason protection = BudgetRecord.protection(bag.members);
    if (protection == null) {
      cancel(bag, why);
    }
    return protection;
  }

  private BagReport cancel(BagRecord bag, Reason why) {
    List<Before> before = new ArrayList<>(bag.members.size());
    for (InstanceRecord each : bag.members) {
      Before noted = new Before();
      noted.noteBefore(each, transitions);
      before.add(noted);
    }
    List<String> ids = bag.members.stream().map(InstanceRecord::id).toList();
    state.beginChange();
    transitions.cancel(bag);
    bag.members.forEach(each -> each.actedOn(number));
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

  // ---- Carrying out

  /** Carries out a change, or nothing if it fails. Parts of the policy must not act meanwhile. */
  private void adjust(InstanceRecord instance, Action action, Reason why, Runnable change) {
    int mark = log.size();
    boolean wasBusy = busy;
    busy = true;
    try {
      log.add(log.about(instance).adjusted(action, why));
      change.run();
      instance.actedOn(number);
    } catch (VirtualMachineError fatal) {
      stop = fatal;
      throw fatal;
    } catch (Throwable failure) {
      undoTo(mark);
      throw failure;
    } finally {
      busy = wasBusy;
    }
  }

  /** Undoes all actions since the log had a size. Does nothing once a change is incomplete. */
  public void undoTo(int mark) {
    if (state.openChanges() != level) {
      return;
    }
    state.beginChange();
    log.undoTo(mark);
    state.endChange();
  }

  /**
   * Discards an open fork of a view and the forks in it. Undoes their actions, unless the end of
   * the pass will.
   */
  void discard(PolicyView.ForkView fork) {
    if (!isStopped()) {
      undoTo(fork.mark);
    }
    while (innermost != fork.parent && innermost instanceof PolicyView.ForkView last) {
      innermost = last.parent;
      last.open = false;
    }
  }

  /** Discards the open forks and ends the view of the policy. */
  private void close() {
    while (innermost instanceof PolicyView.ForkView last) {
      discard(last);
    }
    root.open = false;
  }

  // ---- For the views

  Set<Trigger> triggers() {
    return triggers;
  }

  List<BagReport> endedBags() {
    return endedBags;
  }

  /** Returns whether only the end of the pass can undo its actions. */
  boolean isStopped() {
    return stop != null || isTorn();
  }

  boolean isBusy() {
    return busy;
  }

  PolicyView innermost() {
    return innermost;
  }

  void innermost(PolicyView view) {
    innermost = view;
  }

  /** Returns the current size of the log, for {@link #undoTo}. */
  public int mark() {
    return log.size();
  }

  /** Returns whether instances were preempted since the log had a size. */
  public boolean hasPreempted(int mark) {
    for (int i = mark; i < log.size(); i++) {
      if (log.get(i) instanceof PassLog.OnInstance done && done.isPreemption()) {
        return true;
      }
    }
    return false;
  }

  void defer(Bag bag, Reason why) {
    log.add(new PassLog.BagDeferred(bag, why));
  }

  /** Requests the next pass at a time, unless an earlier one is requested. */
  void wakeBy(long time) {
    if (time < wakeAt) {
      long before = wakeAt;
      log.add(() -> wakeAt = before);
      wakeAt = time;
    }
  }

  /** Records an error of the policy. */
  void noteError(String subject, Reason why) {
    if (why.kind() == Reason.Kind.POLICY_ERROR && errors.size() < Plan.MAX_POLICY_ERRORS) {
      errors.add(new Plan.PolicyError(subject, why));
    }
  }
}

package dev.berth.core.internal.pass;

import dev.berth.api.Dimension;
import dev.berth.api.Reason;
import dev.berth.api.batch.BagReport;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.decision.Decision;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.error.SchedulerFailedException;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.group.GroupStep;
import dev.berth.core.internal.host.DrainStep;
import dev.berth.core.internal.host.TaintStep;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import dev.berth.core.internal.undo.UndoLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
public final class Pass {

  private final ClusterState state;
  private final Transitions transitions;
  private final long number;
  private final Thread thread = Thread.currentThread();
  private final int level; // of open changes, of which the pass is the last
  @Nullable Throwable stop; // why the policy cannot continue; null if it can
  private final Set<Trigger> triggers;
  private final boolean detailed;
  private final int topScores;
  private final int groupBits; // of the host hashes that break ties
  private final PassLog log;
  private final PassActions actions;
  private final List<Plan.PolicyError> errors = new ArrayList<>();
  private List<BagReport> endedBags = List.of(); // before the policy ran
  private final PolicyView root;
  private PolicyView innermost;
  private @Nullable PlanWriter writer; // of the plan, once the policy has returned
  private long wakeAt = Long.MAX_VALUE;
  private @Nullable DrainStep drains; // null: no host is draining
  private final @Nullable GroupStep groups; // null: there are none
  boolean busy; // while parts of the policy decide, which must not act
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
    this.number = number;
    this.triggers = triggers;
    this.detailed = detailed;
    this.topScores = topScores;
    this.groupBits = SeededTieBreaker.groupBits(state.hostCount());
    this.log = log;
    PassGuard guard = new PassGuard(state, number, oversubscribed);
    this.actions = new PassActions(this, state, transitions, log, guard, maxPlacements);
    this.groups =
        state.groupRecords().isEmpty()
            ? null
            : new GroupStep(
                actions,
                state.groupRecords(),
                new Redo(this, state, log)::without,
                state::touchHosts);
    this.root =
        new PolicyView(
            this, state, guard, new PassRandom(SeededTieBreaker.combine(state.seed(), number, 0)));
    this.innermost = root;
    state.beginChange();
    this.level = state.openChanges();
  }

  /** Returns the actions that the pass can take. */
  public PassActions actions() {
    return actions;
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
    stopOverdue();
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
   * @param adjusted receives the other recorded actions
   */
  public Plan finish(Consumer<Decision> decisions, Consumer<ActionRecord> adjusted) {
    Plan plan = Objects.requireNonNull(writer).write(triggers, errors, decisions, adjusted);
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
   * @param adjusted receives the other recorded actions
   */
  public Plan preview(Consumer<Decision> decisions, Consumer<ActionRecord> adjusted) {
    return Objects.requireNonNull(writer).preview(triggers, errors, decisions, adjusted);
  }

  /**
   * Returns when the policy wants the next pass, or {@link Long#MAX_VALUE} if it does not ask for
   * one.
   */
  public long wakeAt() {
    return wakeAt;
  }

  /**
   * Requires that the pass goes on: refuses a call of another thread, and stops the pass if its
   * thread is interrupted.
   *
   * @throws CancellationException if the pass is stopped; the policy cannot continue it
   */
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
        ended.add(actions.cancel(each, new Reason.Expired(each.id(), late)));
      }
    }
    endedBags = List.copyOf(ended);
  }

  /** Stops instances whose longest run time is over. */
  private void stopOverdue() {
    for (InstanceRecord each : state.runLimits().over(state.now())) {
      requireRunning();
      actions.stop(each, new Reason.RanTooLong(each.request.maxRunTime().orElseThrow()));
    }
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

  /** Returns whether members of groups are on hosts. */
  public boolean hasGroupsOnHosts() {
    return state.hasGroupsOnHosts();
  }

  /** Moves instances off draining hosts. */
  private void emptyDraining() {
    if (!state.draining().isEmpty()) {
      busy = true; // filters of the policy must not act
      drains = new DrainStep(actions, state);
      drains.run();
      busy = false; // if it throws, the pass is over
    }
  }

  /** Evicts instances that have stayed too long on hosts with taints. */
  private void expelTainted() {
    if (!state.expelling().isEmpty()) {
      new TaintStep(actions, state).run();
    }
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

  /** Returns the log, with which the pass is undone. */
  public UndoLog log() {
    return log;
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

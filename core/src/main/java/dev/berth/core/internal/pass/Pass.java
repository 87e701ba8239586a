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
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.decision.Decision;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.internal.state.BagRecord;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.ElasticActions;
import dev.berth.core.internal.state.Grant;
import dev.berth.core.internal.state.HostRecord;
import dev.berth.core.internal.state.InstanceRecord;
import dev.berth.core.internal.state.PlacementRules;
import dev.berth.core.internal.state.PoolRecord;
import dev.berth.core.internal.state.ProvidedHost;
import dev.berth.core.internal.state.Transitions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One pass: the guard between a policy and the {@link ClusterState}.
 *
 * <p>Actions are applied to the state at once, so the policy sees them, and noted in a journal from
 * which they are undone when a fork is discarded or the policy throws, and from which the plan is
 * made otherwise.
 */
public final class Pass {

  private static final InstanceRecord[] NOBODY = {};

  private final ClusterState state;
  private final Transitions transitions;
  private final ElasticActions elastic;
  private final long number;
  private final Set<Trigger> triggers;
  private final boolean detailed;
  private final int topScores;
  private final int groupBits; // of the hashes of hosts, by which ties are broken
  private final Journal journal;
  private final PassGuard guard;
  private final List<Plan.PolicyError> errors = new ArrayList<>();
  private List<BagReport> endedBags = List.of(); // before the policy was asked
  private final PolicyView root;
  private PolicyView innermost;
  private long wakeAt = Long.MAX_VALUE;
  private boolean busy; // with a decision, in which the policy's parts must not act

  /**
   * Opens a pass.
   *
   * @param journal empty, or left over from an earlier pass of the same cluster
   * @param oversubscribed the dimensions that the policy oversubscribes
   * @param detailed whether decisions are to be noted for the log
   * @param topScores how many of the best hosts are to be noted for each
   */
  public Pass(
      ClusterState state,
      Transitions transitions,
      Journal journal,
      long number,
      Set<Trigger> triggers,
      Set<Dimension> oversubscribed,
      boolean detailed,
      int topScores) {
    this.state = state;
    this.transitions = transitions;
    this.elastic = new ElasticActions(state);
    this.number = number;
    this.triggers = triggers;
    this.detailed = detailed;
    this.topScores = topScores;
    this.groupBits = SeededTieBreaker.groupBits(state.hostCount());
    this.journal = journal;
    this.guard = new PassGuard(state.table(), number, oversubscribed);
    journal.clear();
    this.root =
        new PolicyView(
            this, state, guard, new PassRandom(SeededTieBreaker.combine(state.seed(), number, 0)));
    this.innermost = root;
  }

  /** Returns what the policy gets. */
  public SchedulingPass view() {
    return root;
  }

  /** Ends the pass and returns its plan; the actions stand. A fork left open is discarded. */
  public Plan finish(Consumer<Decision> decisions, Consumer<ActionRecord> adjustments) {
    close(root);
    List<Action> actions = new ArrayList<>(journal.size());
    List<String> victims = new ArrayList<>();
    List<InstanceRecord> refused = new ArrayList<>();
    List<Journal.Cancelled> cancellations = new ArrayList<>();
    Map<String, Reason> deferrals = Map.of();
    Map<String, Reason> bagDeferrals = Map.of();
    for (int i = 0; i < journal.size(); i++) {
      Journal.Entry entry = journal.get(i);
      if (entry instanceof Journal.OnInstance done) {
        Action action = done.action(victims.isEmpty() ? List.of() : victims);
        actions.add(action);
        if (done.isPreemption()) {
          victims.add(done.subject().id());
        } else if (done.why() != null) {
          log(action, done.why(), adjustments);
          if (action instanceof Action.Reject) {
            refused.add(done.subject());
          }
        } else {
          victims.clear();
          if (done.decision() != null) {
            decisions.accept(done.decision());
          }
        }
      } else if (entry instanceof Journal.Cancelled cancelled) {
        actions.add(cancelled.action());
        cancellations.add(cancelled);
        log(cancelled.action(), cancelled.action().why(), adjustments);
      } else if (entry instanceof Journal.Arranged arranged) {
        actions.add(arranged.action());
        log(arranged.action(), arranged.why(), adjustments);
      } else if (entry instanceof Journal.Deferred deferred) {
        deferrals = with(deferrals, deferred.instance().id(), deferred.why());
      } else if (entry instanceof Journal.BagDeferred deferred) {
        bagDeferrals = with(bagDeferrals, deferred.bag().id(), deferred.why());
      }
    }
    journal.clear();
    if (!deferrals.isEmpty()) {
      deferrals.keySet().removeIf(id -> !stillPending(id));
    }
    cancellations.forEach(each -> transitions.forgetCancelled(each.bag(), each.report()));
    refused.forEach(transitions::forgetRefused); // a bag may end with who was refused last
    if (!bagDeferrals.isEmpty()) {
      bagDeferrals.keySet().removeIf(id -> state.bag(id).isEmpty());
    }
    return new Plan(
        number,
        state.now(),
        triggers,
        actions,
        deferrals,
        errors,
        bagDeferrals,
        state.takeEndedBags());
  }

  /** Most passes have none, so they share an empty map. */
  private static Map<String, Reason> with(Map<String, Reason> reasons, String id, Reason why) {
    Map<String, Reason> all = reasons.isEmpty() ? new HashMap<>() : reasons;
    all.put(id, why);
    return all;
  }

  private void log(Action action, Reason why, Consumer<ActionRecord> adjustments) {
    if (detailed) {
      adjustments.accept(new ActionRecord(number, state.now(), action, why));
    }
  }

  /** Returns when the policy wants the next pass, or {@link Long#MAX_VALUE} if it did not say. */
  public long wakeAt() {
    return wakeAt;
  }

  /** Cancels the bags whose time has run out. To be called before the policy is. */
  public void cancelExpired() {
    endedBags = state.endedBags();
    if (state.bagRecords().isEmpty()) {
      return;
    }
    List<BagReport> ended = new ArrayList<>(endedBags);
    for (BagRecord each : state.bagRecords()) {
      long expiry = each.expiresAt.orElse(Long.MAX_VALUE); // never
      if (expiry <= state.now() && expiry != Long.MAX_VALUE) {
        long late = state.now() - expiry;
        ended.add(cancel(each, new Reason.Expired(each.id(), late)));
      }
    }
    endedBags = List.copyOf(ended);
  }

  /** Ends the pass and undoes all it did. */
  public void abandon() {
    close(root);
    undoTo(0);
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

  /** Returns the pass behind what a policy holds, which must be of this cluster and open. */
  public static Pass of(SchedulingPass view, ClusterState expected) {
    if (view instanceof PolicyView ours && ours.pass().state == expected) {
      ours.checkActs();
      return ours.pass();
    }
    throw new IllegalArgumentException(
        "a pipeline runs on a pass of its own scheduler only, this is a " + view.getClass());
  }

  /** Says that a pipeline decides from now on, or no longer. */
  public void busy(boolean deciding) {
    busy = deciding;
  }

  /** Places as {@link SchedulingPass#place} does; returns why not, or null when done. */
  public @Nullable Reason place(
      InstanceRecord instance,
      HostRecord host,
      InstanceRecord[] victims,
      int count,
      Grant grant,
      @Nullable Decision decision) {
    Reason obstacle = guard.obstacle(instance, host, victims, count, grant);
    if (obstacle != null) {
      return obstacle;
    }
    int mark = journal.size();
    boolean wasBusy = busy;
    busy = true;
    try {
      for (int i = 0; i < count; i++) {
        InstanceRecord victim = victims[i];
        Journal.OnInstance entry = about(victim).preempted(host, instance);
        transitions.preempt(victim);
        done(entry);
      }
      Journal.OnInstance entry = about(instance).placed(host, grant.resources(), decision);
      transitions.place(instance, host, grant);
      done(entry);
    } catch (Throwable failure) {
      undoTo(mark);
      throw failure;
    } finally {
      busy = wasBusy;
    }
    return null;
  }

  /** Turns a request down; returns why not, or null when done. */
  public @Nullable Reason reject(InstanceRecord instance, Reason why) {
    if (instance.state != InstanceState.PENDING || instance.placements > 0) {
      return new Reason.WrongState(
          instance.id(),
          "must be pending and never placed to be refused, is " + PassGuard.where(instance));
    }
    adjust(
        instance, new Action.Reject(instance.id(), why), why, () -> transitions.reject(instance));
    return null;
  }

  /** Leaves somebody waiting who is pending, for a reason. */
  public void defer(InstanceRecord waiting, Reason why) {
    journal.add(new Journal.Deferred(waiting, why));
  }

  /** Notes on which host somebody who waits has a reservation that others count on, if any. */
  public void promise(InstanceRecord waiting, @Nullable HostRecord host) {
    if (waiting.promised != host) {
      journal.add(new Journal.Promised(waiting, waiting.promised));
      waiting.promised = host;
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
      boolean withCpu = instance.state != InstanceState.PAUSED;
      obstacle = guard.shortage(hostOf(instance), grant.amounts(), instance, withCpu);
    }
    if (obstacle == null) {
      adjust(
          instance,
          new Action.Resize(instance.id(), hostOf(instance).id(), told(instance, grant)),
          why,
          () -> transitions.resize(instance, grant));
    }
    return obstacle;
  }

  @Nullable Reason pause(InstanceRecord instance, Reason why) {
    Reason obstacle =
        guard.unready(instance, "must be running to be paused", InstanceState.RUNNING);
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
      obstacle = guard.shortage(hostOf(instance), grant.amounts(), instance, true);
    }
    if (obstacle == null) {
      adjust(
          instance,
          new Action.Resume(instance.id(), hostOf(instance).id(), told(instance, grant)),
          why,
          () -> transitions.resume(instance, grant));
    }
    return obstacle;
  }

  @Nullable Reason migrate(InstanceRecord instance, HostRecord host, Grant grant, Reason why) {
    Reason obstacle =
        guard.unready(
            instance,
            "must be running, paused or suspended to be migrated",
            InstanceState.RUNNING,
            InstanceState.PAUSED,
            InstanceState.SUSPENDED);
    if (obstacle == null && instance.host == host) {
      obstacle = new Reason.WrongState(instance.id(), "is on " + host.id() + " already");
    }
    if (obstacle == null) {
      obstacle = PlacementRules.misfit(instance, host, grant.amounts(), state.table());
    }
    if (obstacle == null) {
      obstacle = PlacementRules.antiAffinity(instance, host, NOBODY, 0);
    }
    if (obstacle == null) {
      obstacle = guard.shortage(host, grant.amounts(), null, true);
    }
    if (obstacle == null) {
      adjust(
          instance,
          new Action.Migrate(
              instance.id(), hostOf(instance).id(), host.id(), told(instance, grant)),
          why,
          () -> transitions.migrate(instance, host, grant));
    }
    return obstacle;
  }

  @Nullable Reason provision(
      PoolRecord pool, int count, Optional<String> cluster, OptionalLong expiresAt, Reason why) {
    if (count <= 0) {
      return new Reason.WrongSubject(
          "pool", pool.name(), "must be asked for 1 host at least, was for " + count);
    }
    if (cluster.isPresent() && cluster.get().isBlank()) {
      return new Reason.WrongSubject("pool", pool.name(), "was asked for a cluster without a name");
    }
    if (count > pool.room()) {
      return new Reason.PoolExhausted(pool.name(), count, pool.room());
    }
    List<String> ids = new ArrayList<>(count);
    Runnable undo = elastic.provision(pool, count, cluster, expiresAt, ids);
    arrange(new Action.Provision(pool.name(), ids, cluster, expiresAt), why, undo);
    return null;
  }

  @Nullable Reason release(Host host, Reason why) {
    ProvidedHost starting = state.starting(host);
    HostRecord up = state.record(host);
    PoolRecord pool = up == null ? null : up.pool;
    if (starting != null) {
      arrange(new Action.Release(host.id(), starting.pool.name()), why, elastic.release(starting));
      return null;
    }
    if (up == null) {
      return new Reason.Unknown("host", host.id());
    }
    if (pool == null) {
      return new Reason.WrongSubject("host", host.id(), "is of no pool, so it cannot be released");
    }
    if (!up.residents.isEmpty()) {
      return new Reason.WrongSubject(
          "host",
          host.id(),
          "must be empty to be released, %s of them on it: %s"
              .formatted(up.residents.size(), up.residents.get(0).id()));
    }
    arrange(new Action.Release(host.id(), pool.name()), why, elastic.release(up, pool));
    return null;
  }

  @Nullable Reason assign(BagRecord bag, String cluster, OptionalLong expiresAt, Reason why) {
    if (cluster.isBlank()) {
      return new Reason.WrongSubject("bag", bag.id(), "was assigned to a cluster without a name");
    }
    if (expiresAt.isPresent() && expiresAt.getAsLong() < state.now()) {
      return new Reason.WrongSubject(
          "bag",
          bag.id(),
          "must not expire in the past, at %s ns".formatted(expiresAt.getAsLong()));
    }
    Runnable undo = elastic.assign(bag, cluster, expiresAt);
    arrange(new Action.Assign(bag.id(), cluster, bag.expiresAt), why, undo);
    return null;
  }

  private void arrange(Action action, Reason why, Runnable undo) {
    journal.add(new Journal.Arranged(action, why, undo));
  }

  @Nullable Reason tryCancel(BagRecord bag, Reason why) {
    for (InstanceRecord each : bag.members) {
      if (each.actedInPass == number) {
        return new Reason.WrongState(
            each.id(), "of the bag was acted on in this pass, so it waits for the next");
      }
    }
    cancel(bag, why);
    return null;
  }

  private BagReport cancel(BagRecord bag, Reason why) {
    List<Journal.Before> before = new ArrayList<>(bag.members.size());
    for (InstanceRecord each : bag.members) {
      Journal.Before noted = new Journal.Before();
      noted.noteBefore(each, state.latestPlacement());
      before.add(noted);
    }
    List<String> ids = bag.members.stream().map(InstanceRecord::id).toList();
    transitions.cancel(bag);
    bag.members.forEach(each -> each.actedInPass = number);
    BagReport report = transitions.report(bag, why);
    journal.add(new Journal.Cancelled(bag, before, new Action.Cancel(bag.id(), ids, why), report));
    return report;
  }

  private static HostRecord hostOf(InstanceRecord instance) {
    if (instance.host == null) {
      throw new IllegalStateException(instance + " is on no host");
    }
    return instance.host;
  }

  private static Resources told(InstanceRecord instance, Grant grant) {
    return grant.resources() == null ? instance.request.demand() : grant.resources();
  }

  // ---- Doing

  private Journal.OnInstance about(InstanceRecord instance) {
    return journal.about(instance, state.latestPlacement());
  }

  private void done(Journal.OnInstance entry) {
    InstanceRecord subject = entry.subject();
    subject.actedInPass = number;
    if (subject.host != null) {
      subject.host.actedInPass = number;
    }
    journal.commit(entry);
  }

  /** Does it, or nothing; meanwhile the policy's parts, which are asked, must not act. */
  private void adjust(InstanceRecord instance, Action action, Reason why, Runnable change) {
    boolean wasBusy = busy;
    busy = true;
    try {
      Journal.OnInstance entry = about(instance).adjusted(action, why);
      change.run(); // fails before it changes anything
      done(entry);
    } finally {
      busy = wasBusy;
    }
  }

  private boolean stillPending(String id) {
    return state.instance(id).filter(each -> each.state() == InstanceState.PENDING).isPresent();
  }

  /** Undoes all that was done since the journal had a size. */
  void undoTo(int mark) {
    while (journal.size() > mark) {
      Journal.Entry entry = journal.removeLast();
      if (entry instanceof Journal.OnInstance done) {
        done.restore(transitions);
      } else if (entry instanceof Journal.Arranged arranged) {
        arranged.undo().run();
      } else if (entry instanceof Journal.Cancelled cancelled) {
        cancelled.bag().cancelled = false;
        for (int member = cancelled.before().size() - 1; member >= 0; member--) {
          cancelled.before().get(member).restore(transitions);
        }
      } else if (entry instanceof Journal.Waking waking) {
        wakeAt = waking.before();
      } else if (entry instanceof Journal.Promised promised) {
        promised.instance().promised = promised.before();
      }
    }
  }

  /** Discards the forks of a view and ends it. */
  void close(PolicyView view) {
    while (innermost != view) {
      ((PolicyView.ForkView) innermost).close();
    }
    view.open = false;
  }

  // ---- For the views

  Set<Trigger> triggers() {
    return triggers;
  }

  List<BagReport> endedBags() {
    return endedBags;
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

  /** Returns how much was done so far. */
  int mark() {
    return journal.size();
  }

  void defer(Bag bag, Reason why) {
    journal.add(new Journal.BagDeferred(bag, why));
  }

  /** Asks for the next pass at a time, unless it was asked for earlier. */
  void wakeBy(long time) {
    if (time < wakeAt) {
      journal.add(new Journal.Waking(wakeAt));
      wakeAt = time;
    }
  }

  /** Records what a policy asked for that makes no sense. */
  void noteError(String subject, Reason why) {
    if (why.kind() == Reason.Kind.POLICY_ERROR && errors.size() < Plan.MAX_POLICY_ERRORS) {
      errors.add(new Plan.PolicyError(subject, why));
    }
  }
}

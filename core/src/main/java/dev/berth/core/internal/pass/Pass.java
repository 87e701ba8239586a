package dev.berth.core.internal.pass;

import dev.berth.api.Action;
import dev.berth.api.Bag;
import dev.berth.api.BagReport;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Plan;
import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.Trigger;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.decision.Decision;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.internal.state.BagRecord;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Grant;
import dev.berth.core.internal.state.HostRecord;
import dev.berth.core.internal.state.HostTable;
import dev.berth.core.internal.state.InstanceRecord;
import dev.berth.core.internal.state.JobRecord;
import dev.berth.core.internal.state.PoolRecord;
import dev.berth.core.internal.state.ProvidedHost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
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
  private final long number;
  private final Set<Trigger> triggers;
  private final Set<Dimension> oversubscribed;
  private final boolean detailed;
  private final int topScores;
  private final int groupBits; // of the hashes of hosts, by which ties are broken
  private final Journal journal;
  private final List<Plan.PolicyError> errors = new ArrayList<>();
  private List<BagReport> endedBags = List.of(); // before the policy was asked
  private final View root;
  private View innermost;
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
      Journal journal,
      long number,
      Set<Trigger> triggers,
      Set<Dimension> oversubscribed,
      boolean detailed,
      int topScores) {
    this.state = state;
    this.number = number;
    this.triggers = triggers;
    this.oversubscribed = oversubscribed;
    this.detailed = detailed;
    this.topScores = topScores;
    this.groupBits = SeededTieBreaker.groupBits(state.hostCount());
    this.journal = journal;
    journal.clear();
    this.root = new View(new PassRandom(SeededTieBreaker.combine(state.seed(), number, 0)));
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
    cancellations.forEach(each -> state.forgetCancelled(each.bag(), each.report()));
    refused.forEach(state::forgetRefused); // a bag may end with who was refused last
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
    if (view instanceof View ours && ours.pass().state == expected) {
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
    Reason obstacle = obstacle(instance, host, victims, count, grant);
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
        state.preempt(victim);
        done(entry);
      }
      Journal.OnInstance entry = about(instance).placed(host, grant.resources(), decision);
      state.place(instance, host, grant);
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
          instance.id(), "must be pending and never placed to be refused, is " + where(instance));
    }
    adjust(instance, new Action.Reject(instance.id(), why), why, () -> state.reject(instance));
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

  private @Nullable Reason resize(InstanceRecord instance, Grant grant, Reason why) {
    Reason obstacle =
        unready(
            instance,
            "must be starting, running or paused to be resized",
            InstanceState.STARTING,
            InstanceState.RUNNING,
            InstanceState.PAUSED);
    if (obstacle == null) {
      boolean withCpu = instance.state != InstanceState.PAUSED;
      obstacle = shortage(hostOf(instance), grant.amounts(), instance, withCpu);
    }
    if (obstacle == null) {
      adjust(
          instance,
          new Action.Resize(instance.id(), hostOf(instance).id(), told(instance, grant)),
          why,
          () -> state.resize(instance, grant));
    }
    return obstacle;
  }

  private @Nullable Reason pause(InstanceRecord instance, Reason why) {
    Reason obstacle = unready(instance, "must be running to be paused", InstanceState.RUNNING);
    if (obstacle == null) {
      adjust(
          instance,
          new Action.Pause(instance.id(), hostOf(instance).id()),
          why,
          () -> state.halt(instance, InstanceState.PAUSED));
    }
    return obstacle;
  }

  private @Nullable Reason suspend(InstanceRecord instance, Reason why) {
    Reason obstacle =
        unready(
            instance,
            "must be running or paused to be suspended",
            InstanceState.RUNNING,
            InstanceState.PAUSED);
    if (obstacle == null) {
      adjust(
          instance,
          new Action.Suspend(instance.id(), hostOf(instance).id()),
          why,
          () -> state.halt(instance, InstanceState.SUSPENDED));
    }
    return obstacle;
  }

  private @Nullable Reason resume(InstanceRecord instance, Grant grant, Reason why) {
    Reason obstacle =
        unready(
            instance,
            "must be paused or suspended to be resumed",
            InstanceState.PAUSED,
            InstanceState.SUSPENDED);
    if (obstacle == null) {
      obstacle = shortage(hostOf(instance), grant.amounts(), instance, true);
    }
    if (obstacle == null) {
      adjust(
          instance,
          new Action.Resume(instance.id(), hostOf(instance).id(), told(instance, grant)),
          why,
          () -> state.resume(instance, grant));
    }
    return obstacle;
  }

  private @Nullable Reason migrate(
      InstanceRecord instance, HostRecord host, Grant grant, Reason why) {
    Reason obstacle =
        unready(
            instance,
            "must be running, paused or suspended to be migrated",
            InstanceState.RUNNING,
            InstanceState.PAUSED,
            InstanceState.SUSPENDED);
    if (obstacle == null && instance.host == host) {
      obstacle = new Reason.WrongState(instance.id(), "is on " + host.id() + " already");
    }
    if (obstacle == null) {
      obstacle = state.misfit(instance, host, grant.amounts());
    }
    if (obstacle == null) {
      obstacle = sibling(instance, host, NOBODY, 0);
    }
    if (obstacle == null) {
      obstacle = shortage(host, grant.amounts(), null, true);
    }
    if (obstacle == null) {
      adjust(
          instance,
          new Action.Migrate(
              instance.id(), hostOf(instance).id(), host.id(), told(instance, grant)),
          why,
          () -> state.migrate(instance, host, grant));
    }
    return obstacle;
  }

  private @Nullable Reason provision(
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
    Runnable undo = state.provision(pool, count, cluster, expiresAt, ids);
    arrange(new Action.Provision(pool.name(), ids, cluster, expiresAt), why, undo);
    return null;
  }

  private @Nullable Reason release(Host host, Reason why) {
    ProvidedHost starting = state.starting(host);
    HostRecord up = state.record(host);
    PoolRecord pool = up == null ? null : up.pool;
    if (starting != null) {
      arrange(new Action.Release(host.id(), starting.pool.name()), why, state.release(starting));
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
    arrange(new Action.Release(host.id(), pool.name()), why, state.release(up, pool));
    return null;
  }

  private @Nullable Reason assign(
      BagRecord bag, String cluster, OptionalLong expiresAt, Reason why) {
    if (cluster.isBlank()) {
      return new Reason.WrongSubject("bag", bag.id(), "was assigned to a cluster without a name");
    }
    if (expiresAt.isPresent() && expiresAt.getAsLong() < state.now()) {
      return new Reason.WrongSubject(
          "bag",
          bag.id(),
          "must not expire in the past, at %s ns".formatted(expiresAt.getAsLong()));
    }
    Runnable undo = state.assign(bag, cluster, expiresAt);
    arrange(new Action.Assign(bag.id(), cluster, bag.expiresAt), why, undo);
    return null;
  }

  private void arrange(Action action, Reason why, Runnable undo) {
    journal.add(new Journal.Arranged(action, why, undo));
  }

  private @Nullable Reason tryCancel(BagRecord bag, Reason why) {
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
    state.cancel(bag);
    bag.members.forEach(each -> each.actedInPass = number);
    BagReport report = state.report(bag, why);
    journal.add(new Journal.Cancelled(bag, before, new Action.Cancel(bag.id(), ids, why), report));
    return report;
  }

  /** Returns why an instance cannot be acted on now, or in the state it is in; or null. */
  private @Nullable Reason unready(InstanceRecord instance, String rule, InstanceState... allowed) {
    if (instance.actedInPass == number) {
      return new Reason.WrongState(
          instance.id(), "was acted on in this pass, so it waits for the next");
    }
    return Arrays.asList(allowed).contains(instance.state)
        ? null
        : new Reason.WrongState(instance.id(), rule + ", is " + where(instance));
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

  private @Nullable Reason obstacle(
      InstanceRecord instance, HostRecord host, InstanceRecord[] victims, int count, Grant grant) {
    if (instance.state != InstanceState.PENDING) {
      return new Reason.WrongState(
          instance.id(), "must be pending to be placed, is " + where(instance));
    }
    if (instance.actedInPass == number) {
      return new Reason.WrongState(
          instance.id(), "was preempted in this pass, so it waits for the next");
    }
    for (int i = 0; i < count; i++) {
      InstanceRecord victim = victims[i];
      if (victim.host != host) {
        return new Reason.WrongState(
            victim.id(), "must be on " + host.id() + " to leave it, is " + where(victim));
      }
      if (victim.actedInPass == number) {
        return new Reason.WrongState(
            victim.id(), "was acted on in this pass, so it is no victim in it");
      }
      if (!victim.state.holdsCapacity()) {
        return new Reason.WrongState(
            victim.id(),
            "must hold capacity on " + host.id() + " to leave it, is " + where(victim));
      }
      for (int other = 0; other < i; other++) {
        if (victims[other] == victim) {
          return new Reason.WrongState(victim.id(), "is named twice among the victims");
        }
      }
    }
    Reason obstacle = state.misfit(instance, host, grant.amounts());
    if (obstacle == null) {
      obstacle = sibling(instance, host, victims, count);
    }
    if (obstacle != null) {
      return obstacle;
    }
    HostTable table = state.table();
    long[] need = grant.amounts();
    for (int d = 0; d < need.length; d++) {
      long room = table.free(host.slot, d);
      for (int i = 0; i < count; i++) {
        long[] held = victims[i].held;
        room += d < held.length ? held[d] : 0;
      }
      if (room < need[d]) {
        return new Reason.ShortOfCapacity(table.dimension(d), need[d] - room);
      }
    }
    return null;
  }

  private static @Nullable Reason sibling(
      InstanceRecord instance, HostRecord host, InstanceRecord[] victims, int count) {
    if (instance.job == null || instance.job.admits(host, instance.antiAffinity)) {
      return null;
    }
    InstanceRecord sibling = JobRecord.inTheWay(instance, host, victims, count);
    return sibling == null ? null : new Reason.AntiAffinity(instance.job.name, sibling.id());
  }

  /**
   * Returns what a host is short of, if somebody there gives back what it holds, if anybody.
   *
   * @param withCpu whether the CPU is held at once; a paused instance will need it when it resumes
   */
  private @Nullable Reason shortage(
      HostRecord host, long[] need, @Nullable InstanceRecord resident, boolean withCpu) {
    HostTable table = state.table();
    for (int d = 0; d < need.length; d++) {
      if (need[d] > table.capacity(host.slot, d)) {
        return new Reason.LargerThanHost(
            table.dimension(d), need[d] - table.capacity(host.slot, d));
      }
      long[] held = resident == null ? InstanceRecord.NOTHING : resident.held;
      long room = table.free(host.slot, d) + (d < held.length ? held[d] : 0);
      if (room < need[d] && (withCpu || !isCpu(d))) {
        return new Reason.ShortOfCapacity(table.dimension(d), need[d] - room);
      }
    }
    return null;
  }

  private boolean isCpu(int dimension) {
    return dimension == state.table().numberOf(Dimension.CPU); // on whatever scale
  }

  private static String where(InstanceRecord instance) {
    HostRecord host = instance.host;
    return host == null ? instance.state.toString() : instance.state + " on " + host.id();
  }

  private boolean stillPending(String id) {
    return state.instance(id).filter(each -> each.state() == InstanceState.PENDING).isPresent();
  }

  private void undoTo(int mark) {
    while (journal.size() > mark) {
      Journal.Entry entry = journal.removeLast();
      if (entry instanceof Journal.OnInstance done) {
        done.restore(state);
      } else if (entry instanceof Journal.Arranged arranged) {
        arranged.undo().run();
      } else if (entry instanceof Journal.Cancelled cancelled) {
        cancelled.bag().cancelled = false;
        for (int member = cancelled.before().size() - 1; member >= 0; member--) {
          cancelled.before().get(member).restore(state);
        }
      } else if (entry instanceof Journal.Waking waking) {
        wakeAt = waking.before();
      } else if (entry instanceof Journal.Promised promised) {
        promised.instance().promised = promised.before();
      }
    }
  }

  private void close(View view) {
    while (innermost != view) {
      ((ForkView) innermost).close();
    }
    view.open = false;
  }

  // ---- Views

  /** What a policy holds. */
  private class View implements SchedulingPass {

    boolean open = true;
    private final PassRandom draws;
    private final RandomGenerator random = this::draw;

    View(PassRandom draws) {
      this.draws = draws;
    }

    private long draw() {
      checkOpen();
      checkInnermost(); // a fork that is kept sets this back to where the fork stands
      return draws.next();
    }

    Pass pass() {
      return Pass.this;
    }

    PassRandom draws() {
      return draws;
    }

    private void checkOpen() {
      if (!open) {
        throw new IllegalStateException(
            "pass %s is over, or this fork of it is closed. Views must not be kept."
                .formatted(number));
      }
    }

    final void checkActs() {
      checkOpen();
      if (busy) {
        throw new IllegalStateException(
            "a part of a policy acts on pass %s while it is asked. Parts only answer."
                .formatted(number));
      }
      checkInnermost();
    }

    private void checkInnermost() {
      if (innermost != this) {
        throw new IllegalStateException(
            "pass %s has an open fork: act on that, or close it first.".formatted(number));
      }
    }

    @Override
    public long number() {
      checkOpen();
      return number;
    }

    @Override
    public long now() {
      checkOpen();
      return state.now();
    }

    @Override
    public Set<Trigger> triggers() {
      checkOpen();
      return triggers;
    }

    @Override
    public RandomGenerator random() {
      checkOpen();
      return random;
    }

    @Override
    public long tieBreak(Instance instance, Host host) {
      checkOpen();
      return SeededTieBreaker.toss(
          SeededTieBreaker.draw(tieHash(instance), number), tieHash(host), groupBits);
    }

    private long tieHash(Instance instance) {
      return instance instanceof InstanceRecord ours
          ? ours.tieHash
          : SeededTieBreaker.hash(state.seed(), instance.id());
    }

    private long tieHash(Host host) {
      return host instanceof HostRecord ours
          ? ours.tieHash
          : SeededTieBreaker.hash(state.seed(), host.id());
    }

    @Override
    public List<Host> hosts() {
      checkOpen();
      return state.hosts();
    }

    @Override
    public Optional<Host> host(String id) {
      checkOpen();
      return state.host(id);
    }

    @Override
    public List<Pool> pools() {
      checkOpen();
      return state.pools();
    }

    @Override
    public List<Bag> bags() {
      checkOpen();
      return state.bags();
    }

    @Override
    public List<BagReport> endedBags() {
      checkOpen();
      return endedBags;
    }

    @Override
    public List<Instance> pending() {
      checkOpen();
      List<Instance> waiting = new ArrayList<>(state.pendingCount());
      for (InstanceRecord each : state.pendingRecords()) {
        if (each.actedInPass != number) {
          waiting.add(each);
        }
      }
      return Collections.unmodifiableList(waiting);
    }

    @Override
    public Collection<Instance> instances() {
      checkOpen();
      List<Instance> present = new ArrayList<>(state.instances());
      present.removeIf(each -> each.state() == InstanceState.DONE); // by this pass
      return Collections.unmodifiableList(present);
    }

    @Override
    public Optional<Instance> instance(String id) {
      checkOpen();
      return state.instance(id).filter(each -> each.state() != InstanceState.DONE);
    }

    @Override
    public Optional<Reason> obstacle(
        Instance instance, Host host, List<Instance> victims, Resources grant) {
      checkOpen();
      InstanceRecord[] records = new InstanceRecord[victims.size()];
      Reason wrong = resolve(instance, host, victims, records);
      if (wrong == null) {
        wrong = wrongGrant(instance, grant, true);
      }
      if (wrong != null) {
        return Optional.of(wrong);
      }
      InstanceRecord subject = (InstanceRecord) instance;
      return Optional.ofNullable(
          Pass.this.obstacle(
              subject, (HostRecord) host, records, records.length, grantOf(subject, grant)));
    }

    @Override
    public Outcome place(Instance instance, Host host, List<Instance> victims, Resources grant) {
      checkActs();
      InstanceRecord[] records = new InstanceRecord[victims.size()];
      Reason refusal = resolve(instance, host, victims, records);
      if (refusal == null) {
        refusal = wrongGrant(instance, grant, true);
      }
      if (refusal == null) {
        InstanceRecord subject = (InstanceRecord) instance;
        refusal =
            Pass.this.place(
                subject,
                (HostRecord) host,
                records,
                records.length,
                grantOf(subject, grant),
                detailed
                    ? Decision.bare(
                        number,
                        state.now(),
                        instance.id(),
                        host.id(),
                        victims.stream().map(Instance::id).toList())
                    : null);
      }
      return answer(instance, refusal);
    }

    @Override
    public Outcome resize(Instance instance, Resources grant, Reason why) {
      return adjust(
          instance,
          grant,
          subject -> Pass.this.resize(subject, grantOf(subject, grant), requireWhy(why)));
    }

    @Override
    public Outcome pause(Instance instance, Reason why) {
      return adjust(
          instance, instance.granted(), subject -> Pass.this.pause(subject, requireWhy(why)));
    }

    @Override
    public Outcome suspend(Instance instance, Reason why) {
      return adjust(
          instance, instance.granted(), subject -> Pass.this.suspend(subject, requireWhy(why)));
    }

    @Override
    public Outcome resume(Instance instance, Resources grant, Reason why) {
      return adjust(
          instance,
          grant,
          subject -> Pass.this.resume(subject, grantOf(subject, grant), requireWhy(why)));
    }

    @Override
    public Outcome migrate(Instance instance, Host host, Resources grant, Reason why) {
      HostRecord target = state.record(host);
      return adjust(
          instance,
          grant,
          subject ->
              target == null
                  ? new Reason.Unknown("host", host.id())
                  : Pass.this.migrate(subject, target, grantOf(subject, grant), requireWhy(why)));
    }

    @Override
    public Outcome reject(Instance instance, Reason why) {
      return adjust(
          instance, instance.granted(), subject -> Pass.this.reject(subject, requireWhy(why)));
    }

    @Override
    public Outcome provision(
        Pool pool, int count, Optional<String> cluster, OptionalLong expiresAt, Reason why) {
      checkActs();
      PoolRecord known = state.record(pool);
      return answer(
          pool.name(),
          known == null
              ? new Reason.Unknown("pool", pool.name())
              : Pass.this.provision(known, count, cluster, expiresAt, requireWhy(why)));
    }

    @Override
    public Outcome release(Host host, Reason why) {
      checkActs();
      return answer(host.id(), Pass.this.release(host, requireWhy(why)));
    }

    @Override
    public Outcome assign(Bag bag, String cluster, OptionalLong expiresAt, Reason why) {
      checkActs();
      BagRecord known = state.record(bag);
      return answer(
          bag.id(),
          known == null
              ? new Reason.Unknown("bag", bag.id())
              : Pass.this.assign(known, cluster, expiresAt, requireWhy(why)));
    }

    @Override
    public Outcome cancel(Bag bag, Reason why) {
      checkActs();
      BagRecord known = state.record(bag);
      return answer(
          bag.id(),
          known == null
              ? new Reason.Unknown("bag", bag.id())
              : Pass.this.tryCancel(known, requireWhy(why)));
    }

    @Override
    public Outcome defer(Instance instance, Reason why) {
      checkActs();
      InstanceRecord waiting = state.record(instance);
      if (waiting == null) {
        return answer(instance, new Reason.Unknown("instance", instance.id()));
      }
      if (waiting.state != InstanceState.PENDING) {
        return answer(
            instance,
            new Reason.WrongState(
                waiting.id(), "must be pending to be deferred, is " + where(waiting)));
      }
      Pass.this.defer(waiting, requireWhy(why));
      return Outcome.accept();
    }

    private static Reason requireWhy(Reason why) {
      return Objects.requireNonNull(why, "why");
    }

    private Outcome adjust(
        Instance instance, Resources grant, Function<InstanceRecord, @Nullable Reason> doing) {
      checkActs();
      InstanceRecord subject = state.record(instance);
      Reason refusal =
          subject == null
              ? new Reason.Unknown("instance", instance.id())
              : wrongGrant(subject, grant, false);
      return answer(instance, refusal == null && subject != null ? doing.apply(subject) : refusal);
    }

    private @Nullable Reason wrongGrant(Instance instance, Resources grant, boolean molds) {
      InstanceRecord subject = (InstanceRecord) instance;
      if (grant.equals(subject.request.demand())) {
        return null;
      }
      Dimension unknown = Grant.unknown(grant, state.table());
      return unknown != null
          ? new Reason.Unknown("dimension", unknown.name())
          : Grant.tooSmall(subject, grant, molds, oversubscribed);
    }

    private Grant grantOf(InstanceRecord instance, Resources grant) {
      return Grant.of(instance, grant, state.table());
    }

    private Outcome answer(Instance instance, @Nullable Reason refusal) {
      return answer(instance.id(), refusal);
    }

    private Outcome answer(String subject, @Nullable Reason refusal) {
      return refusal == null ? Outcome.accept() : refusedWith(subject, refusal);
    }

    private Outcome refusedWith(String subject, Reason why) {
      if (why.kind() == Reason.Kind.POLICY_ERROR && errors.size() < Plan.MAX_POLICY_ERRORS) {
        errors.add(new Plan.PolicyError(subject, why));
      }
      return Outcome.refuse(why);
    }

    @Override
    public Outcome defer(Bag bag, Reason why) {
      checkActs();
      BagRecord known = state.record(bag);
      if (known == null) {
        return answer(bag.id(), new Reason.Unknown("bag", bag.id()));
      }
      journal.add(new Journal.BagDeferred(known, requireWhy(why)));
      return Outcome.accept();
    }

    @Override
    public void wakeAt(long time) {
      checkActs();
      if (time <= state.now()) {
        throw new IllegalArgumentException(
            "pass %s was asked to wake at %s ns, must be after now, %s ns."
                .formatted(number, time, state.now()));
      }
      if (time < wakeAt) {
        long before = wakeAt;
        journal.add(new Journal.Waking(before));
        wakeAt = time;
      }
    }

    @Override
    public Fork fork() {
      checkActs();
      ForkView fork = new ForkView(this, journal.size());
      innermost = fork;
      return fork;
    }

    private @Nullable Reason resolve(
        Instance instance, Host host, List<Instance> victims, InstanceRecord[] records) {
      if (state.record(instance) == null) {
        return new Reason.Unknown("instance", instance.id());
      }
      if (state.record(host) == null) {
        return new Reason.Unknown("host", host.id());
      }
      for (int i = 0; i < records.length; i++) {
        InstanceRecord victim = state.record(victims.get(i));
        if (victim == null) {
          return new Reason.Unknown("instance", victims.get(i).id());
        }
        records[i] = victim;
      }
      return null;
    }
  }

  private final class ForkView extends View implements SchedulingPass.Fork {

    private final View parent;
    private final int mark;

    ForkView(View parent, int mark) {
      super(parent.draws().copy());
      this.parent = parent;
      this.mark = mark;
    }

    @Override
    public void keep() {
      checkActs();
      parent.draws().goOnFrom(draws());
      end();
    }

    @Override
    public void close() {
      if (open) {
        Pass.this.close(this);
        undoTo(mark);
        end();
      }
    }

    private void end() {
      open = false;
      innermost = parent;
    }
  }
}

package dev.berth.core.internal.state;

import com.google.common.collect.Sets;
import dev.berth.api.Dimension;
import dev.berth.api.History;
import dev.berth.api.Host;
import dev.berth.api.HostLoad;
import dev.berth.api.HostSpec;
import dev.berth.api.HostState;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.TimeLimits;
import dev.berth.api.Usage;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.SavedInstance;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.elastic.PoolRecord;
import dev.berth.core.internal.elastic.ProvidedHost;
import dev.berth.core.internal.group.GroupRecord;
import dev.berth.core.internal.undo.UndoLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The events of a cluster, as an embedder reports them. An event that is refused or fails changes
 * nothing.
 */
public final class ClusterEvents {

  private static final Set<InstanceState> READY_NEXT =
      Sets.immutableEnumSet(InstanceState.STARTING);
  private static final Set<InstanceState> RUNS = Sets.immutableEnumSet(InstanceState.RUNNING);
  private static final Set<InstanceState> ON_HOST =
      Sets.immutableEnumSet(
          InstanceState.STARTING,
          InstanceState.RUNNING,
          InstanceState.PAUSED,
          InstanceState.SUSPENDED);
  private static final Set<InstanceState> LIVE =
      Sets.immutableEnumSet(Sets.union(ON_HOST, Set.of(InstanceState.PENDING)));

  private final ClusterState state;
  private final Transitions transitions;

  /** Prepares events in a cluster. */
  public ClusterEvents(ClusterState state, Transitions transitions) {
    this.state = state;
    this.transitions = transitions;
  }

  /** Advances the time, for a pass. */
  public void advanceTo(long time) {
    state.requireNotPast(time, "a pass", "", "");
    state.setNow(time);
  }

  /** Offers a pool of hosts, or changes the offer. */
  public void offerPool(PoolSpec pool, long time) {
    state.refuseClash("pool ", pool.name(), pool.capacity());
    state.requireNotPast(time, "pool ", pool.name(), " is offered");
    state.beginChange();
    state.setNow(time);
    state.table().dense(pool.capacity()); // fixes its scales
    PoolRecord offered = state.pools().offer(pool);
    state.changed(offered);
    offered.starting.values().forEach(each -> each.touched(state));
    state.endChange();
  }

  /**
   * Sets how much there is of a counted limit. Returns whether that is anything else than before.
   */
  public boolean setLimit(String name, long amount, long time) {
    if (name.isBlank()) {
      throw new EventRefusedException("a limit is set, but its name is blank.");
    }
    if (amount < 0) {
      throw new EventRefusedException(
          "limit %s is set to %s, must not be negative.".formatted(name, amount));
    }
    state.requireNotPast(time, "limit ", name, " is set");
    boolean changes = amount != state.limits().amount(name);
    state.beginChange();
    state.setNow(time);
    if (changes) {
      state.limits().set(name, amount);
    }
    state.endChange();
    return changes;
  }

  /** Adds a host, perhaps one that a plan provisioned. */
  public Host addHost(HostSpec spec, long time) {
    String id = spec.id();
    if (state.hostRecord(id) != null) {
      throw new EventRefusedException(
          "host %s joins, but a host of that id is present. Maybe remove it first.".formatted(id));
    }
    ProvidedHost provided = state.pools().provided(id);
    if (provided != null && provided.state() == HostState.STOPPING) {
      throw new EventRefusedException(
          "host %s joins, but it was released and is not reported gone. Maybe remove it first."
              .formatted(id));
    }
    state.refuseClash("host ", id, spec.capacity());
    state.requireNotPast(time, "host ", id, " joins");
    state.beginChange();
    state.setNow(time);
    HostRecord host =
        new HostRecord(
            spec,
            provided,
            state.table(),
            state.table().dense(spec.capacity()),
            SeededTieBreaker.hash(state.seed(), id),
            state.countJoin());
    host.noteTaints(time);
    if (provided != null) {
      state.openActions().close(provided.requestedBy());
      state.pools().joined(provided, host);
      state.changed(provided.pool);
    }
    state.enterHost(host);
    state.constraints().added(host);
    state.follower().joined(host);
    state.endChange();
    return host;
  }

  /**
   * Removes a host; its instances are pending again. Also handles a host that a plan provisioned
   * and that did not start, and a released host that is gone.
   */
  public void removeHost(String id, long time) {
    HostRecord host = state.hostRecord(id);
    if (host == null) {
      removeProvided(id, time);
      return;
    }
    state.requireNotPast(time, "host ", id, " leaves");
    List<InstanceRecord> stranded = List.copyOf(host.residents);
    List<SavedInstance> formers = new ArrayList<>(stranded.size());
    state.beginChange();
    try {
      for (InstanceRecord each : stranded) {
        formers.add(new SavedInstance().note(each));
        each.stops(time, false);
        state.follower().rekey(each);
      }
    } catch (Throwable failure) {
      for (int i = 0; i < formers.size(); i++) {
        stranded.get(i).restore(formers.get(i));
      }
      state.revertChange();
      throw failure;
    }
    state.setNow(time);
    for (int i = 0; i < formers.size(); i++) {
      state.openActions().end(stranded.get(i));
      transitions.leave(stranded.get(i), formers.get(i));
      transitions.enter(stranded.get(i), formers.get(i));
    }
    state.leaveHost(host);
    if (host.pool != null) {
      state.pools().left(host);
    }
    state.endChange();
  }

  private void removeProvided(String id, long time) {
    ProvidedHost provided = state.pools().provided(id);
    if (provided == null) {
      throw new EventRefusedException("host %s leaves, but no such host is present.".formatted(id));
    }
    state.requireNotPast(time, "host ", id, " leaves");
    state.beginChange();
    state.setNow(time);
    state.noteExpiries();
    state.openActions().close(provided.requestedBy());
    state.openActions().close(provided.releasedBy());
    state.pools().gone(provided, time);
    state.changed(provided.pool);
    state.endChange();
  }

  /** Records the load of a host. */
  public void loadReported(String id, double load, long time) {
    HostRecord host = state.hostRecord(id);
    if (host == null) {
      throw new EventRefusedException(
          "host %s reports its load, but no such host is present.".formatted(id));
    }
    HostLoad told;
    try {
      told = new HostLoad(load, time);
    } catch (IllegalArgumentException wrong) {
      throw new EventRefusedException("host %s: %s".formatted(id, wrong.getMessage()));
    }
    state.requireNotPast(time, "host ", id, " reports its load");
    state.beginChange();
    state.setNow(time);
    host.reportsLoad(told);
    state.touch(host);
    state.endChange();
  }

  /**
   * Submits a bag of tasks, as a whole or not at all; its instances are pending.
   *
   * @param log receives how to undo it
   */
  public Bag submit(BagSpec spec, long time, UndoLog log) {
    if (state.bags.containsKey(spec.id())) {
      throw new EventRefusedException(
          "bag %s is submitted, but a bag of that id has not ended.".formatted(spec.id()));
    }
    BagRecord bag = new BagRecord(spec, time, state.admissions());
    state.beginChange();
    admitAll(spec.requests(), bag, null, bag.members::add, time, log);
    log.add(
        () -> {
          state.bags.remove(bag.id());
          state.changed(bag);
          state.noteExpiries();
        });
    state.bags.put(spec.id(), bag);
    state.changed(bag);
    state.noteExpiries();
    state.endChange();
    return bag;
  }

  /**
   * Submits a group, as a whole or not at all; its instances are pending.
   *
   * @param log receives how to undo it
   */
  public List<? extends Instance> submit(GroupSpec spec, long time, UndoLog log) {
    if (state.groups.containsKey(spec.id())) {
      throw new EventRefusedException(
          "group %s is submitted, but a group of that id has not ended.".formatted(spec.id()));
    }
    GroupRecord group =
        new GroupRecord(
            spec.id(), spec.members().size(), spec.minCount(), spec.onLoss(), state.admissions());
    state.beginChange();
    admitAll(spec.members(), null, group, group::joins, time, log);
    log.add(
        () -> {
          state.groups.remove(group.id());
          state.changed(group);
        });
    state.groups.put(spec.id(), group);
    state.changed(group);
    state.endChange();
    return group.members();
  }

  /** Admits all members of a bag or group, or ends the change that submits it. */
  private void admitAll(
      List<Request> requests,
      @Nullable BagRecord bag,
      @Nullable GroupRecord group,
      Consumer<InstanceRecord> joins,
      long time,
      UndoLog log) {
    int mark = log.size();
    long before = state.now();
    long admissions = state.admissions();
    int dimensions = state.table().dimensions();
    log.add(
        () -> {
          for (Request each : requests) {
            InstanceRecord admitted = state.instanceRecord(each.id());
            if (admitted != null && admitted.bag == bag && admitted.group == group) {
              withdraw(admitted);
            }
          }
          state.table().forgetDimensionsFrom(dimensions);
          state.setAdmissions(admissions);
          state.setNow(before);
        });
    try {
      for (Request each : requests) {
        joins.accept(admit(each, bag, group, null, time));
      }
    } catch (Throwable failure) {
      log.undoTo(mark);
      state.revertChange();
      throw failure;
    }
  }

  /** Undoes an admission. */
  void withdraw(InstanceRecord admitted) {
    transitions.leavePending(admitted);
    state.remove(admitted);
    transitions.forget(admitted);
  }

  /** Cancels a group. Returns its instances with their final accounting. */
  public List<Instance> cancelGroup(String id, long time) {
    GroupRecord group = state.groups.get(id);
    if (group == null) {
      throw new EventRefusedException(
          "group %s is cancelled, but there is no such group, or it has ended.".formatted(id));
    }
    state.requireNotPast(time, "group ", id, " is cancelled");
    List<Instance> ended = new ArrayList<>();
    state.beginChange();
    for (InstanceRecord each : group.members()) {
      ended.add(end(each, time, time, true, OptionalLong.empty()));
    }
    state.endChange();
    return ended;
  }

  /** Admits a request; its instance is pending. */
  public Instance submit(Request request, long time) {
    return admit(request, null, null, null, time);
  }

  /** Admits a request that continues a history; its instance is pending. */
  public Instance submit(Request request, History history, long time) {
    requireNew(request);
    state.requireNotPast(time, "request ", request.id(), " is submitted");
    requireLived(request.id(), history, time);
    return admit(request, null, null, history, time);
  }

  /** Refuses a history that does not fit into the time up to now. */
  private static void requireLived(String id, History history, long time) {
    long admittedAt = history.admittedAt();
    if (admittedAt > time || admittedAt < TimeLimits.EARLIEST) {
      throw new EventRefusedException(
          "request %s is submitted at %s ns, but was admitted at %s ns, must be from %s ns up to then. Maybe submit it without a history."
              .formatted(id, time, admittedAt, TimeLimits.EARLIEST));
    }
    Duration life = Duration.ofNanos(time).minusNanos(admittedAt);
    if (life.compareTo(TimeLimits.LONGEST_LIFE) > 0) {
      throw new EventRefusedException(
          "request %s is submitted at %s ns, but was admitted at %s ns, must be at most %s days before."
              .formatted(id, time, admittedAt, TimeLimits.LONGEST_LIFE.toDays()));
    }
    if (exceeds(history, life)) {
      throw new EventRefusedException(
          "request %s is submitted with a service of %s and restarts of %s, must be at most the %s since its admission."
              .formatted(id, history.served(), history.restartOverhead(), life));
    }
  }

  /** Returns whether service and restarts do not fit into a time. */
  private static boolean exceeds(History history, Duration time) {
    Duration served = history.served();
    return served.compareTo(time) > 0
        || history.restartOverhead().compareTo(time.minus(served)) > 0;
  }

  /** Refuses an adoption that is not possible. */
  void requireAdoptable(Adoption how, ObservedInstance seen, long time) {
    Request request = how.request();
    String id = request.id();
    if (!id.equals(seen.id())) {
      throw new EventRefusedException(
          "instance %s is adopted for request %s, must have its id.".formatted(seen.id(), id));
    }
    requireNew(request);
    state.requireNotPast(time, "instance ", id, " is adopted");
    long since = seen.since().orElse(time);
    long admittedAt = how.history().admittedAt();
    if (since > time || admittedAt > since || admittedAt < TimeLimits.EARLIEST) {
      throw new EventRefusedException(
          "instance %s is adopted at %s ns, admitted at %s ns and %s since %s ns, must be in this order reversed and from %s ns on."
              .formatted(id, time, admittedAt, seen.state(), since, TimeLimits.EARLIEST));
    }
    Duration most = Duration.ofNanos(since).minusNanos(admittedAt);
    if (exceeds(how.history(), most)) {
      throw new EventRefusedException(
          "instance %s is adopted with a service of %s%s, but it was admitted only %s before it was %s."
              .formatted(
                  id,
                  how.history().served(),
                  how.history().restartOverhead().isZero()
                      ? ""
                      : " and restarts of " + how.history().restartOverhead(),
                  most,
                  seen.state()));
    }
    if (Duration.ofNanos(time).minusNanos(admittedAt).compareTo(TimeLimits.LONGEST_LIFE) > 0) {
      throw new EventRefusedException(
          "instance %s is adopted at %s ns, but was admitted at %s ns, more than %s days before."
              .formatted(id, time, admittedAt, TimeLimits.LONGEST_LIFE.toDays()));
    }
  }

  private void requireCountable(HostRecord host, Request request) {
    for (Dimension each : request.demand().dimensions()) {
      int number = state.table().numberOf(each);
      long free = number < 0 ? 0 : state.table().free(host.slot(), number);
      if (free <= Long.MIN_VALUE + request.demand().amount(each)) {
        throw new EventRefusedException(
            "instance %s is adopted on host %s, which would hold more than 2^63 units of %s."
                .formatted(request.id(), host.id(), each));
      }
    }
  }

  /** Adopts an instance that is on a host already, whether it fits there or not. */
  public Instance adopt(Adoption how, ObservedInstance seen, long time) {
    requireAdoptable(how, seen, time);
    HostRecord host = state.hostRecord(seen.host());
    if (host == null) {
      throw new EventRefusedException(
          "instance %s is adopted on host %s, but no such host is up."
              .formatted(seen.id(), seen.host()));
    }
    requireCountable(host, how.request());
    int dimensions = state.table().dimensions();
    state.beginChange();
    InstanceRecord instance = create(how.request(), null, null, how.history().admittedAt());
    try {
      transitions.adopt(
          instance, host, seen.state(), seen.attempt(), seen.since().orElse(time), how.history());
    } catch (Throwable failure) {
      transitions.forget(instance);
      state.table().forgetDimensionsFrom(dimensions);
      state.revertChange();
      throw failure;
    }
    state.setNow(time);
    state.livesSince(how.history().admittedAt());
    state.setAdmissions(state.admissions() + 1);
    state.add(instance);
    state.endChange();
    return instance;
  }

  private void requireNew(Request request) {
    String id = request.id();
    if (state.instanceRecord(id) != null) {
      throw new EventRefusedException(
          "request %s is submitted, but an instance of that id is not done.".formatted(id));
    }
    if (!state.classRecords().containsKey(request.serviceClass())) {
      throw new EventRefusedException(
          "request %s is of service class %s, which the scheduler does not have. Known: %s."
              .formatted(
                  id, request.serviceClass(), String.join(", ", state.classRecords().keySet())));
    }
    state.refuseClash("request ", id, request.demand());
  }

  private InstanceRecord admit(
      Request request,
      @Nullable BagRecord bag,
      @Nullable GroupRecord group,
      @Nullable History history,
      long time) {
    requireNew(request);
    state.requireNotPast(time, "request ", request.id(), " is submitted");
    int dimensions = state.table().dimensions();
    state.beginChange();
    InstanceRecord instance =
        create(request, bag, group, history == null ? time : history.admittedAt());
    if (history != null) {
      instance.waitsSince(time, history);
    }
    try {
      state.follower().rekey(instance);
    } catch (Throwable failure) {
      transitions.forget(instance);
      state.table().forgetDimensionsFrom(dimensions);
      state.revertChange();
      throw failure;
    }
    state.setNow(time);
    if (history != null) {
      state.livesSince(history.admittedAt());
    }
    state.setAdmissions(state.admissions() + 1);
    state.add(instance);
    transitions.enterPending(instance);
    state.endChange();
    return instance;
  }

  /** Returns a new record of the cluster's class, job and constraints. */
  private InstanceRecord create(
      Request request, @Nullable BagRecord bag, @Nullable GroupRecord group, long admittedAt) {
    InstanceRecord instance =
        new InstanceRecord(
            request,
            Objects.requireNonNull(state.classRecords().get(request.serviceClass())),
            state.table().dense(request.demand()),
            state.constraints().acquire(request.constraints(), state.hostRecords()),
            request.job().map(state::job).orElse(null),
            bag,
            group,
            admittedAt,
            state.admissions(),
            SeededTieBreaker.hash(state.seed(), request.id()));
    state.peers().connect(instance);
    state.limits().connect(instance);
    return instance;
  }

  /** Starts the service of an instance that is ready. */
  public void started(String id, long time) {
    start(require(id, time, " is ready", READY_NEXT), time, time);
  }

  /** Starts the service of a starting instance, at a time that is not after now. */
  void start(InstanceRecord instance, long at, long time) {
    SavedInstance former = transitions.begin(instance);
    instance.runs(at);
    transitions.rekey(instance, former);
    state.openActions().confirm(instance);
    state.backoffs().succeeded(instance);
    transitions.move(instance, former, time);
  }

  /** Makes an instance that failed pending again. */
  public void failed(String id, long time) {
    fail(require(id, time, " failed", ON_HOST), time, time);
  }

  /** Makes an instance on a host that failed pending, from a time that is not after now. */
  void fail(InstanceRecord instance, long at, long time) {
    stop(instance, at, time, instance.state() == InstanceState.STARTING);
  }

  /** Makes an instance pending that was believed on a host, which says nothing of its start. */
  void miss(InstanceRecord instance, long time) {
    stop(instance, time, time, false);
  }

  private void stop(InstanceRecord instance, long at, long time, boolean isFailedStart) {
    SavedInstance former = transitions.begin(instance);
    instance.stops(at, false);
    transitions.rekey(instance, former);
    if (isFailedStart) {
      state.backoffs().failed(instance, former.host(), time);
    }
    state.openActions().end(instance);
    transitions.move(instance, former, time);
  }

  /**
   * Ends an instance. Returns it with its final accounting.
   *
   * @param cpuTime CPU time that it took on its host, in nanoseconds; empty if unknown
   */
  public Instance done(String id, long time, boolean cancelled, OptionalLong cpuTime) {
    InstanceRecord instance =
        cancelled
            ? require(id, time, " is cancelled", LIVE)
            : require(id, time, " completed", RUNS);
    return end(instance, time, time, cancelled, cpuTime);
  }

  /** Ends an instance in any state, at a time that is not after now. */
  Instance end(
      InstanceRecord instance, long at, long time, boolean cancelled, OptionalLong cpuTime) {
    SavedInstance former = transitions.begin(instance);
    HostRecord host = instance.place();
    instance.ends(at);
    state.setNow(time);
    transitions.leave(instance, former);
    if (host != null && cpuTime.isPresent()) {
      instance.request.application().ifPresent(name -> host.ran(name, cpuTime.getAsLong()));
    }
    state.remove(instance);
    state.openActions().end(instance);
    transitions.forget(instance);
    transitions.leaveBag(instance, !cancelled);
    transitions.leaveGroup(instance, !cancelled);
    state.endChange();
    return instance;
  }

  /**
   * Cancels a bag at the wish of its user. Returns its outcome, which the next plan repeats.
   *
   * @param why the reason that reports state
   */
  public BagReport cancelBag(String id, Reason why, long time) {
    BagRecord bag = state.bags.get(id);
    if (bag == null) {
      throw new EventRefusedException(
          "bag %s is cancelled, but there is no such bag, or it has ended.".formatted(id));
    }
    state.requireNotPast(time, "bag ", id, " is cancelled");
    state.beginChange();
    state.setNow(time);
    transitions.cancel(bag);
    BagReport report = transitions.report(bag, why);
    transitions.forgetCancelled(bag, report);
    for (InstanceRecord each : bag.members) {
      state.openActions().end(each);
      transitions.forget(each);
    }
    state.endChange();
    return report;
  }

  /** Records the measured usage of an instance on a host. */
  public void usageReported(String id, Resources used, Resources shortfall, long time) {
    InstanceRecord instance = require(id, time, " reports its usage", ON_HOST);
    state.refuseClash("usage of instance ", id, used);
    state.refuseClash("usage of instance ", id, shortfall);
    Usage usage = new Usage(time, used, shortfall);
    state.beginChange();
    state.setNow(time);
    instance.uses(usage);
    state.changed(instance);
    if (instance.place() != null) {
      state.touch(instance.place());
    }
    state.endChange();
  }

  private InstanceRecord require(String id, long time, String event, Set<InstanceState> allowed) {
    InstanceRecord instance = state.instanceRecord(id);
    if (instance == null) {
      throw new EventRefusedException(
          "instance %s%s, but there is no such instance, or it is done.".formatted(id, event));
    }
    if (!allowed.contains(instance.state())) {
      throw new EventRefusedException(
          "instance %s%s, but it has been %s since %s ns.%s"
              .formatted(
                  id,
                  event,
                  instance.state(),
                  instance.stateSince(),
                  instance.state() == InstanceState.STARTING
                      ? " Maybe report started(...) first."
                      : ""));
    }
    state.requireNotPast(time, "instance ", id, event);
    return instance;
  }
}

package dev.berth.core.internal.state;

import com.google.common.collect.Sets;
import dev.berth.api.Bag;
import dev.berth.api.BagReport;
import dev.berth.api.BagSpec;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostLoad;
import dev.berth.api.HostSpec;
import dev.berth.api.HostState;
import dev.berth.api.Instance;
import dev.berth.api.InstanceReport;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Usage;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.error.EventRefusedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The cluster: hosts, instances that are not done, and their accounting. The only place where
 * either changes.
 *
 * <p>Events come from {@link dev.berth.core.Scheduler}, tentative actions and their undoing from
 * a pass. Each transition keeps {@code e + p = now − admission}, moves capacity, and tells
 * the {@link TransitionListener} of a pipeline.
 */
public final class ClusterState {

  private static final Comparator<InstanceRecord> BY_ADMISSION =
      Comparator.comparingLong(each -> each.sequence);

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

  private final long seed;
  private final Map<String, ClassRecord> classes;
  private final List<ServiceClass> rankedClasses;
  private final HostTable table = new HostTable();
  private final ConstraintIndex constraintIndex = new ConstraintIndex();
  private final Map<String, JobRecord> jobs = new LinkedHashMap<>();
  private final Map<String, HostRecord> hosts = new HashMap<>();
  private final SortedMap<Long, HostRecord> hostsInOrder = new TreeMap<>(); // of joining
  private @Nullable List<Host> hostList; // the same, until one joins or leaves
  private final Pools pools = new Pools();
  private final Map<String, BagRecord> bags = new LinkedHashMap<>(); // of submission
  private final List<BagReport> endedBags = new ArrayList<>(); // since the latest pass
  private final Map<String, InstanceRecord> instances = new LinkedHashMap<>(); // of admission
  private final List<InstanceRecord> pending = new ArrayList<>(); // order means nothing
  private final SavedInstance former = new SavedInstance(); // of the one transition under way
  private TransitionListener index = TransitionListener.NONE;
  private @Nullable String latestPlacement; // id of its host
  private long joins;
  private long versions;
  private @Nullable HostRecord latestChanged;
  private long nextExpiry; // of those after expirySeenUntil
  private long expirySeenUntil;
  private boolean expiriesChanged = true; // since those two were found out
  private long admissions;
  private long now = Long.MIN_VALUE;

  /** An empty cluster with these service classes. */
  public ClusterState(long seed, Collection<? extends ServiceClass> serviceClasses) {
    this.seed = seed;
    this.classes = ClassRecord.rank(serviceClasses);
    this.rankedClasses =
        classes.values().stream().<ServiceClass>map(ClassRecord::serviceClass).toList();
  }

  // ---- What there is

  /** Returns the seed of all ties. */
  public long seed() {
    return seed;
  }

  /** Returns the service classes in order of rank. */
  public List<ServiceClass> serviceClasses() {
    return rankedClasses;
  }

  /** Returns the time of the latest event or pass; {@link Long#MIN_VALUE} before the first. */
  public long now() {
    return now;
  }

  /** Returns the hosts that are up, in the order in which they joined; immutable. */
  public List<Host> hosts() {
    if (hostList == null) {
      hostList = List.copyOf(hostsInOrder.values());
    }
    return hostList;
  }

  /** Returns the number of hosts. */
  public int hostCount() {
    return hosts.size();
  }

  /** Returns the host with that id, or empty. */
  public Optional<Host> host(String id) {
    return Optional.ofNullable(hosts.get(id));
  }

  /** Returns the instances that are not done, in order of admission; a live, unmodifiable view. */
  public Collection<Instance> instances() {
    return Collections.unmodifiableCollection(instances.values());
  }

  /** Returns the instance with that id, or empty. */
  public Optional<Instance> instance(String id) {
    return Optional.ofNullable(instances.get(id));
  }

  /** Returns the pools in the order in which they were offered. */
  public List<Pool> pools() {
    return pools.all();
  }

  /** Returns the bags that are not at an end, in order of submission. */
  public List<Bag> bags() {
    return bags.values().stream().filter(each -> !each.isOver()).map(Bag.class::cast).toList();
  }

  /** Returns the bag with that id, unless it is at an end. */
  public Optional<Bag> bag(String id) {
    return Optional.<Bag>ofNullable(bags.get(id));
  }

  /** Returns what became of the bags that came to an end since the latest pass. */
  public List<BagReport> endedBags() {
    return List.copyOf(endedBags);
  }

  /** Returns the number of pending instances. */
  public int pendingCount() {
    return pending.size();
  }

  public HostTable table() {
    return table;
  }

  public Collection<HostRecord> hostRecords() {
    return hostsInOrder.values();
  }

  public Collection<BagRecord> bagRecords() {
    return bags.values();
  }

  /** Returns the pending instances in order of admission; a copy. */
  public List<InstanceRecord> pendingRecords() {
    pending.sort(BY_ADMISSION); // where they stand: then little is out of order the next time
    for (int i = 0; i < pending.size(); i++) {
      pending.get(i).pendingPlace = i;
    }
    return new ArrayList<>(pending);
  }

  public @Nullable InstanceRecord record(Instance instance) {
    InstanceRecord found = instances.get(instance.id());
    return found == instance ? found : null;
  }

  public @Nullable HostRecord record(Host host) {
    return host instanceof HostRecord ours && ours.isIn(table) ? ours : null;
  }

  public @Nullable ProvidedHost starting(Host host) {
    ProvidedHost found = pools.provided(host.id());
    return found == host && found.state == HostState.STARTING ? found : null;
  }

  public @Nullable PoolRecord record(Pool pool) {
    PoolRecord found = pools.get(pool.name());
    return found == pool ? found : null;
  }

  public @Nullable BagRecord record(Bag bag) {
    BagRecord found = bags.get(bag.id());
    return found == bag && !found.isOver() ? found : null;
  }

  /** Makes a pipeline's index follow the transitions from now on. The cluster must be empty. */
  public void follow(TransitionListener follower) {
    if (index != TransitionListener.NONE || !instances.isEmpty() || !hosts.isEmpty()) {
      throw new IllegalStateException(
          "a scheduler runs one pipeline, made before its first event; this is another.");
    }
    this.index = follower;
  }

  /** Returns what follows the transitions. */
  public TransitionListener follower() {
    return index;
  }

  // ---- Events. Each is refused or fails before it changes anything, or happens as a whole.

  /** Moves time on, for a pass. */
  public void advanceTo(long time, String event) {
    advanceTo(time, event, "", "");
  }

  private void advanceTo(long time, String kind, String id, String event) {
    requireNotPast(time, kind, id, event);
    now = time;
  }

  /** A provider offers hosts, or changes its offer. */
  public void offerPool(PoolSpec pool, long time) {
    refuseClash("pool ", pool.name(), pool.capacity());
    advanceTo(time, "pool ", pool.name(), " is offered");
    table.dense(pool.capacity()); // its scales hold from now on
    pools.offer(pool).starting.values().forEach(this::touch);
  }

  /** A host joins, perhaps one that was asked for. */
  public Host addHost(HostSpec spec, long time) {
    String id = spec.id();
    if (hosts.containsKey(id)) {
      throw new EventRefusedException(
          "host %s joins, but a host of that id is present. Maybe remove it first.".formatted(id));
    }
    ProvidedHost asked = pools.provided(id);
    if (asked != null && asked.state == HostState.STOPPING) {
      throw new EventRefusedException(
          "host %s joins, but it was released and is not reported gone. Maybe remove it first."
              .formatted(id));
    }
    refuseClash("host ", id, spec.capacity());
    advanceTo(time, "host ", id, " joins");
    HostRecord host =
        new HostRecord(
            spec,
            asked,
            table,
            table.dense(spec.capacity()),
            SeededTieBreaker.hash(seed, id),
            joins++);
    if (asked != null) {
      pools.isUp(asked, host);
    }
    enter(host);
    constraintIndex.added(host);
    index.joined(host);
    return host;
  }

  private void enter(HostRecord host) {
    hosts.put(host.id(), host);
    hostsInOrder.put(host.joined, host);
    hostList = null;
    expiriesChanged = true;
    touch(host);
  }

  private void leave(HostRecord host) {
    index.left(host);
    unchain(host);
    hosts.remove(host.id());
    hostsInOrder.remove(host.joined);
    hostList = null;
    expiriesChanged = true;
    table.remove(host.slot);
  }

  /** Returns the version of whatever changed last. */
  public long versions() {
    return versions;
  }

  /** Returns the host that changed last; the others follow by {@code changedBefore}. */
  public @Nullable HostRecord latestChanged() {
    return latestChanged;
  }

  /** What its view shows has changed. */
  private void touch(HostRecord host) {
    host.version = ++versions;
    HostRecord latest = latestChanged;
    if (latest != host) {
      unchain(host);
      host.changedBefore = latest;
      if (latest != null) {
        latest.changedAfter = host;
      }
      latestChanged = host;
    }
  }

  private void unchain(HostRecord host) {
    HostRecord before = host.changedBefore;
    HostRecord after = host.changedAfter;
    if (before != null) {
      before.changedAfter = after;
    }
    if (after != null) {
      after.changedBefore = before;
    } else if (latestChanged == host) {
      latestChanged = before;
    }
    host.changedBefore = null;
    host.changedAfter = null;
  }

  private void touch(ProvidedHost host) {
    host.version = ++versions;
  }

  /**
   * A host leaves; what was on it is pending again. Or one that was asked for did not come up, or
   * one that was released is gone.
   */
  public void removeHost(String id, long time) {
    HostRecord host = hosts.get(id);
    if (host == null) {
      removeProvided(id, time);
      return;
    }
    requireNotPast(time, "host ", id, " leaves");
    List<InstanceRecord> stranded = List.copyOf(host.residents);
    List<SavedInstance> formers = new ArrayList<>(stranded.size());
    try {
      for (InstanceRecord each : stranded) {
        formers.add(new SavedInstance().note(each));
        stop(each, time, false);
        index.rekey(each);
      }
    } catch (Throwable failure) {
      for (int i = 0; i < formers.size(); i++) {
        formers.get(i).restore(stranded.get(i));
      }
      throw failure;
    }
    now = time;
    for (int i = 0; i < formers.size(); i++) {
      leave(stranded.get(i), formers.get(i));
      enter(stranded.get(i), formers.get(i));
    }
    leave(host);
    if (host.pool != null) {
      host.pool.up.remove(host.joined);
    }
  }

  private void removeProvided(String id, long time) {
    ProvidedHost asked = pools.provided(id);
    if (asked == null) {
      throw new EventRefusedException("host %s leaves, but no such host is present.".formatted(id));
    }
    advanceTo(time, "host ", id, " leaves");
    expiriesChanged = true;
    pools.isGone(asked, time);
  }

  /** A host says how busy it is. */
  public void loadReported(String id, double load, long time) {
    HostRecord host = hosts.get(id);
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
    advanceTo(time, "host ", id, " reports its load");
    host.reportsLoad(told);
    touch(host);
  }

  /** A bag of tasks is submitted; its instances are pending. All of it, or nothing. */
  public Bag submit(BagSpec spec, long time) {
    if (bags.containsKey(spec.id())) {
      throw new EventRefusedException(
          "bag %s is submitted, but a bag of that id is not at an end.".formatted(spec.id()));
    }
    long before = now;
    long admittedBefore = admissions;
    int dimensions = table.dimensions();
    BagRecord bag = new BagRecord(spec, time);
    try {
      for (Request each : spec.requests()) {
        InstanceRecord member = admit(each, bag, time);
        bag.members.add(member);
      }
    } catch (Throwable failure) {
      for (InstanceRecord each : bag.members) {
        leavePending(each);
        instances.remove(each.id());
        forget(each);
      }
      table.forgetDimensionsFrom(dimensions);
      admissions = admittedBefore;
      now = before;
      throw failure;
    }
    bags.put(spec.id(), bag);
    expiriesChanged = true;
    return bag;
  }

  /** A request is admitted; its instance is pending. */
  public Instance submit(Request request, long time) {
    return admit(request, null, time);
  }

  private InstanceRecord admit(Request request, @Nullable BagRecord bag, long time) {
    String id = request.id();
    if (instances.containsKey(id)) {
      throw new EventRefusedException(
          "request %s is submitted, but an instance of that id is not done.".formatted(id));
    }
    ClassRecord classRecord = classes.get(request.serviceClass());
    if (classRecord == null) {
      throw new EventRefusedException(
          "request %s is of service class %s, which the scheduler does not have. Known: %s."
              .formatted(id, request.serviceClass(), String.join(", ", classes.keySet())));
    }
    refuseClash("request ", id, request.demand());
    requireNotPast(time, "request ", id, " is submitted");
    int dimensions = table.dimensions();
    JobRecord job =
        request.job().map(name -> jobs.computeIfAbsent(name, JobRecord::new)).orElse(null);
    if (job != null) {
      job.members++;
    }
    InstanceRecord instance =
        new InstanceRecord(
            request,
            classRecord,
            table.dense(request.demand()),
            constraintIndex.acquire(request.constraints(), table),
            job,
            time,
            admissions,
            SeededTieBreaker.hash(seed, id));
    instance.bag = bag;
    try {
      index.rekey(instance);
    } catch (Throwable failure) {
      forget(instance);
      table.forgetDimensionsFrom(dimensions);
      throw failure;
    }
    now = time;
    admissions++;
    instances.put(id, instance);
    enterPending(instance);
    return instance;
  }

  /** An instance is ready: from now on it is in service. */
  public void started(String id, long time) {
    InstanceRecord instance = require(id, time, " is ready", READY_NEXT);
    SavedInstance former = this.former.note(instance);
    if (instance.placedAfterPreemption) {
      instance.restartOverhead += time - instance.stateSince;
      instance.placedAfterPreemption = false; // to be resumed or to move is no restart
    }
    instance.state = InstanceState.RUNNING;
    instance.stateSince = time;
    change(instance, former, time);
  }

  /** An instance failed; it is pending again. */
  public void failed(String id, long time) {
    InstanceRecord instance = require(id, time, " failed", ON_HOST);
    SavedInstance former = this.former.note(instance);
    stop(instance, time, false);
    change(instance, former, time);
  }

  /**
   * An instance is done. Returns it, with its final accounting.
   *
   * @param cpuTime what CPU time it took where it is, in nanoseconds, if that is known
   */
  public Instance done(String id, long time, boolean cancelled, OptionalLong cpuTime) {
    InstanceRecord instance =
        cancelled
            ? require(id, time, " is cancelled", LIVE)
            : require(id, time, " completed", RUNS);
    SavedInstance former = this.former.note(instance);
    HostRecord host = instance.host;
    stop(instance, time, false);
    instance.state = InstanceState.DONE;
    now = time;
    leave(instance, former);
    if (host != null && cpuTime.isPresent()) {
      instance.request.application().ifPresent(name -> host.ran(name, cpuTime.getAsLong()));
    }
    instances.remove(id);
    forget(instance);
    leaveBag(instance, !cancelled);
    return instance;
  }

  private void leaveBag(InstanceRecord instance, boolean complete) {
    BagRecord bag = instance.bag;
    if (bag == null) {
      return;
    }
    bag.left(instance, complete);
    if (bag.members.isEmpty()) {
      bags.remove(bag.id());
      expiriesChanged = true;
      endedBags.add(bag.report(List.of(), Optional.empty(), now));
    }
  }

  /**
   * The user takes a bag back. Returns what became of it, which the next plan tells again.
   *
   * @param why what to tell the user
   */
  public BagReport cancelBag(String id, Reason why, long time) {
    BagRecord bag = bags.get(id);
    if (bag == null) {
      throw new EventRefusedException(
          "bag %s is cancelled, but there is no such bag, or it is at an end.".formatted(id));
    }
    Objects.requireNonNull(why, "why");
    advanceTo(time, "bag ", id, " is cancelled");
    cancel(bag);
    BagReport report = report(bag, why);
    forgetCancelled(bag, report);
    return report;
  }

  private void forget(InstanceRecord instance) {
    constraintIndex.release(instance.constraints);
    if (instance.job != null && --instance.job.members == 0) {
      jobs.remove(instance.job.name);
    }
  }

  /** What an instance on a host was measured to use. */
  public void usageReported(String id, Resources used, Resources shortfall, long time) {
    InstanceRecord instance = require(id, time, " reports its usage", ON_HOST);
    refuseClash("usage of instance ", id, used);
    refuseClash("usage of instance ", id, shortfall);
    now = time;
    instance.previousUsage = instance.usage;
    instance.usage = new Usage(time, used, shortfall);
    if (instance.host != null) {
      touch(instance.host);
    }
  }

  // ---- Actions of a pass. The caller has checked that they may happen.

  /** Returns the id of the host of the latest placement, or null before the first. */
  public @Nullable String latestPlacement() {
    return latestPlacement;
  }

  /** Pending to starting. */
  public void place(InstanceRecord instance, HostRecord host, Grant grant) {
    SavedInstance former = this.former.note(instance);
    instance.state = InstanceState.STARTING;
    instance.stateSince = now;
    instance.host = host;
    grant.giveTo(instance);
    instance.held = holding(instance);
    instance.placements++;
    instance.placedAfterPreemption = instance.lastStopWasPreemption;
    instance.lastStopWasPreemption = false;
    change(instance, former, now);
    latestPlacement = host.id();
  }

  /** On a host to pending, by preemption. */
  public void preempt(InstanceRecord instance) {
    SavedInstance former = this.former.note(instance);
    instance.preemptions++;
    stop(instance, now, true);
    change(instance, former, now);
  }

  /** Stays what it is, with another grant. */
  public void resize(InstanceRecord instance, Grant grant) {
    SavedInstance former = this.former.note(instance);
    grant.giveTo(instance);
    instance.held = holding(instance);
    change(instance, former, now);
  }

  /** Running to paused, or either to suspended. */
  public void halt(InstanceRecord instance, InstanceState halted) {
    SavedInstance former = this.former.note(instance);
    endService(instance, now);
    instance.state = halted;
    instance.stateSince = now;
    instance.held = holding(instance);
    change(instance, former, now);
  }

  /** Paused or suspended to starting, where it is. */
  public void resume(InstanceRecord instance, Grant grant) {
    SavedInstance former = this.former.note(instance);
    instance.state = InstanceState.STARTING;
    instance.stateSince = now;
    grant.giveTo(instance);
    instance.held = holding(instance);
    change(instance, former, now);
  }

  /** From one host to another, starting there. */
  public void migrate(InstanceRecord instance, HostRecord host, Grant grant) {
    SavedInstance former = this.former.note(instance);
    endService(instance, now);
    instance.migrations++;
    instance.state = InstanceState.STARTING;
    instance.stateSince = now;
    instance.host = host;
    instance.usage = null;
    instance.previousUsage = null;
    grant.giveTo(instance);
    instance.held = holding(instance);
    change(instance, former, now);
  }

  /**
   * Pending to done. It stays among the instances until {@link #forgetRefused}, so that this can be
   * undone.
   */
  public void reject(InstanceRecord instance) {
    SavedInstance former = this.former.note(instance);
    instance.state = InstanceState.DONE;
    instance.stateSince = now;
    leave(instance, former);
  }

  /** Forgets somebody who was refused, for good. */
  public void forgetRefused(InstanceRecord instance) {
    instances.remove(instance.id());
    forget(instance);
    leaveBag(instance, false);
  }

  /**
   * All of a bag to done. It stays among the bags, and its instances among the instances, until
   * {@link #forgetCancelled}, so that this can be undone.
   */
  public void cancel(BagRecord bag) {
    bag.cancelled = true;
    for (InstanceRecord each : bag.members) {
      SavedInstance former = this.former.note(each);
      stop(each, now, false);
      each.state = InstanceState.DONE;
      leave(each, former);
    }
  }

  /** Returns what became of a bag that was just cancelled. */
  public BagReport report(BagRecord bag, Reason why) {
    List<InstanceReport> cutOff = new ArrayList<>(bag.members.size());
    for (InstanceRecord each : bag.members) {
      cutOff.add(InstanceReport.of(each, now));
    }
    return bag.report(cutOff, Optional.of(why), now);
  }

  /** Forgets a bag that was cancelled, for good; the next plan tells what became of it. */
  public void forgetCancelled(BagRecord bag, BagReport report) {
    for (InstanceRecord each : bag.members) {
      instances.remove(each.id());
      forget(each);
    }
    bags.remove(bag.id());
    expiriesChanged = true;
    endedBags.add(report);
  }

  /** Lets a bag run on a cluster, whose hosts live at least as long. Returns how to undo it. */
  public Runnable assign(BagRecord bag, String cluster, OptionalLong expiresAt) {
    String clusterBefore = bag.cluster;
    OptionalLong assignedBefore = bag.assignedAt;
    OptionalLong expiryBefore = bag.expiresAt;
    expiriesChanged = true;
    bag.assign(cluster, expiresAt, now);
    Runnable shorten = bag.expiresAt.isPresent() ? lengthen(cluster, bag.expiresAt) : () -> {};
    return () -> {
      shorten.run();
      expiriesChanged = true;
      bag.cluster = clusterBefore;
      bag.assignedAt = assignedBefore;
      bag.expiresAt = expiryBefore;
    };
  }

  /** Lets the hosts of a cluster live until a time at least. Returns how to undo it. */
  private Runnable lengthen(String cluster, OptionalLong expiresAt) {
    long time = expiresAt.getAsLong();
    Map<HostRecord, OptionalLong> before = new LinkedHashMap<>();
    for (HostRecord each : hostsInOrder.values()) {
      if (cluster.equals(each.cluster) && isSooner(each.expiresAt, time)) {
        before.put(each, each.expiresAt);
        each.expiresAt = expiresAt;
        touch(each);
      }
    }
    Map<ProvidedHost, OptionalLong> startingBefore = new LinkedHashMap<>();
    for (ProvidedHost each : pools.starting(cluster)) {
      if (isSooner(each.expiresAt, time)) {
        startingBefore.put(each, each.expiresAt);
        each.expiresAt = expiresAt;
        touch(each);
      }
    }
    return () -> {
      startingBefore.forEach(
          (each, expiry) -> {
            each.expiresAt = expiry;
            touch(each);
          });
      before.forEach(
          (each, expiry) -> {
            each.expiresAt = expiry;
            touch(each);
          });
    };
  }

  private static boolean isSooner(OptionalLong expiry, long time) {
    return expiry.isPresent() && expiry.getAsLong() < time;
  }

  /** Asks for hosts, whose ids are added to {@code ids}. Returns how to undo it. */
  public Runnable provision(
      PoolRecord pool,
      int count,
      Optional<String> cluster,
      OptionalLong expiresAt,
      List<String> ids) {
    int askedBefore = pool.asked;
    List<ProvidedHost> asked = new ArrayList<>(count);
    while (asked.size() < count) {
      int number = ++pool.asked;
      String id = pool.name() + "-" + number;
      if (!hosts.containsKey(id) && pools.provided(id) == null) { // by that name somebody joined
        asked.add(new ProvidedHost(pool, number, id, cluster, expiresAt, ++versions));
        ids.add(id);
      }
    }
    asked.forEach(pools::isAskedFor);
    expiriesChanged = true;
    return () -> {
      expiriesChanged = true;
      asked.forEach(pools::isNotAskedFor);
      pool.asked = askedBefore;
    };
  }

  /** Gives back a host that is up and empty. Returns how to undo it. */
  public Runnable release(HostRecord host, PoolRecord pool) {
    ProvidedHost stopping =
        new ProvidedHost(pool, 0, host.id(), host.cluster(), host.expiresAt, ++versions);
    leave(host);
    pool.up.remove(host.joined);
    pools.isStopping(stopping);
    return () -> {
      pools.goesOn(stopping);
      pool.up.put(host.joined, host);
      table.restore(host, table.dense(host.capacity()));
      enter(host);
    };
  }

  /** Gives back a host that is not up yet. Returns how to undo it. */
  public Runnable release(ProvidedHost starting) {
    starting.pool.starting.remove(starting.number);
    pools.isStopping(starting);
    touch(starting);
    expiriesChanged = true;
    return () -> {
      expiriesChanged = true;
      pools.goesOn(starting);
      starting.state = HostState.STARTING;
      pools.isAskedFor(starting);
      touch(starting);
    };
  }

  /** Returns what became of the bags that came to an end, for a plan, which tells it once. */
  public List<BagReport> takeEndedBags() {
    List<BagReport> taken = endedBags();
    endedBags.clear();
    return taken;
  }

  /**
   * Returns when the time of a bag, or of a host of a pool that was longer wanted than {@code
   * seenUntil}, first runs out; {@link Long#MAX_VALUE} if none does. Cost O(bags + hosts of pools)
   * when any of those times has changed or was seen, otherwise O(1).
   */
  public long nextExpiry(long seenUntil) {
    if (expiriesChanged || nextExpiry <= seenUntil || seenUntil < expirySeenUntil) {
      long next = Long.MAX_VALUE;
      for (BagRecord each : bags.values()) {
        next = Math.min(next, each.expiresAt.orElse(Long.MAX_VALUE));
      }
      nextExpiry = Math.min(next, pools.nextExpiry(seenUntil));
      expirySeenUntil = seenUntil;
      expiriesChanged = false;
    }
    return nextExpiry;
  }

  /** Undoes an action: makes an instance again what it was before. */
  public void undo(InstanceRecord instance, SavedInstance before, @Nullable String latestPlacementBefore) {
    SavedInstance present = this.former.note(instance);
    before.restore(instance);
    if (before.state == InstanceState.RUNNING
        && present.state != InstanceState.RUNNING
        && before.host != null) {
      before.host.goesOn();
    }
    leave(instance, present);
    enter(instance, present);
    latestPlacement = latestPlacementBefore;
  }

  /** Returns what an instance holds where it is, by its state and the kind of its host. */
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
    int cpu = table.numberOf(Dimension.CPU);
    if (cpu < 0 || cpu >= granted.length || granted[cpu] == 0) {
      return granted;
    }
    long[] rest = granted.clone();
    rest[cpu] = 0;
    return rest;
  }

  // ---- Transitions: first what the instance is, then its keys, then where it stands

  private static void endService(InstanceRecord instance, long time) {
    if (instance.state == InstanceState.RUNNING) {
      instance.served += time - instance.stateSince;
      instance.earned += instance.earnedBetween(instance.stateSince, time);
    }
  }

  private static void stop(InstanceRecord instance, long time, boolean byPreemption) {
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

  /** Completes a transition; if a part of the policy throws, it has not happened. */
  private void change(InstanceRecord instance, SavedInstance former, long time) {
    try {
      index.rekey(instance);
    } catch (Throwable failure) {
      former.restore(instance);
      throw failure;
    }
    now = time;
    leave(instance, former);
    enter(instance, former);
  }

  private void leave(InstanceRecord instance, SavedInstance former) {
    if (former.state == InstanceState.PENDING) {
      leavePending(instance);
    }
    if (former.host == null) {
      return;
    }
    index.leavesHost(instance, former.host, former.state);
    touch(former.host);
    if (former.state == InstanceState.RUNNING && instance.state != InstanceState.RUNNING) {
      former.host.ended(now);
    }
    boolean moves = instance.host != former.host;
    if (moves || instance.held != former.held) {
      table.giveBack(former.host.slot, former.held);
    }
    if (moves) {
      former.host.dismiss(instance);
      if (instance.job != null) {
        instance.job.left(former.host, instance.antiAffinity);
      }
    }
  }

  private void enter(InstanceRecord instance, SavedInstance former) {
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
      table.take(host.slot, instance.held);
    }
    if (moves) {
      host.admit(instance);
      if (instance.job != null) {
        instance.job.arrived(host, instance.antiAffinity);
      }
    }
    index.isOnHost(instance, host);
    touch(host);
  }

  private void enterPending(InstanceRecord instance) {
    instance.queueKey = instance.nextQueueKey;
    instance.victimKey = instance.nextVictimKey;
    instance.pendingPlace = pending.size();
    pending.add(instance);
    index.isPending(instance);
  }

  private void leavePending(InstanceRecord instance) {
    index.leavesQueue(instance);
    InstanceRecord last = pending.remove(pending.size() - 1);
    if (last != instance) {
      pending.set(instance.pendingPlace, last);
      last.pendingPlace = instance.pendingPlace;
    }
    instance.pendingPlace = -1;
  }

  // ---- Laws

  /**
   * Returns why an instance can never run on a host with what it is granted, whoever else is there;
   * null if it can.
   */
  public @Nullable Reason misfit(InstanceRecord instance, HostRecord host, long[] need) {
    if (!instance.isOfItsCluster(host) && instance.bag != null && instance.bag.cluster != null) {
      return new Reason.OtherCluster(instance.bag.id(), instance.bag.cluster);
    }
    if (instance.constraints != null && !instance.constraints.holdsOn(host.slot)) {
      for (Constraint each : instance.constraints.constraints) {
        if (!each.holdsOn(host)) {
          return new Reason.ConstraintNotMet(each, host.attribute(each.attribute()));
        }
      }
    }
    for (int d = 0; d < need.length; d++) {
      long missing = need[d] - table.capacity(host.slot, d);
      if (missing > 0) {
        return new Reason.LargerThanHost(table.dimension(d), missing);
      }
    }
    return null;
  }

  /** Returns in which dimension a need exceeds the free capacity, or -1 if it fits. */
  public int shortDimension(long[] need, HostRecord host) {
    for (int d = 0; d < need.length; d++) {
      if (table.free(host.slot, d) < need[d]) {
        return d;
      }
    }
    return -1;
  }

  private InstanceRecord require(String id, long time, String event, Set<InstanceState> allowed) {
    InstanceRecord instance = instances.get(id);
    if (instance == null) {
      throw new EventRefusedException(
          "instance %s%s, but there is no such instance, or it is done.".formatted(id, event));
    }
    if (!allowed.contains(instance.state)) {
      throw new EventRefusedException(
          "instance %s%s, but it is %s since %s ns.%s"
              .formatted(
                  id,
                  event,
                  instance.state,
                  instance.stateSince,
                  instance.state == InstanceState.STARTING
                      ? " Maybe report started(...) first."
                      : ""));
    }
    requireNotPast(time, "instance ", id, event);
    return instance;
  }

  /** The words are put together only if it is: this is asked for every event. */
  private void requireNotPast(long time, String kind, String id, String event) {
    if (time < now) {
      throw new EventRefusedException(
          "%s%s%s at %s ns, but time has reached %s ns. Events must come in order of time."
              .formatted(kind, id, event, time, now));
    }
  }

  private void refuseClash(String kind, String id, Resources resources) {
    Dimension known = table.clash(resources);
    if (known != null) {
      throw new EventRefusedException(
          "%s%s counts %s on another scale than before: %s units make one there."
              .formatted(kind, id, known, known.unitsPerWhole()));
    }
  }
}

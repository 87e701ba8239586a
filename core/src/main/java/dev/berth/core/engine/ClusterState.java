package dev.berth.core.engine;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Usage;
import dev.berth.core.EventRefusedException;
import dev.berth.core.Ties;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The cluster: hosts, instances that are not done, and their accounting. The only place where
 * either changes.
 *
 * <p>Events come from {@link dev.berth.core.Scheduler}, tentative actions and their undoing from
 * {@link Pass}. Each transition keeps {@code e + p = now − admission}, moves capacity, and tells
 * the {@link PlacementIndex} of a pipeline.
 */
public final class ClusterState {

  private final long seed;
  private final Map<String, ClassRecord> classes;
  private final List<ServiceClass> rankedClasses;
  private final HostTable table = new HostTable();
  private final ConstraintIndex constraintIndex = new ConstraintIndex();
  private final Map<String, JobRecord> jobs = new LinkedHashMap<>();
  private final Map<String, HostRecord> hosts = new LinkedHashMap<>(); // in order of joining
  private final Map<String, InstanceRecord> instances = new LinkedHashMap<>(); // of admission
  private final List<InstanceRecord> pending = new ArrayList<>(); // order means nothing
  private final Former former = new Former(); // of the one transition under way
  private PlacementIndex index = PlacementIndex.NONE;
  private @Nullable String latestPlacement; // id of its host
  private long joins;
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

  /** Returns the hosts in the order in which they joined; a copy. */
  public List<Host> hosts() {
    return List.copyOf(hosts.values());
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

  /** Returns the number of pending instances. */
  public int pendingCount() {
    return pending.size();
  }

  HostTable table() {
    return table;
  }

  Collection<HostRecord> hostRecords() {
    return hosts.values();
  }

  /** Returns the pending instances in order of admission; a copy. */
  List<InstanceRecord> pendingRecords() {
    List<InstanceRecord> copy = new ArrayList<>(pending);
    copy.sort(Comparator.comparingLong(each -> each.sequence));
    return copy;
  }

  @Nullable InstanceRecord record(Instance instance) {
    InstanceRecord found = instances.get(instance.id());
    return found == instance ? found : null;
  }

  @Nullable HostRecord record(Host host) {
    HostRecord found = hosts.get(host.id());
    return found == host ? found : null;
  }

  /** Makes a pipeline's index follow the transitions from now on. The cluster must be empty. */
  void follow(PlacementIndex follower) {
    if (index != PlacementIndex.NONE || !instances.isEmpty() || !hosts.isEmpty()) {
      throw new IllegalStateException(
          "a scheduler runs one pipeline, made before its first event; this is another.");
    }
    this.index = follower;
  }

  /** Returns the pipeline that follows this cluster, or null if its policy is none. */
  @Nullable Pipeline pipeline() {
    return index instanceof Pipeline pipeline ? pipeline : null;
  }

  // ---- Events. Each is refused or fails before it changes anything, or happens as a whole.

  /** Moves time on, for a pass. */
  public void advanceTo(long time, String event) {
    requireNotPast(time, event);
    now = time;
  }

  /** A host joins. */
  public Host addHost(HostSpec spec, long time) {
    String id = spec.id();
    if (hosts.containsKey(id)) {
      throw new EventRefusedException(
          "host %s joins, but a host of that id is present. Maybe remove it first.".formatted(id));
    }
    refuseClash("host " + id, spec.capacity());
    advanceTo(time, "host " + id + " joins");
    HostRecord host =
        new HostRecord(spec, table, table.dense(spec.capacity()), Ties.hash(seed, id), joins++);
    hosts.put(id, host);
    constraintIndex.added(host);
    index.joined(host);
    return host;
  }

  /** A host leaves; what was on it is pending again. */
  public void removeHost(String id, long time) {
    HostRecord host = hosts.get(id);
    if (host == null) {
      throw new EventRefusedException("host %s leaves, but no such host is present.".formatted(id));
    }
    requireNotPast(time, "host " + id + " leaves");
    List<InstanceRecord> stranded = List.copyOf(host.residents);
    List<Former> formers = new ArrayList<>(stranded.size());
    try {
      for (InstanceRecord each : stranded) {
        formers.add(new Former().note(each));
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
    hosts.remove(id);
    table.remove(host.slot);
  }

  /** A request is admitted; its instance is pending. */
  public Instance submit(Request request, long time) {
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
    refuseClash("request " + id, request.demand());
    requireNotPast(time, "request " + id + " is submitted");
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
            Ties.hash(seed, id));
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
    InstanceRecord instance = require(id, time, "is ready", InstanceState.STARTING);
    Former former = this.former.note(instance);
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
    InstanceRecord instance =
        require(
            id,
            time,
            "failed",
            InstanceState.STARTING,
            InstanceState.RUNNING,
            InstanceState.PAUSED,
            InstanceState.SUSPENDED);
    Former former = this.former.note(instance);
    stop(instance, time, false);
    change(instance, former, time);
  }

  /** An instance is done. Returns it, with its final accounting. */
  public Instance done(String id, long time, boolean cancelled) {
    InstanceRecord instance =
        cancelled
            ? require(
                id,
                time,
                "is cancelled",
                InstanceState.PENDING,
                InstanceState.STARTING,
                InstanceState.RUNNING,
                InstanceState.PAUSED,
                InstanceState.SUSPENDED)
            : require(id, time, "completed", InstanceState.RUNNING);
    Former former = this.former.note(instance);
    stop(instance, time, false);
    instance.state = InstanceState.DONE;
    now = time;
    leave(instance, former);
    instances.remove(id);
    forget(instance);
    return instance;
  }

  private void forget(InstanceRecord instance) {
    constraintIndex.release(instance.constraints);
    if (instance.job != null && --instance.job.members == 0) {
      jobs.remove(instance.job.name);
    }
  }

  /** What an instance on a host was measured to use. */
  public void used(String id, Resources used, Resources shortfall, long time) {
    InstanceRecord instance =
        require(
            id,
            time,
            "reports its usage",
            InstanceState.STARTING,
            InstanceState.RUNNING,
            InstanceState.PAUSED,
            InstanceState.SUSPENDED);
    refuseClash("usage of instance " + id, used);
    refuseClash("usage of instance " + id, shortfall);
    now = time;
    instance.previousUsage = instance.usage;
    instance.usage = new Usage(time, used, shortfall);
  }

  // ---- Actions of a pass. The caller has checked that they may happen.

  /** Returns the id of the host of the latest placement, or null before the first. */
  @Nullable String latestPlacement() {
    return latestPlacement;
  }

  /** Pending to starting. */
  void place(InstanceRecord instance, HostRecord host, Grant grant) {
    Former former = this.former.note(instance);
    instance.state = InstanceState.STARTING;
    instance.stateSince = now;
    instance.host = host;
    grant.giveTo(instance);
    instance.held = instance.granted;
    instance.placements++;
    instance.placedAfterPreemption = instance.lastStopWasPreemption;
    instance.lastStopWasPreemption = false;
    change(instance, former, now);
    latestPlacement = host.id();
  }

  /** On a host to pending, by preemption. */
  void preempt(InstanceRecord instance) {
    Former former = this.former.note(instance);
    instance.preemptions++;
    stop(instance, now, true);
    change(instance, former, now);
  }

  /** Stays what it is, with another grant. */
  void resize(InstanceRecord instance, Grant grant) {
    Former former = this.former.note(instance);
    grant.giveTo(instance);
    instance.held =
        instance.state == InstanceState.PAUSED ? withoutCpu(instance.granted) : instance.granted;
    change(instance, former, now);
  }

  /** Running to paused, or either to suspended. */
  void halt(InstanceRecord instance, InstanceState halted) {
    Former former = this.former.note(instance);
    endService(instance, now);
    instance.state = halted;
    instance.stateSince = now;
    instance.held =
        halted == InstanceState.PAUSED ? withoutCpu(instance.granted) : InstanceRecord.NOTHING;
    change(instance, former, now);
  }

  /** Paused or suspended to starting, where it is. */
  void resume(InstanceRecord instance, Grant grant) {
    Former former = this.former.note(instance);
    instance.state = InstanceState.STARTING;
    instance.stateSince = now;
    grant.giveTo(instance);
    instance.held = instance.granted;
    change(instance, former, now);
  }

  /** From one host to another, starting there. */
  void migrate(InstanceRecord instance, HostRecord host, Grant grant) {
    Former former = this.former.note(instance);
    endService(instance, now);
    instance.migrations++;
    instance.state = InstanceState.STARTING;
    instance.stateSince = now;
    instance.host = host;
    instance.usage = null;
    instance.previousUsage = null;
    grant.giveTo(instance);
    instance.held = instance.granted;
    change(instance, former, now);
  }

  /**
   * Pending to done. It stays among the instances until {@link #forgetRefused}, so that this can be
   * undone.
   */
  void refuse(InstanceRecord instance) {
    Former former = this.former.note(instance);
    instance.state = InstanceState.DONE;
    instance.stateSince = now;
    leave(instance, former);
  }

  /** Forgets somebody who was refused, for good. */
  void forgetRefused(InstanceRecord instance) {
    instances.remove(instance.id());
    forget(instance);
  }

  /** Undoes an action: makes an instance again what it was before. */
  void undo(InstanceRecord instance, Former before, @Nullable String latestPlacementBefore) {
    Former present = this.former.note(instance);
    before.restore(instance);
    leave(instance, present);
    enter(instance, present);
    latestPlacement = latestPlacementBefore;
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
  private void change(InstanceRecord instance, Former former, long time) {
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

  private void leave(InstanceRecord instance, Former former) {
    if (former.state == InstanceState.PENDING) {
      leavePending(instance);
    }
    if (former.host == null) {
      return;
    }
    index.leavesHost(instance, former.host, former.state);
    boolean moves = instance.host != former.host;
    if (moves || instance.held != former.held) {
      table.giveBack(former.host.slot, former.held);
    }
    if (moves) {
      former.host.dismiss(instance);
      if (instance.job != null) {
        instance.job.left(former.host);
      }
    }
  }

  private void enter(InstanceRecord instance, Former former) {
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
  @Nullable Reason misfit(InstanceRecord instance, HostRecord host, long[] need) {
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
  int shortDimension(long[] need, HostRecord host) {
    for (int d = 0; d < need.length; d++) {
      if (table.free(host.slot, d) < need[d]) {
        return d;
      }
    }
    return -1;
  }

  private InstanceRecord require(String id, long time, String event, InstanceState... allowed) {
    InstanceRecord instance = instances.get(id);
    if (instance == null) {
      throw new EventRefusedException(
          "instance %s %s, but there is no such instance, or it is done.".formatted(id, event));
    }
    for (InstanceState each : allowed) {
      if (instance.state == each) {
        requireNotPast(time, "instance " + id + " " + event);
        return instance;
      }
    }
    throw new EventRefusedException(
        "instance %s %s, but it is %s since %s ns.%s"
            .formatted(
                id,
                event,
                instance.state,
                instance.stateSince,
                instance.state == InstanceState.STARTING
                    ? " Maybe report started(...) first."
                    : ""));
  }

  private void requireNotPast(long time, String event) {
    if (time < now) {
      throw new EventRefusedException(
          "%s at %s ns, but time has reached %s ns. Events must come in order of time."
              .formatted(event, time, now));
    }
  }

  private void refuseClash(String subject, Resources resources) {
    Dimension known = table.clash(resources);
    if (known != null) {
      throw new EventRefusedException(
          "%s counts %s on another scale than before: %s units make one there."
              .formatted(subject, known, known.unitsPerWhole()));
    }
  }
}

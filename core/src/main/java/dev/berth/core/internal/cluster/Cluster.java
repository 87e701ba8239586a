package dev.berth.core.internal.cluster;

import dev.berth.api.Dimension;
import dev.berth.api.Drain;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.TimeLimits;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.EventRefusedException.Code;
import dev.berth.core.internal.cluster.EndedInstances.Ended;
import dev.berth.core.internal.digest.ChangeTracker;
import dev.berth.core.internal.digest.TrackedRecord;
import dev.berth.core.internal.rule.ConstraintIndex;
import dev.berth.core.internal.rule.Limits;
import dev.berth.core.internal.rule.PeerIndex;
import dev.berth.core.internal.undo.UndoLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The hosts, the instances that are not done, and the time of a cluster, with what rules count of
 * them.
 *
 * <p>A change of several steps is between {@link #beginChange} and {@link #endChange}. Each change
 * of a host gives it the next version.
 */
public abstract class Cluster {

  private static final Comparator<InstanceRecord> AS_THEY_CAME =
      Comparator.comparingLong(each -> each.sequence);

  private static final int STATES = InstanceState.values().length;

  private final long seed;
  private final Map<String, ClassRecord> classes;
  private final List<ServiceClass> rankedClasses;
  private final HostTable table = new HostTable();
  private final ConstraintIndex constraintIndex = new ConstraintIndex();
  private final Limits limits = new Limits();
  private final Map<String, HostRecord> hosts = new HashMap<>();
  private final SortedMap<Long, HostRecord> hostsInOrder = new TreeMap<>(); // of joining
  private final PeerIndex peers = new PeerIndex(hostsInOrder.values());
  private final SortedMap<String, HostRecord> draining = new TreeMap<>(); // by id
  private final SortedMap<String, HostRecord> expelling =
      new TreeMap<>(); // with such taints, by id
  private @Nullable List<Host> hostList; // the same hosts, until one joins or leaves
  private final Closings closings = new Closings(table, this::hasChanged);
  private final Map<String, InstanceRecord> instances = new LinkedHashMap<>(); // as they came
  private final EndedInstances ended = new EndedInstances();
  private final Dependents dependents = new Dependents(this);
  private int groupedOnHosts; // members of groups
  private @Nullable List<Instance> instanceList; // the same, until one is admitted or done
  private final List<InstanceRecord> pending = new ArrayList<>(); // unordered
  private final int[] counts; // of instances, by rank of class and state
  private TransitionListener index = TransitionListener.NONE;
  private @Nullable String latestPlacement; // id of its host
  private long latestPlacementNumber; // 0 before the first
  private long joins;
  private long versions;
  private @Nullable HostRecord latestChanged;
  private boolean expiriesChanged = true; // since the earliest was computed
  private long admissions;
  private long now = Long.MIN_VALUE; // before the first event
  private long latest = Long.MIN_VALUE; // end of the longest life, once the first event happened
  private int openChanges; // begun and not ended
  private @Nullable ChangeTracker tracker; // null: no digest was asked for
  private long changes;

  /** Creates an empty cluster with some service classes. */
  protected Cluster(long seed, Collection<? extends ServiceClass> serviceClasses) {
    this.seed = seed;
    this.classes = ClassRecord.rank(serviceClasses);
    this.rankedClasses =
        classes.values().stream().<ServiceClass>map(ClassRecord::serviceClass).toList();
    this.counts = new int[classes.size() * STATES];
  }

  // ---- Changes

  /**
   * Begins a change of several steps. Changes nest. A change that an error ends stays open, so that
   * nothing builds on a state that is half changed. This needs no handler, which could fail as
   * well.
   */
  public void beginChange() {
    openChanges++;
  }

  /** Ends a change that is complete. */
  public void endChange() {
    settle();
    if (openChanges == 1) {
      changes++;
      if (tracker != null) {
        tracker.trim(instances.size() + hosts.size() + batches());
      }
    }
    openChanges--;
  }

  /** Ends a change that is undone. */
  public void revertChange() {
    openChanges--;
  }

  /** Returns the number of changes that were completed, without those that are part of others. */
  public long changes() {
    return changes;
  }

  /** Returns the number of changes that have not ended; between two calls, 0 unless one failed. */
  public int openChanges() {
    return openChanges;
  }

  /**
   * Changes the cluster at a time, if anything differs.
   *
   * @return whether anything does
   */
  public final boolean changeAt(long time, boolean differs, Runnable change) {
    beginChange();
    setNow(time);
    if (differs) {
      change.run();
    }
    endChange();
    return differs;
  }

  /** Advances the time, for a pass. */
  public final void advanceTo(long time) {
    requireNotPast(time, "a pass", "", "");
    setNow(time);
  }

  // ---- Digests

  /** Returns the hashes of all records. They are kept from now on. */
  public ChangeTracker tracker() {
    ChangeTracker hashes = tracker;
    if (hashes == null) {
      hashes = new ChangeTracker();
      tracker = hashes;
    }
    return hashes;
  }

  /** Notes that a record was added, changed or removed, and with it the digest. */
  public void changed(TrackedRecord record) {
    if (tracker != null) {
      tracker.changed(record);
    }
  }

  // ---- What is only supposed

  /** Settles what a change has made out of date. Called at the end of each. */
  protected abstract void settle();

  /** Returns the number of bags and groups. */
  protected abstract int batches();

  /** Returns how to restore the time, the numbers used so far, and the lists of what there is. */
  public UndoLog.Step counters() {
    long nowBefore = now;
    long joinsBefore = joins;
    long admissionsBefore = admissions;
    long latestBefore = latest;
    List<Host> hostsBefore = hostList;
    List<Instance> instancesBefore = instanceList;
    return () -> {
      now = nowBefore;
      joins = joinsBefore;
      admissions = admissionsBefore;
      latest = latestBefore;
      hostList = hostsBefore;
      instanceList = instancesBefore;
    };
  }

  // ---- Contents

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

  /** Returns the latest time that the scheduler accepts; see {@link TimeLimits}. */
  public long latest() {
    if (now == Long.MIN_VALUE) {
      return TimeLimits.LATEST;
    }
    if (latest == Long.MIN_VALUE) { // now is the time of the first event
      latest = Math.min(now + TimeLimits.LONGEST_LIFE.toNanos(), TimeLimits.LATEST);
    }
    return latest;
  }

  /** Shortens the life of the scheduler, so that no instance exceeds the longest life. */
  public void livesSince(long admission) {
    latest = Math.min(latest(), admission + TimeLimits.LONGEST_LIFE.toNanos());
  }

  /** Sets the time. */
  public void setNow(long time) {
    now = time;
  }

  /**
   * Restores the time and the counters.
   *
   * @param time {@link Long#MIN_VALUE} before the first event; then {@code end} has no meaning
   */
  public void setProgress(
      long time, long end, long hostsJoined, long requestsAdmitted, @Nullable String placement) {
    now = time;
    latest = time == Long.MIN_VALUE ? Long.MIN_VALUE : end;
    joins = hostsJoined;
    admissions = requestsAdmitted;
    latestPlacement = placement;
    expiriesChanged = true;
  }

  /** Returns the hosts that are up, in order of joining; immutable. */
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

  /**
   * Returns the instances that are not done, in order of admission; immutable. Cost O(instances) if
   * one was admitted or ended since the last call, otherwise O(1).
   */
  public List<Instance> instances() {
    if (instanceList == null) {
      List<InstanceRecord> present = new ArrayList<>(instances.values());
      present.sort(InstanceRecord.BY_ADMISSION); // O(n) if they came in this order
      instanceList = List.copyOf(present);
    }
    return instanceList;
  }

  /** Returns the number of instances that are not done. */
  public int instanceCount() {
    return instances.size();
  }

  /** Returns the number of instances of a class in a state, which is not {@code DONE}. */
  public int instanceCount(int classRank, InstanceState inState) {
    return counts[place(classRank, inState)];
  }

  /** Counts an instance that enters a state, or leaves one. */
  public void count(InstanceRecord instance, InstanceState inState, int change) {
    counts[place(instance.classRecord.rank(), inState)] += change;
  }

  @SuppressWarnings("EnumOrdinal") // an index in memory only; a map would box each count
  private static int place(int classRank, InstanceState inState) {
    return classRank * STATES + inState.ordinal();
  }

  public void add(InstanceRecord instance) {
    instanceList = null;
    instances.put(instance.id(), instance);
  }

  public void remove(InstanceRecord instance) {
    instanceList = null;
    instances.remove(instance.id());
    changed(instance);
  }

  /** Returns the instances that ended last. */
  public EndedInstances ended() {
    return ended;
  }

  /** Returns the instances that are to start after others. */
  public Dependents dependents() {
    return dependents;
  }

  /** Notes that instances count as admitted at other times than before. */
  void orderChanged() {
    instanceList = null;
  }

  /** Remembers for late reports that an instance has ended. */
  public void noteEnded(InstanceRecord instance, boolean cancelled) {
    ended.add(instance.id(), new Ended(instance.attempt(), cancelled));
  }

  /** Brings back instances that were done, in the order in which they came. Cost O(n log n). */
  public void bringBack(Collection<InstanceRecord> returning) {
    instanceList = null;
    List<InstanceRecord> all = new ArrayList<>(instances.values());
    all.addAll(returning);
    all.sort(AS_THEY_CAME);
    for (InstanceRecord each : all) { // one by one, so that an error loses no other
      instances.remove(each.id());
      instances.put(each.id(), each);
    }
  }

  /** Returns the instance with that id, or empty. */
  public Optional<Instance> instance(String id) {
    return Optional.ofNullable(instances.get(id));
  }

  /** Returns the number of pending instances. */
  public int pendingCount() {
    return pending.size();
  }

  /** Returns the counted limits. */
  public Limits limits() {
    return limits;
  }

  /**
   * Sets how much there is of a counted limit. Returns whether that is anything else than before.
   */
  public final boolean setLimit(String name, long amount, long time) {
    if (name.isBlank()) {
      throw new EventRefusedException(
          Code.INVALID_VALUE, name, "a limit is set, but its name is blank.");
    }
    if (amount < 0) {
      throw Code.INVALID_VALUE.refusal(
          "limit %s is set to %s, must not be negative.", name, amount);
    }
    requireNotPast(time, "limit ", name, " is set");
    return changeAt(time, amount != limits.amount(name), () -> limits.set(name, amount));
  }

  /** Returns the counts of instances that rules and preferences refer to. */
  public PeerIndex peers() {
    return peers;
  }

  public HostTable table() {
    return table;
  }

  /** Returns the hosts that satisfy the constraints of requests. */
  public ConstraintIndex constraints() {
    return constraintIndex;
  }

  /** Returns the service classes by name, in order of rank. */
  public Map<String, ClassRecord> classRecords() {
    return classes;
  }

  public Collection<HostRecord> hostRecords() {
    return hostsInOrder.values();
  }

  /** Returns the number of hosts that are closed. */
  public int closedHosts() {
    return closings.closed();
  }

  /** Returns the draining hosts, by id. */
  public Collection<HostRecord> draining() {
    return draining.values();
  }

  /** Returns the hosts with taints that make instances leave, by id. */
  public Collection<HostRecord> expelling() {
    return expelling.values();
  }

  /** Returns what closes and opens the hosts. */
  public Closings closings() {
    return closings;
  }

  public Collection<InstanceRecord> instanceRecords() {
    return Collections.unmodifiableCollection(instances.values());
  }

  /** Returns the number of hosts that have joined. */
  public long joins() {
    return joins;
  }

  /** Counts a host that joins. Returns the number of those before it. */
  public long countJoin() {
    return joins++;
  }

  /** Returns the number of requests that were admitted. */
  public long admissions() {
    return admissions;
  }

  /** Sets the number of requests that were admitted. */
  public void setAdmissions(long number) {
    admissions = number;
  }

  /** Returns the pending instances in order of admission; a copy. */
  public List<InstanceRecord> pendingRecords() {
    beginChange();
    pending.sort(
        InstanceRecord.BY_ADMISSION); // in place, so that the next sort finds most in order
    for (int i = 0; i < pending.size(); i++) {
      pending.get(i).pendingPlace = i;
    }
    endChange();
    return new ArrayList<>(pending);
  }

  /** Adds an instance to those that are pending. */
  public void addPending(InstanceRecord instance) {
    instance.pendingPlace = pending.size();
    pending.add(instance);
  }

  /** Removes an instance from those that are pending. */
  public void removePending(InstanceRecord instance) {
    InstanceRecord last = pending.remove(pending.size() - 1);
    if (last != instance) {
      pending.set(instance.pendingPlace, last);
      last.pendingPlace = instance.pendingPlace;
    }
    instance.pendingPlace = -1;
  }

  /** Passes each pending instance to an action, which changes nothing; in no particular order. */
  public void forEachPending(Consumer<InstanceRecord> action) {
    pending.forEach(action);
  }

  /** Returns the instance with that id, or null. */
  public @Nullable InstanceRecord instanceRecord(String id) {
    return instances.get(id);
  }

  public @Nullable InstanceRecord record(Instance instance) {
    InstanceRecord found = instances.get(instance.id());
    return found == instance ? found : null;
  }

  /** Returns the host with that id, or null. */
  public @Nullable HostRecord hostRecord(String id) {
    return hosts.get(id);
  }

  public @Nullable HostRecord record(Host host) {
    return host instanceof HostRecord ours && ours.isIn(table) ? ours : null;
  }

  /** Registers the listener of a pipeline. The cluster must be empty. */
  public void follow(TransitionListener follower) {
    if (index != TransitionListener.NONE || !instances.isEmpty() || !hosts.isEmpty()) {
      throw new IllegalStateException(
          "a scheduler runs one pipeline, made before its first event; this is another.");
    }
    this.index = follower;
  }

  /** Returns the listener. */
  public TransitionListener follower() {
    return index;
  }

  // ---- Instances that come to a host or leave it

  /** Returns whether members of groups are on hosts. */
  public boolean hasGroupsOnHosts() {
    return groupedOnHosts > 0;
  }

  /** Adds an instance to those on a host, and to what rules count. */
  public void admit(InstanceRecord instance, HostRecord host) {
    host.admit(instance);
    groupedOnHosts += instance.group == null ? 0 : 1;
    if (host.tainted() != null) {
      noteExpiries();
    }
    if (instance.limits() != null) {
      limits.arrived(instance, host);
    }
    if (instance.job != null) {
      instance.job.arrived(host, instance.antiAffinity);
    }
    peers.arrived(instance, host);
  }

  /** Takes an instance from those on a host, and from what rules count. */
  public void dismiss(InstanceRecord instance, HostRecord host) {
    host.dismiss(instance);
    groupedOnHosts -= instance.group == null ? 0 : 1;
    if (host.tainted() != null) {
      noteExpiries();
    }
    if (instance.limits() != null) {
      limits.left(instance, host);
    }
    if (instance.job != null) {
      instance.job.left(host, instance.antiAffinity);
    }
    peers.left(instance, host);
  }

  // ---- Hosts that join, leave or change

  /** Adds a host. */
  public void enterHost(HostRecord host) {
    hosts.put(host.id(), host);
    hostsInOrder.put(host.joined, host);
    closings.entered(host);
    if (host.drain != null) { // it comes back
      draining.put(host.id(), host);
    }
    if (host.tainted() != null && host.tainted().expels()) {
      expelling.put(host.id(), host);
    }
    entered(host);
    hostList = null;
    expiriesChanged = true;
    peers.joined(host);
    touch(host);
    constraintIndex.added(host);
    index.joined(host);
  }

  /** A host has entered; perhaps one that had left. */
  protected abstract void entered(HostRecord host);

  /** A host has left. */
  protected abstract void left(HostRecord host);

  /** Counts a pending instance no more, or again, since its admission moves on in between. */
  protected abstract void countPending(InstanceRecord instance, int change);

  /** Brings back a host that had left, empty. */
  public void returnHost(HostRecord host) {
    host.returns();
    enterHost(host);
  }

  /** Sets how a host is drained; null: it is not. */
  public void drain(HostRecord host, @Nullable Drain how) {
    host.drain = how;
    if (how == null) {
      draining.remove(host.id());
    } else {
      draining.put(host.id(), host);
    }
    expiriesChanged = true;
  }

  /** Notes whether a host has taints that make instances leave. */
  public void noteExpelling(HostRecord host) {
    if (host.tainted() != null && host.tainted().expels()) {
      expelling.put(host.id(), host);
      expiriesChanged = true;
    } else if (!expelling.isEmpty() && expelling.remove(host.id()) != null) {
      expiriesChanged = true;
    }
  }

  /** Removes a host. */
  public void leaveHost(HostRecord host) {
    index.left(host);
    unchain(host);
    hosts.remove(host.id());
    hostsInOrder.remove(host.joined);
    closings.left(host);
    if (host.drain != null) {
      draining.remove(host.id());
    }
    if (host.tainted() != null) {
      expelling.remove(host.id());
    }
    left(host);
    peers.left(host);
    hostList = null;
    expiriesChanged = true;
    table.remove(host.slot());
    changed(host);
  }

  /** Returns the version of the latest change of a host. */
  public long versions() {
    return versions;
  }

  /** Returns the version of the next change. */
  public long nextVersion() {
    return ++versions;
  }

  /** Returns the host that changed last; the others follow by {@code changedBefore}. */
  public @Nullable HostRecord latestChanged() {
    return latestChanged;
  }

  /** Notes that the view of a host has changed. */
  public void touch(HostRecord host) {
    changed(host);
    host.version = ++versions;
    HostRecord last = latestChanged;
    if (last != host) {
      unchain(host);
      host.changedBefore = last;
      if (last != null) {
        last.changedAfter = host;
      }
      latestChanged = host;
    }
  }

  /** Notes that the view of the hosts has changed that members of a bag or group are on. */
  public void touchHosts(Batch batch) {
    for (InstanceRecord each : batch.present()) {
      if (each.place() != null) {
        touch(each.place());
      }
    }
  }

  /**
   * Notes that a host has opened or closed, or that its description or foreign load has changed.
   */
  public void hasChanged(HostRecord host) {
    index.changed(host);
    touch(host);
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

  /** Returns the id of the host of the latest placement, or null before the first. */
  public @Nullable String latestPlacement() {
    return latestPlacement;
  }

  /** Returns the number of the latest placement; 0 before the first. */
  public long latestPlacementNumber() {
    return latestPlacementNumber;
  }

  /** Sets the latest placement. */
  public void setLatestPlacement(@Nullable String host, long number) {
    latestPlacement = host;
    latestPlacementNumber = number;
  }

  /** Returns whether the earliest expiry may be another one than when it was computed. */
  protected final boolean expiriesChanged() {
    return expiriesChanged;
  }

  /** Notes that the earliest expiry has been computed. */
  protected final void expiriesKnown() {
    expiriesChanged = false;
  }

  /** Notes that the earliest expiry may be another one. */
  public void noteExpiries() {
    expiriesChanged = true;
  }

  /** Returns the first dimension in which a need exceeds the free capacity, or -1 if it fits. */
  public int shortDimension(long[] need, HostRecord host) {
    for (int d = 0; d < need.length; d++) {
      if (table.free(host.slot(), d) < need[d]) {
        return d;
      }
    }
    return -1;
  }

  // ---- What events must fulfil

  /**
   * Refuses an event of the past or outside the {@link TimeLimits}. Builds the message only then,
   * since every event is checked.
   */
  public final void requireNotPast(long time, String kind, String id, String event) {
    if (time < now) {
      throw Code.PAST_TIME.refusal(
          kind + "%s%s at %s ns, but time has reached %s ns. Events must come in order of time.",
          id,
          event,
          time,
          now);
    }
    if (time > latest() || time < TimeLimits.EARLIEST) {
      throw Code.INVALID_TIME.refusal(
          kind + "%s%s at %s ns, must be from %s to %s ns: within %s days of the epoch%s.",
          id,
          event,
          time,
          Math.max(TimeLimits.EARLIEST, now),
          latest(),
          Duration.ofNanos(TimeLimits.LATEST).toDays(),
          now == Long.MIN_VALUE
              ? ""
              : " and %s days of the first event".formatted(TimeLimits.LONGEST_LIFE.toDays()));
    }
  }

  /** Refuses resources in a dimension that the cluster has on another scale. */
  public final void refuseClash(String kind, String id, Resources resources) {
    Dimension known = table.clash(resources);
    if (known != null) {
      throw clash(kind, id, known);
    }
  }

  /** Returns the refusal of resources on another scale. */
  public static EventRefusedException clash(String kind, String id, Dimension known) {
    return Code.OTHER_SCALE.refusal(
        kind + "%s counts %s on another scale than before: %s units make one there.",
        id,
        known,
        known.unitsPerWhole());
  }
}

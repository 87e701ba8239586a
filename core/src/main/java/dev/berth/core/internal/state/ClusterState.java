package dev.berth.core.internal.state;

import dev.berth.api.Bag;
import dev.berth.api.BagReport;
import dev.berth.api.GroupStatus;
import dev.berth.api.Host;
import dev.berth.api.HostState;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.ServiceClass;
import dev.berth.api.TimeLimits;
import dev.berth.core.internal.undo.UndoLog;
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
 * The cluster: its hosts, its instances that are not done, and their accounting. Only this package
 * changes them.
 *
 * <p>{@link dev.berth.core.Scheduler} reports events. A pass applies tentative actions and undoes
 * them. Each transition keeps {@code e + p = now − admission}, moves capacity and notifies the
 * {@link TransitionListener} of a pipeline.
 */
public final class ClusterState {

  private static final Comparator<InstanceRecord> AS_THEY_CAME =
      Comparator.comparingLong(each -> each.sequence);

  private static final int STATES = InstanceState.values().length;

  final long seed;
  final Map<String, ClassRecord> classes;
  private final List<ServiceClass> rankedClasses;
  final HostTable table = new HostTable();
  final ConstraintIndex constraintIndex = new ConstraintIndex();
  final Map<String, JobRecord> jobs = new LinkedHashMap<>();
  final PeerIndex peers = new PeerIndex(jobs);
  final Limits limits = new Limits();
  final Map<String, HostRecord> hosts = new HashMap<>();
  final SortedMap<Long, HostRecord> hostsInOrder = new TreeMap<>(); // of joining
  final SortedMap<String, HostRecord> draining = new TreeMap<>(); // by id
  final SortedMap<String, HostRecord> expelling = new TreeMap<>(); // with such taints, by id
  private @Nullable List<Host> hostList; // the same hosts, until one joins or leaves
  final Closings closings = new Closings(this);
  final Pools pools = new Pools();
  final Map<String, BagRecord> bags = new LinkedHashMap<>(); // of submission
  final Map<String, GroupRecord> groups = new LinkedHashMap<>(); // of submission
  final List<BagReport> endedBags = new ArrayList<>(); // since the latest pass
  final Map<String, InstanceRecord> instances = new LinkedHashMap<>(); // as they came
  private @Nullable List<Instance> instanceList; // the same, until one is admitted or done
  final List<InstanceRecord> pending = new ArrayList<>(); // unordered
  private final int[] counts; // of instances, by rank of class and state
  TransitionListener index = TransitionListener.NONE;
  @Nullable String latestPlacement; // id of its host
  long latestPlacementNumber; // 0 before the first
  long placementNumbers; // used so far
  long assignments; // of bags, so far
  final ActionLedger openActions = new ActionLedger();
  final Backoffs backoffs = new Backoffs(this);
  final Budgets budgets = new Budgets(this);
  int closedHosts;
  long joins;
  long versions;
  private @Nullable HostRecord latestChanged;
  private long nextExpiry; // the first after expirySeenUntil
  private long expirySeenUntil;
  boolean expiriesChanged = true; // since these two were computed
  long admissions;
  long now = Long.MIN_VALUE; // before the first event
  private long latest = Long.MIN_VALUE; // end of the longest life, once the first event happened
  private int openChanges; // begun and not ended
  private @Nullable ChangeTracker tracker; // null: no digest was asked for
  private long changes;

  /** Creates an empty cluster with some service classes. */
  public ClusterState(long seed, Collection<? extends ServiceClass> serviceClasses) {
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
    if (budgets.isUnsettled()) {
      budgets.settle();
    }
    if (openChanges == 1) {
      changes++;
      if (tracker != null) {
        tracker.trim(instances.size() + hosts.size() + bags.size() + groups.size());
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

  /** Returns how to restore the numbers used so far, the end, and the lists of what there is. */
  UndoLog.Step counters() {
    long joinsBefore = joins;
    long admissionsBefore = admissions;
    long placementNumbersBefore = placementNumbers;
    long assignmentsBefore = assignments;
    long latestBefore = latest;
    List<Host> hostsBefore = hostList;
    List<Instance> instancesBefore = instanceList;
    return () -> {
      joins = joinsBefore;
      admissions = admissionsBefore;
      placementNumbers = placementNumbersBefore;
      assignments = assignmentsBefore;
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
  void livesSince(long admission) {
    latest = Math.min(latest(), admission + TimeLimits.LONGEST_LIFE.toNanos());
  }

  /** Restores the time; {@link Long#MIN_VALUE} before the first event. */
  void setTime(long time, long end) {
    now = time;
    latest = time == Long.MIN_VALUE ? Long.MIN_VALUE : end;
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
  void count(InstanceRecord instance, InstanceState inState, int change) {
    counts[place(instance.classRecord.rank(), inState)] += change;
  }

  @SuppressWarnings("EnumOrdinal") // an index in memory only; a map would box each count
  private static int place(int classRank, InstanceState inState) {
    return classRank * STATES + inState.ordinal();
  }

  void add(InstanceRecord instance) {
    instanceList = null;
    instances.put(instance.id(), instance);
  }

  void remove(InstanceRecord instance) {
    instanceList = null;
    instances.remove(instance.id());
    changed(instance);
  }

  /** Brings back instances that were done, in the order in which they came. Cost O(n log n). */
  void bringBack(Collection<InstanceRecord> returning) {
    instanceList = null;
    List<InstanceRecord> all = new ArrayList<>(instances.values());
    all.addAll(returning);
    all.sort(AS_THEY_CAME);
    for (InstanceRecord each : all) { // one by one, so that an error loses no other
      instances.remove(each.id());
      instances.put(each.id(), each);
    }
  }

  /** Brings back a bag that had ended, in order of submission. */
  void bringBack(BagRecord bag) {
    List<BagRecord> all = new ArrayList<>(bags.values());
    all.add(bag);
    all.sort(Comparator.comparingLong(each -> each.submission));
    for (BagRecord each : all) {
      bags.remove(each.id());
      bags.put(each.id(), each);
    }
    changed(bag);
    expiriesChanged = true;
  }

  /** Brings back a group that had ended, in order of submission. */
  void bringBack(GroupRecord group) {
    List<GroupRecord> all = new ArrayList<>(groups.values());
    all.add(group);
    all.sort(Comparator.comparingLong(each -> each.submission));
    for (GroupRecord each : all) {
      groups.remove(each.id());
      groups.put(each.id(), each);
    }
    changed(group);
  }

  /** Returns what is held back after failed starts. */
  public Backoffs backoffs() {
    return backoffs;
  }

  /** Returns the disruption budgets. */
  public Budgets budgets() {
    return budgets;
  }

  /** Returns the job of a new instance, which becomes a member. */
  JobRecord job(String name) {
    JobRecord job = peers.join(name);
    if (job.members == 1) {
      job.budget = budgets.record(name); // set or removed while there were no members
    }
    return job;
  }

  /** Returns the actions that can still be undone. */
  public ActionLedger openActions() {
    return openActions;
  }

  /** Returns the instance with that id, or empty. */
  public Optional<Instance> instance(String id) {
    return Optional.ofNullable(instances.get(id));
  }

  /** Returns the pools in order of their first offer. */
  public List<Pool> pools() {
    return pools.all();
  }

  /** Returns the bags that have not ended, in order of submission. */
  public List<Bag> bags() {
    return bags.values().stream().filter(each -> !each.isOver()).map(Bag.class::cast).toList();
  }

  /** Returns what has become of the groups that have not ended, in order of submission. */
  public List<GroupStatus> groups() {
    return groups.values().stream()
        .filter(each -> !each.isOver())
        .map(GroupRecord::status)
        .toList();
  }

  /** Returns what has become of the group with that id, unless it has ended. */
  public Optional<GroupStatus> group(String id) {
    return Optional.ofNullable(groups.get(id))
        .filter(each -> !each.isOver())
        .map(GroupRecord::status);
  }

  /** Returns the groups, also those whose members the pass under way has ended. */
  public Collection<GroupRecord> groupRecords() {
    return groups.values();
  }

  /** Returns the bag with that id, unless it has ended. */
  public Optional<Bag> bag(String id) {
    return Optional.<Bag>ofNullable(bags.get(id));
  }

  /** Returns the outcomes of the bags that ended since the latest pass. */
  public List<BagReport> endedBags() {
    return List.copyOf(endedBags);
  }

  /** Returns the number of pending instances. */
  public int pendingCount() {
    return pending.size();
  }

  /** Returns the counted limits. */
  public Limits limits() {
    return limits;
  }

  /** Returns the counts of instances that rules and preferences refer to. */
  public PeerIndex peers() {
    return peers;
  }

  public HostTable table() {
    return table;
  }

  public Collection<HostRecord> hostRecords() {
    return hostsInOrder.values();
  }

  /** Returns the number of hosts that are closed. */
  public int closedHosts() {
    return closedHosts;
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

  public Collection<PoolRecord> poolRecords() {
    return pools.records();
  }

  public Collection<InstanceRecord> instanceRecords() {
    return Collections.unmodifiableCollection(instances.values());
  }

  /** Returns the number of hosts that have joined. */
  public long joins() {
    return joins;
  }

  /** Returns the number of requests that were admitted. */
  public long admissions() {
    return admissions;
  }

  /** Returns whether a record is part of the cluster. */
  public boolean contains(TrackedRecord record) {
    if (record instanceof InstanceRecord instance) {
      return instances.get(instance.id()) == instance;
    }
    if (record instanceof HostRecord host) {
      return host.isIn(table);
    }
    if (record instanceof BudgetRecord budget) {
      return budgets.record(budget.job) == budget;
    }
    if (record instanceof GroupRecord group) {
      return groups.get(group.id()) == group;
    }
    return !(record instanceof BagRecord bag) || bags.get(bag.id()) == bag; // pools are for ever
  }

  public Collection<BagRecord> bagRecords() {
    return bags.values();
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

  /** Passes each pending instance to an action, which changes nothing; in no particular order. */
  public void forEachPending(Consumer<InstanceRecord> action) {
    pending.forEach(action);
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

  // ---- Hosts that join, leave or change

  /** Adds a host. */
  void enterHost(HostRecord host) {
    hosts.put(host.id(), host);
    hostsInOrder.put(host.joined, host);
    closedHosts += host.isClosed ? 1 : 0; // if it comes back
    if (host.drain != null) { // it comes back
      draining.put(host.id(), host);
    }
    if (host.tainted != null && host.tainted.expels()) {
      expelling.put(host.id(), host);
    }
    backoffs.cameBack(host);
    hostList = null;
    expiriesChanged = true;
    peers.joined(host);
    touch(host);
  }

  /** Brings back a host that had left, empty. */
  void returnHost(HostRecord host) {
    long[] capacity = table.dense(host.capacity());
    host.slot = table.add(host, capacity);
    if (host.foreignAmounts.length > 0) {
      table.change(host.slot, capacity, host.foreignAmounts);
    }
    enterHost(host);
    constraintIndex.added(host);
    index.joined(host);
  }

  /** Notes whether a host is draining. */
  void noteDraining(HostRecord host) {
    if (host.drain == null) {
      draining.remove(host.id());
    } else {
      draining.put(host.id(), host);
    }
    expiriesChanged = true;
  }

  /** Notes whether a host has taints that make instances leave. */
  void noteExpelling(HostRecord host) {
    if (host.tainted != null && host.tainted.expels()) {
      expelling.put(host.id(), host);
      expiriesChanged = true;
    } else if (!expelling.isEmpty() && expelling.remove(host.id()) != null) {
      expiriesChanged = true;
    }
  }

  /** Removes a host. */
  void leaveHost(HostRecord host) {
    index.left(host);
    unchain(host);
    hosts.remove(host.id());
    hostsInOrder.remove(host.joined);
    closedHosts -= host.isClosed ? 1 : 0;
    if (host.drain != null) {
      draining.remove(host.id());
    }
    if (host.tainted != null) {
      expelling.remove(host.id());
    }
    backoffs.left(host);
    peers.left(host);
    hostList = null;
    expiriesChanged = true;
    table.remove(host.slot);
    changed(host);
  }

  /** Returns the version of the latest change of a host. */
  public long versions() {
    return versions;
  }

  /** Returns the host that changed last; the others follow by {@code changedBefore}. */
  public @Nullable HostRecord latestChanged() {
    return latestChanged;
  }

  /** Notes that the view of a host has changed. */
  void touch(HostRecord host) {
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

  /**
   * Notes that a host has opened or closed, or that its description or foreign load has changed.
   */
  void hasChanged(HostRecord host) {
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

  void touch(ProvidedHost host) {
    changed(host.pool);
    host.version = ++versions;
  }

  /** Returns the id of the host of the latest placement, or null before the first. */
  public @Nullable String latestPlacement() {
    return latestPlacement;
  }

  /** Returns and clears the outcomes of the bags that ended, so that one plan reports each. */
  public List<BagReport> takeEndedBags() {
    List<BagReport> taken = endedBags();
    endedBags.clear();
    return taken;
  }

  /**
   * Returns the earliest expiry of a bag, or of a pool's host, a drain or the stay of an instance
   * on a host with taints that expires after {@code seenUntil}; {@link Long#MAX_VALUE} if none
   * expires. Cost O(bags + hosts of pools + drains + hosts with such taints, and the instances on
   * those that have changed) if an expiry has changed or was seen, otherwise O(1).
   */
  public long nextExpiry(long seenUntil) {
    if (expiriesChanged || nextExpiry <= seenUntil || seenUntil < expirySeenUntil) {
      long next = Long.MAX_VALUE;
      for (BagRecord each : bags.values()) {
        next = Math.min(next, each.expiresAt.orElse(Long.MAX_VALUE));
      }
      for (HostRecord each : draining.values()) {
        long at = each.drainDeadline();
        next = at > seenUntil ? Math.min(next, at) : next;
      }
      for (HostRecord each : expelling.values()) {
        HostTaints taints = each.tainted;
        next = taints == null ? next : Math.min(next, taints.firstDeparture(each, seenUntil));
      }
      nextExpiry = Math.min(next, pools.nextExpiry(seenUntil));
      expirySeenUntil = seenUntil;
      expiriesChanged = false;
    }
    return nextExpiry;
  }

  /** Returns the first dimension in which a need exceeds the free capacity, or -1 if it fits. */
  public int shortDimension(long[] need, HostRecord host) {
    for (int d = 0; d < need.length; d++) {
      if (table.free(host.slot, d) < need[d]) {
        return d;
      }
    }
    return -1;
  }
}

package dev.berth.core.internal.state;

import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.HostState;
import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.GroupStatus;
import dev.berth.api.policy.Completion;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.internal.action.ActionLedger;
import dev.berth.core.internal.budget.BudgetRecord;
import dev.berth.core.internal.budget.Budgets;
import dev.berth.core.internal.cluster.Batch;
import dev.berth.core.internal.cluster.Cluster;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTaints;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.digest.TrackedRecord;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.elastic.PoolRecord;
import dev.berth.core.internal.elastic.Pools;
import dev.berth.core.internal.elastic.ProvidedHost;
import dev.berth.core.internal.group.GroupRecord;
import dev.berth.core.internal.host.Backoffs;
import dev.berth.core.internal.host.RunLimits;
import dev.berth.core.internal.rule.JobRecord;
import dev.berth.core.internal.undo.UndoLog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that a scheduler knows of its cluster: the hosts and instances, and the bags, groups, pools,
 * budgets, what is held back, and the actions that can still be undone.
 */
public final class ClusterState extends Cluster {

  private final Pools pools = new Pools(this);
  final Map<String, BagRecord> bags = new LinkedHashMap<>(); // of submission
  final Map<String, GroupRecord> groups = new LinkedHashMap<>(); // of submission
  final List<BagReport> endedBags = new ArrayList<>(); // since the latest pass
  final List<Completion> completions = new ArrayList<>(); // since the latest pass
  private long placementNumbers; // used so far
  private final ActionLedger openActions = new ActionLedger();
  private final Backoffs backoffs = new Backoffs(this);
  private final RunLimits runLimits = new RunLimits();
  private final Budgets budgets = new Budgets(this);
  private final Set<GroupRecord> changedGroups = new LinkedHashSet<>(); // not settled
  private long nextExpiry; // the first after expirySeenUntil
  private long expirySeenUntil;

  /** Creates an empty cluster with some service classes. */
  public ClusterState(long seed, Collection<? extends ServiceClass> serviceClasses) {
    super(seed, serviceClasses);
  }

  // ---- What the cluster calls

  @Override
  protected void settle() {
    if (budgets.isUnsettled()) {
      budgets.settle();
    }
    if (!changedGroups.isEmpty()) { // a victim on one host may cost the members on others
      changedGroups.forEach(this::touchHosts);
      changedGroups.clear();
    }
  }

  @Override
  protected int batches() {
    return bags.size() + groups.size();
  }

  @Override
  protected void entered(HostRecord host) {
    backoffs.cameBack(host);
  }

  @Override
  protected void left(HostRecord host) {
    backoffs.left(host);
  }

  @Override
  protected void countPending(InstanceRecord instance, int change) {
    BudgetRecord budget = instance.job == null ? null : BudgetRecord.of(instance.job);
    if (budget != null) {
      budgets.count(budget, instance, instance.state(), null, change);
    }
  }

  @Override
  public UndoLog.Step counters() {
    UndoLog.Step ofCluster = super.counters();
    long placementNumbersBefore = placementNumbers;
    long assignmentsBefore = pools.assignments();
    return () -> {
      ofCluster.undo();
      placementNumbers = placementNumbersBefore;
      pools.setAssignments(assignmentsBefore);
    };
  }

  /** Returns the number of a new placement. */
  long nextPlacementNumber() {
    return ++placementNumbers;
  }

  // ---- Contents

  /** Notes that a member of a group, if an instance is one, leaves a state or enters one. */
  void groupChanges(InstanceRecord instance) {
    GroupRecord group = GroupRecord.of(instance);
    if (group != null && !group.startsInLatest()) { // the next pass touches those
      changedGroups.add(group);
    }
  }

  /** Adds a bag that is submitted. */
  public void enter(BagRecord bag) {
    bags.put(bag.id(), bag);
    changed(bag);
    noteExpiries();
  }

  /** Adds a group that is submitted. */
  public void enter(GroupRecord group) {
    groups.put(group.id(), group);
    changed(group);
  }

  /** Removes a bag that has ended, or that was only supposed. */
  void leave(BagRecord bag) {
    bags.remove(bag.id());
    changed(bag);
    noteExpiries();
  }

  /** Removes a group that has ended, or that was only supposed. */
  void leave(GroupRecord group) {
    groups.remove(group.id());
    changed(group);
  }

  /** Notes the outcome of a bag that has ended, which the next plan reports. */
  public void noteEnded(BagReport report) {
    endedBags.add(report);
  }

  /** Notes an instance that completed, which the next pass reports. */
  public void noteCompleted(Completion completion) {
    completions.add(completion);
  }

  /** Brings back a bag that had ended, in order of submission. */
  void bringBack(BagRecord bag) {
    insert(bag, bags);
    noteExpiries();
  }

  /** Brings back a group that had ended, in order of submission. */
  void bringBack(GroupRecord group) {
    insert(group, groups);
  }

  private <B extends Batch> void insert(B batch, Map<String, B> inOrder) {
    List<B> all = new ArrayList<>(inOrder.values());
    all.add(batch);
    all.sort(Comparator.comparingLong(each -> each.submission));
    for (B each : all) {
      inOrder.remove(each.id());
      inOrder.put(each.id(), each);
    }
    changed(batch);
  }

  /** Returns what is held back after failed starts. */
  public Backoffs backoffs() {
    return backoffs;
  }

  /** Returns why a pending instance is in no queue, or null. */
  public @Nullable Reason whyHeldBack(InstanceRecord instance) {
    boolean waits = instance.heldBack() && !instance.waitsFor().isEmpty();
    return waits ? dependents().why(instance) : Backoffs.why(instance);
  }

  /** Returns the run times that are limited. */
  public RunLimits runLimits() {
    return runLimits;
  }

  /** Returns the disruption budgets. */
  public Budgets budgets() {
    return budgets;
  }

  /** Returns the job of a new instance, which becomes a member. */
  private JobRecord job(String name) {
    JobRecord job = peers().join(name);
    if (job.members() == 1) {
      job.protectedBy(budgets.record(name)); // set or removed while there were no members
    }
    return job;
  }

  /**
   * Returns a new host, which is not in the cluster yet.
   *
   * @param time of joining, from which its taints count
   */
  public HostRecord create(HostSpec spec, @Nullable ProvidedHost provided, long joined, long time) {
    HostRecord host =
        new HostRecord(
            spec,
            provided,
            table(),
            table().dense(spec.capacity()),
            SeededTieBreaker.hash(seed(), spec.id()),
            joined);
    host.noteTaints(time);
    return host;
  }

  /** Returns a new instance of a known class, of its job and its constraints. */
  public InstanceRecord create(
      Request request,
      @Nullable BagRecord bag,
      @Nullable GroupRecord group,
      long admittedAt,
      long sequence) {
    InstanceRecord instance =
        new InstanceRecord(
            request,
            Objects.requireNonNull(classRecords().get(request.serviceClass())),
            table().dense(request.demand()),
            constraints().acquire(request.constraints(), hostRecords()),
            request.job().map(this::job).orElse(null),
            bag,
            group,
            admittedAt,
            sequence,
            SeededTieBreaker.hash(seed(), request.id()));
    peers().connect(instance);
    limits().connect(instance);
    return instance;
  }

  /** Returns the actions that can still be undone. */
  public ActionLedger openActions() {
    return openActions;
  }

  /** Returns the pools. */
  public Pools pools() {
    return pools;
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

  /** Returns the instances that completed since the latest pass, in order. */
  public List<Completion> completions() {
    return List.copyOf(completions);
  }

  public Collection<PoolRecord> poolRecords() {
    return pools.records();
  }

  /** Returns whether a record is part of the cluster. */
  public boolean contains(TrackedRecord record) {
    if (record instanceof InstanceRecord instance) {
      return instanceRecord(instance.id()) == instance;
    }
    if (record instanceof HostRecord host) {
      return host.isIn(table());
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

  public @Nullable ProvidedHost starting(Host host) {
    ProvidedHost found = pools.provided(host.id());
    return found == host && found.state() == HostState.STARTING ? found : null;
  }

  public @Nullable PoolRecord record(Pool pool) {
    PoolRecord found = pools.get(pool.name());
    return found == pool ? found : null;
  }

  public @Nullable BagRecord record(Bag bag) {
    BagRecord found = bags.get(bag.id());
    return found == bag && !found.isOver() ? found : null;
  }

  /** Returns and clears the outcomes of the bags that ended, so that one plan reports each. */
  public List<BagReport> takeEndedBags() {
    List<BagReport> taken = endedBags();
    endedBags.clear();
    return taken;
  }

  /** Clears the instances that completed, so that one pass reports each. */
  public void forgetCompletions() {
    completions.clear();
  }

  /**
   * Returns the earliest expiry of a bag, or of a pool's host, a drain or the stay of an instance
   * on a host with taints that expires after {@code seenUntil}; {@link Long#MAX_VALUE} if none
   * expires. Cost O(bags + hosts of pools + drains + hosts with such taints, and the instances on
   * those that have changed) if an expiry has changed or was seen, otherwise O(1).
   */
  public long nextExpiry(long seenUntil) {
    if (expiriesChanged() || nextExpiry <= seenUntil || seenUntil < expirySeenUntil) {
      long next = Long.MAX_VALUE;
      for (BagRecord each : bags.values()) {
        next = Math.min(next, each.expiresAt().orElse(Long.MAX_VALUE));
      }
      for (HostRecord each : draining()) {
        long at = each.drainDeadline();
        next = at > seenUntil ? Math.min(next, at) : next;
      }
      for (HostRecord each : expelling()) {
        HostTaints taints = each.tainted();
        next =
            taints == null
                ? next
                : Math.min(next, taints.firstDeparture(each.version(), each.residents, seenUntil));
      }
      nextExpiry = Math.min(next, pools.nextExpiry(seenUntil));
      expirySeenUntil = seenUntil;
      expiriesKnown();
    }
    return nextExpiry;
  }
}

package dev.berth.core.internal.snapshot;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.api.Drain;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.GroupSpec;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.internal.cluster.Closing;
import dev.berth.core.internal.cluster.EndedInstances.Ended;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.SavedInstance;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.elastic.PoolRecord;
import dev.berth.core.internal.elastic.ProvidedHost;
import dev.berth.core.internal.group.GroupRecord;
import dev.berth.core.internal.pipeline.Pipeline;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import dev.berth.core.snapshot.BagData;
import dev.berth.core.snapshot.GroupsData.GroupData;
import dev.berth.core.snapshot.HostData;
import dev.berth.core.snapshot.InstanceData;
import dev.berth.core.snapshot.LatestPlan;
import dev.berth.core.snapshot.PoolData;
import dev.berth.core.snapshot.SchedulerSnapshot;
import dev.berth.core.snapshot.SchedulerSnapshot.Progress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Puts the contents of a snapshot, which has been checked, into a new cluster: first dimensions and
 * pools, then hosts in order of joining, bags in order of submission, and instances in order of
 * admission.
 *
 * <p>The follower of the cluster sees hosts join and instances come to their places. It is not
 * asked for keys, which are part of the snapshot: they may depend on the past.
 */
public final class SnapshotRestore {

  private final SnapshotReader checked;
  private final boolean takesOver; // with another policy, or other settings
  private final ClusterState state;
  private final Transitions transitions;
  private final Map<String, BagRecord> bags = new HashMap<>();
  private final Map<Long, GroupRecord> groups = new HashMap<>(); // by the admissions of members

  /**
   * Prepares to restore a snapshot without problems.
   *
   * @param state a cluster without any event, with the classes and the seed of the snapshot
   */
  public SnapshotRestore(
      SnapshotReader checked, ClusterState state, Transitions transitions, boolean takesOver) {
    this.checked = checked;
    this.takesOver = takesOver;
    this.state = state;
    this.transitions = transitions;
  }

  /** Restores the cluster. */
  public void restore() {
    SchedulerSnapshot snapshot = checked.snapshot;
    state.table().number(List.copyOf(checked.dimensions.values()));
    snapshot.limits().forEach(each -> state.limits().set(each.name(), each.amount()));
    snapshot.budgets().forEach(each -> state.budgets().set(each.job(), SnapshotReader.read(each)));
    snapshot.pools().forEach(this::pool);
    snapshot.hosts().forEach(this::host);
    snapshot.bags().forEach(this::bag);
    checked.groups().forEach(this::group);
    snapshot.instances().forEach(this::instance);
    if (state.follower() instanceof Pipeline pipeline && !takesOver) {
      InstanceRecord head = head();
      if (head != null && !head.isAmongPending()) {
        restoreTier(head);
        head.takeKeys();
      }
      pipeline.restoreQueue(snapshot.latestPlan().queuePass(), head);
    }
    state.hostRecords().forEach(state.closings()::checkCapacity); // once all instances are there
    Map<String, ServiceClass> classes = new HashMap<>(); // of the cluster, perhaps other objects
    checked.serviceClasses().forEach(each -> classes.put(each.name(), each)); // some may be gone
    state.serviceClasses().forEach(each -> classes.put(each.name(), each));
    snapshot.endedBags().forEach(each -> state.noteEnded(SnapshotReader.read(each, classes)));
    snapshot.completions().forEach(each -> state.noteCompleted(checked.read(each, classes)));
    snapshot
        .ended()
        .forEach(each -> state.ended().add(each.id(), new Ended(each.attempt(), each.cancelled())));
    state.budgets().settle();
    Progress progress = snapshot.progress();
    state.setProgress(
        checked.now(),
        progress.latest().orElse(Long.MIN_VALUE),
        progress.joins(),
        progress.admissions(),
        progress.latestPlacement().orElse(null));
  }

  private static <T> T found(Map<String, T> checked, String name) {
    T found = checked.get(name);
    checkState(found != null, "%s was not checked", name);
    return found;
  }

  private void pool(PoolData data) {
    PoolRecord pool = state.pools().offer(found(checked.pools, data.name()));
    pool.restore(data.numbered(), data.failures(), data.lastFailureAt());
    for (PoolData.StartingHost each : data.starting()) {
      state
          .pools()
          .addStarting(
              new ProvidedHost(
                  pool,
                  each.number(),
                  each.id(),
                  each.cluster(),
                  each.expiresAt(),
                  state.nextVersion()));
    }
    for (String id : data.stopping()) { // number, cluster and expiry matter no more
      state
          .pools()
          .addStopping(
              new ProvidedHost(
                  pool, 0, id, Optional.empty(), OptionalLong.empty(), state.nextVersion()));
    }
  }

  private void host(HostData data) {
    PoolRecord pool = data.pool().isEmpty() ? null : state.pools().get(data.pool().get());
    HostRecord host =
        state.create(
            found(checked.hosts, data.id()),
            pool == null
                ? null
                : new ProvidedHost(
                    pool, 0, data.id(), data.cluster(), data.expiresAt(), state.versions()),
            data.joined(),
            0); // until it is known since when it has its taints
    host.restore(
        SnapshotReader.load(data).orElse(null), SnapshotReader.histories(data), data.completions());
    state.pools().cameBack(host);
    state.enterHost(host);
    host.restoreTaints(checked.taintedSince(data));
    close(host, data);
  }

  /** Closes a host that has no instances yet, if anything closes it. */
  private void close(HostRecord host, HostData data) {
    Resources foreign = SnapshotReader.foreign(data);
    if (!foreign.equals(Resources.none())) {
      host.foreignLoad(foreign, host.taken(state.table().dense(foreign)));
      state
          .table()
          .change(host.slot(), state.table().dense(host.capacity()), host.foreignAmounts());
      state.hasChanged(host);
    }
    Drain drain = SnapshotReader.drain(data).orElse(null);
    if (drain != null) {
      state.drain(host, drain);
      state.closings().close(host, Closing.DRAIN, new Reason.Draining(drain.deadline()));
    }
    HostData.AvailabilityData its = data.availability();
    if (its.cordoned()) {
      state.closings().close(host, Closing.CORDON, new Reason.Cordoned());
    }
    host.restoreFailedStarts(its.failedStarts());
    its.heldUntil().ifPresent(time -> state.backoffs().restore(host, time));
  }

  private void bag(BagData data) {
    BagRecord bag =
        new BagRecord(found(checked.bags, data.id()), data.submittedAt(), data.submission());
    bag.restore(
        data.completed(),
        data.serviceOfThoseDone(),
        data.cluster().orElse(null),
        data.assignedAt(),
        data.expiresAt());
    state.enter(bag);
    bags.put(data.id(), bag);
  }

  private void group(GroupData data) {
    GroupRecord group =
        new GroupRecord(
            data.id(),
            data.size(),
            data.minCount(),
            GroupSpec.OnLoss.valueOf(data.onLoss()),
            data.submission());
    group.restore(data.completed());
    state.enter(group);
    data.members().forEach(member -> groups.put(member, group));
  }

  private void instance(InstanceData data) {
    BagRecord bag = data.bag().isEmpty() ? null : bags.get(data.bag().get());
    GroupRecord group = groups.get(data.admission());
    InstanceRecord instance =
        state.create(
            found(checked.requests, data.id()), bag, group, data.admittedAt(), data.admission());
    if (bag != null) {
      bag.joins(instance);
    }
    if (group != null) {
      group.joins(instance);
    }
    SavedInstance former = new SavedInstance().note(instance); // pending, in no queue yet
    Resources grant = data.grant().map(checked::resources).orElse(null);
    instance.restore(
        data,
        data.host().isEmpty() ? null : state.hostRecord(data.host().get()),
        grant == null ? instance.wholeDemand : new Grant(state.table().dense(grant), grant),
        data.usage().map(SnapshotReader::read).orElse(null),
        data.previousUsage().map(SnapshotReader::read).orElse(null));
    state.dependents().connect(instance, data.waitsFor());
    state.add(instance);
    if (takesOver) {
      state.follower().rekey(instance); // by another order, perhaps
    }
    if (instance.state() == InstanceState.PENDING) {
      restoreTier(instance);
    }
    transitions.enter(instance, former);
  }

  /** Asks for a tier, which no snapshot keeps, before the instance has its place in the queue. */
  private void restoreTier(InstanceRecord instance) {
    if (state.follower() instanceof Pipeline pipeline) {
      pipeline.askForTier(instance, checked.now());
    }
  }

  private @Nullable InstanceRecord head() {
    if (checked.snapshot.latestPlan().head().isEmpty()) {
      return null;
    }
    LatestPlan.HeadData head = checked.snapshot.latestPlan().head().get();
    for (InstanceRecord each : state.instanceRecords()) {
      if (each.sequence == head.admission()) {
        return each;
      }
    }
    return ghost(head);
  }

  /** Returns an instance that is gone, as the head of a queue that others still wait behind. */
  private InstanceRecord ghost(LatestPlan.HeadData head) {
    InstanceRecord ghost =
        new InstanceRecord(
            Request.builder(head.id(), head.serviceClass()).demand(Resources.none()).build(),
            Objects.requireNonNull(state.classRecords().get(head.serviceClass())),
            InstanceRecord.NOTHING,
            null,
            null,
            null,
            null,
            head.admittedAt(),
            head.admission(),
            SeededTieBreaker.hash(state.seed(), head.id()));
    ghost.isRejected(head.admittedAt());
    ghost.nextWait(head.queueKey(), 0);
    ghost.takeKeys();
    return ghost;
  }
}

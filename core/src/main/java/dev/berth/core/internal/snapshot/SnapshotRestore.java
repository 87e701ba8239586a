package dev.berth.core.internal.snapshot;

import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.InstanceReport;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.elastic.PoolRecord;
import dev.berth.core.internal.group.GroupRecord;
import dev.berth.core.internal.pipeline.Pipeline;
import dev.berth.core.internal.state.ClusterRestore;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import dev.berth.core.snapshot.BagData;
import dev.berth.core.snapshot.GroupsData.GroupData;
import dev.berth.core.snapshot.HostData;
import dev.berth.core.snapshot.InstanceData;
import dev.berth.core.snapshot.LatestPlan;
import dev.berth.core.snapshot.PoolData;
import dev.berth.core.snapshot.SchedulerSnapshot.Progress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Restores a cluster from a snapshot that has been checked. */
public final class SnapshotRestore {

  private final SnapshotReader checked;

  /** Prepares to restore a snapshot without problems. */
  public SnapshotRestore(SnapshotReader checked) {
    this.checked = checked;
  }

  /**
   * Restores the cluster. There must be no problem, and the cluster must have the classes and the
   * seed of the snapshot.
   */
  public void restore(ClusterState state, Transitions transitions) {
    ClusterRestore restore = new ClusterRestore(state, transitions);
    Pipeline pipeline = state.follower() instanceof Pipeline it ? it : null;
    restore.number(List.copyOf(checked.dimensions.values()));
    checked.snapshot.limits().forEach(each -> restore.setLimit(each.name(), each.amount()));
    checked
        .snapshot
        .budgets()
        .forEach(each -> restore.addBudget(each.job(), SnapshotReader.read(each)));
    Map<String, PoolRecord> poolRecords = new HashMap<>();
    for (PoolData each : checked.snapshot.pools()) {
      PoolRecord pool =
          restore.addPool(
              found(checked.pools, each.name()),
              each.numbered(),
              each.failures(),
              each.lastFailureAt());
      each.starting()
          .forEach(
              host ->
                  restore.addStarting(
                      pool, host.number(), host.id(), host.cluster(), host.expiresAt()));
      each.stopping().forEach(id -> restore.addStopping(pool, id));
      poolRecords.put(each.name(), pool);
    }
    Map<String, HostRecord> hostRecords = new HashMap<>();
    for (HostData each : checked.snapshot.hosts()) {
      hostRecords.put(
          each.id(),
          restore.addHost(
              found(checked.hosts, each.id()),
              each.joined(),
              each.pool().map(poolRecords::get).orElse(null),
              each.cluster(),
              each.expiresAt(),
              SnapshotReader.load(each).orElse(null),
              SnapshotReader.histories(each),
              each.completions(),
              host -> {
                restore.taintedSince(host, checked.taintedSince(each));
                restore.close(host, SnapshotReader.availability(each));
              }));
    }
    Map<String, BagRecord> bagRecords = new HashMap<>();
    for (BagData each : checked.snapshot.bags()) {
      bagRecords.put(
          each.id(),
          restore.addBag(
              found(checked.bags, each.id()),
              each.submittedAt(),
              each.submission(),
              each.completed(),
              each.serviceOfThoseDone(),
              each.cluster().orElse(null),
              each.assignedAt(),
              each.expiresAt()));
    }
    Map<Long, GroupRecord> groupRecords = new HashMap<>(); // by the admissions of members
    for (GroupData each : checked.groups()) {
      GroupRecord group =
          restore.addGroup(
              each.id(),
              each.size(),
              each.minCount(),
              GroupSpec.OnLoss.valueOf(each.onLoss()),
              each.submission(),
              each.completed());
      each.members().forEach(member -> groupRecords.put(member, group));
    }
    for (InstanceData each : checked.snapshot.instances()) {
      Request request = found(checked.requests, each.id());
      restore.addInstance(
          request,
          request.serviceClass(),
          each.bag().map(bagRecords::get).orElse(null),
          groupRecords.get(each.admission()),
          each.admittedAt(),
          each.admission(),
          instance -> fill(instance, each, hostRecords, state));
    }
    if (pipeline != null) {
      pipeline.restoreQueue(checked.snapshot.latestPlan().queuePass(), head(state, restore));
    }
    restore.closeOverfull();
    checked.ended.forEach(each -> restore.addEnded(withClassesOf(state, each)));
    Progress progress = checked.snapshot.progress();
    restore.setProgress(
        checked.now(),
        progress.latest().orElse(Long.MIN_VALUE),
        progress.joins(),
        progress.admissions(),
        progress.latestPlacement().orElse(null));
  }

  private static <T> T found(Map<String, T> checked, String name) {
    T found = checked.get(name);
    if (found == null) {
      throw new IllegalStateException(name + " was not checked");
    }
    return found;
  }

  private void fill(
      InstanceRecord instance,
      InstanceData data,
      Map<String, HostRecord> hostRecords,
      ClusterState state) {
    Resources grant = data.grant().map(checked::resources).orElse(null);
    instance.restore(
        data,
        data.host().map(hostRecords::get).orElse(null),
        grant == null ? instance.wholeDemand : new Grant(state.table().dense(grant), grant),
        data.usage().map(SnapshotReader::read).orElse(null),
        data.previousUsage().map(SnapshotReader::read).orElse(null));
  }

  private @Nullable InstanceRecord head(ClusterState state, ClusterRestore restore) {
    if (checked.snapshot.latestPlan().head().isEmpty()) {
      return null;
    }
    LatestPlan.HeadData head = checked.snapshot.latestPlan().head().get();
    for (InstanceRecord each : state.instanceRecords()) {
      if (each.sequence == head.admission()) {
        return each;
      }
    }
    return restore.ghost(
        head.id(), head.serviceClass(), head.admittedAt(), head.admission(), head.queueKey());
  }

  /** Returns a report with the classes of a cluster, which may be other objects. */
  private static BagReport withClassesOf(ClusterState state, BagReport report) {
    Map<String, ServiceClass> byName = new HashMap<>();
    state.serviceClasses().forEach(each -> byName.put(each.name(), each));
    return new BagReport(
        report.bag(),
        report.size(),
        report.completed(),
        report.cancelled().stream()
            .map(
                each ->
                    new InstanceReport(
                        each.id(),
                        found(byName, each.serviceClass().name()),
                        each.admittedAt(),
                        each.endedAt(),
                        each.serviceTime(),
                        each.waitingTime(),
                        each.preemptions(),
                        each.placements(),
                        each.restartOverhead()))
            .toList(),
        report.why(),
        report.submittedAt(),
        report.assignedAt(),
        report.endedAt(),
        report.cluster(),
        report.serviceTime());
  }
}

package dev.berth.core.internal.snapshot;

import dev.berth.api.Drain;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.api.Usage;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.InstanceReport;
import dev.berth.core.config.Durations;
import dev.berth.core.internal.budget.BudgetRecord;
import dev.berth.core.internal.cluster.Closing;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.elastic.PoolRecord;
import dev.berth.core.internal.group.GroupRecord;
import dev.berth.core.internal.pipeline.Pipeline;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.snapshot.BagData;
import dev.berth.core.snapshot.BagReportData;
import dev.berth.core.snapshot.BudgetData;
import dev.berth.core.snapshot.GroupsData;
import dev.berth.core.snapshot.HostData;
import dev.berth.core.snapshot.InstanceData;
import dev.berth.core.snapshot.LatestPlan.HeadData;
import dev.berth.core.snapshot.PoolData;
import dev.berth.core.snapshot.RequestData;
import dev.berth.core.snapshot.SchedulerSnapshot.ClassData;
import dev.berth.core.snapshot.SchedulerSnapshot.CompletionData;
import dev.berth.core.snapshot.SchedulerSnapshot.DimensionData;
import dev.berth.core.snapshot.SchedulerSnapshot.EndedData;
import dev.berth.core.snapshot.SchedulerSnapshot.LimitData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Makes plain data of the records of a cluster. */
public final class SnapshotWriter {

  private final ClusterState state;
  private final @Nullable Pipeline pipeline;

  /** Prepares to write the records of a cluster. */
  public SnapshotWriter(ClusterState state) {
    this.state = state;
    this.pipeline = state.follower() instanceof Pipeline it ? it : null;
  }

  /** Returns service classes in the same order. */
  public static List<ClassData> serviceClasses(Collection<? extends ServiceClass> classes) {
    return classes.stream()
        .map(
            each ->
                new ClassData(
                    each.name(),
                    each.slo().partsPerBillion(),
                    each.importance(),
                    Durations.toNanosSaturated(each.safetyMargin()),
                    each.preemptionOverheadLimit()))
        .toList();
  }

  /** Returns the dimensions in order of their numbers. */
  public List<DimensionData> dimensions() {
    HostTable table = state.table();
    List<DimensionData> dimensions = new ArrayList<>(table.dimensions());
    for (int d = 0; d < table.dimensions(); d++) {
      dimensions.add(
          new DimensionData(table.dimension(d).name(), table.dimension(d).unitsPerWhole()));
    }
    return dimensions;
  }

  /** Returns the counted limits that are set, by name. */
  public List<LimitData> limits() {
    return state.limits().all().stream()
        .filter(each -> each.amount() > 0)
        .map(each -> new LimitData(each.name(), each.amount()))
        .toList();
  }

  /** Returns the pools. */
  public List<PoolData> pools() {
    return state.poolRecords().stream().map(SnapshotWriter::write).toList();
  }

  /** Returns the hosts that are up. */
  public List<HostData> hosts() {
    List<HostData> hosts = new ArrayList<>(state.hostCount());
    for (HostRecord each : state.hostRecords()) {
      hosts.add(write(each));
    }
    return hosts;
  }

  /** Returns the bags. */
  public List<BagData> bags() {
    return state.bagRecords().stream().map(each -> write(each, tasks(each))).toList();
  }

  /** Returns the groups; empty if there are none. */
  public Optional<GroupsData> groups() {
    return state.groupRecords().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new GroupsData(state.groupRecords().stream().map(SnapshotWriter::write).toList()));
  }

  /** Returns the instances. */
  public List<InstanceData> instances() {
    List<InstanceData> instances = new ArrayList<>(state.instanceCount());
    for (InstanceRecord each : state.instanceRecords()) {
      instances.add(write(each, request(each)));
    }
    return instances;
  }

  /** Returns the disruption budgets. */
  public List<BudgetData> budgets() {
    return state.budgets().all().stream().map(SnapshotWriter::write).toList();
  }

  /** Returns the outcomes of the bags that ended since the latest pass. */
  public List<BagReportData> endedBags() {
    return state.endedBags().stream().map(SnapshotWriter::write).toList();
  }

  /** Returns the instances that completed since the latest pass. */
  public List<CompletionData> completions() {
    return state.completions().stream()
        .map(
            each ->
                new CompletionData(
                    each.request().id(), Requests.write(each.request()), each.serviceTime()))
        .toList();
  }

  /** Returns the instances that ended last. */
  public List<EndedData> ended() {
    List<EndedData> all = new ArrayList<>();
    state
        .ended()
        .all()
        .forEach((id, how) -> all.add(new EndedData(id, how.attempt(), how.cancelled())));
    return all;
  }

  /** Returns the latest pass of a pipeline that keeps one queue; 0 for none. */
  public long queuePass() {
    return pipeline == null ? 0 : pipeline.queuePass();
  }

  /** Returns the head that others wait for since then. */
  public Optional<HeadData> queueHead() {
    InstanceRecord head = pipeline == null ? null : pipeline.queueHead();
    return head == null
        ? Optional.empty()
        : Optional.of(
            new HeadData(
                head.id(),
                head.sequence,
                head.admittedAt(),
                head.classRecord.serviceClass().name(),
                head.queueKey()));
  }

  // ---- Records

  static PoolData write(PoolRecord pool) {
    PoolSpec spec = pool.spec();
    return new PoolData(
        spec.name(),
        pool.offered,
        Requests.write(spec.capacity()),
        spec.attributes(),
        spec.limit(),
        Durations.toNanosSaturated(spec.startDelay()),
        Durations.toNanosSaturated(spec.stopDelay()),
        pool.numbered(),
        pool.failures(),
        pool.lastFailureAt(),
        pool.startingRecords().stream()
            .map(
                each ->
                    new PoolData.StartingHost(
                        each.id(), each.number, each.cluster(), each.expiresAt()))
            .toList(),
        pool.stoppingIds());
  }

  static HostData write(HostRecord host) {
    return new HostData(
        host.id(),
        host.joined,
        Requests.write(host.capacity()),
        host.attributes(),
        host.timeShared(),
        host.pool(),
        host.cluster(),
        host.expiresAt(),
        host.load().map(each -> new HostData.LoadData(each.average(), each.reportedAt())),
        host.histories().entrySet().stream()
            .map(
                each ->
                    new HostData.HistoryData(
                        each.getKey(), each.getValue().runs(), each.getValue().meanCpuTime()))
            .toList(),
        host.recentCompletions(),
        new HostData.AvailabilityData(
            Requests.writeScaled(host.foreign()),
            host.isClosedBy(Closing.CORDON),
            Optional.ofNullable(host.drain()).map(SnapshotWriter::write),
            host.failedStarts(),
            host.isClosedBy(Closing.HELD_BACK)
                ? OptionalLong.of(host.heldUntil())
                : OptionalLong.empty()),
        taints(host));
  }

  private static List<HostData.TaintData> taints(HostRecord host) {
    List<Taint> taints = host.taints();
    long[] since = host.taintedSince();
    List<HostData.TaintData> written = new ArrayList<>(taints.size());
    for (int i = 0; i < since.length; i++) {
      written.add(Placements.write(taints.get(i), OptionalLong.of(since[i])));
    }
    return written;
  }

  private static HostData.DrainData write(Drain drain) {
    return new HostData.DrainData(
        drain.deadline(),
        drain.order().name(),
        drain.mode().name(),
        drain.atDeadline().name(),
        List.copyOf(drain.restarted()));
  }

  static BudgetData write(BudgetRecord record) {
    return new BudgetData(record.job, record.budget().limit().name(), record.budget().members());
  }

  static List<BagData.TaskData> tasks(BagRecord bag) {
    return bag.spec.requests().stream()
        .map(each -> new BagData.TaskData(each.id(), Requests.write(each)))
        .toList();
  }

  static BagData write(BagRecord bag, List<BagData.TaskData> tasks) {
    return new BagData(
        bag.id(),
        bag.submission,
        tasks,
        bag.spec.timeToLive().stream().mapToLong(Duration::toNanos).findFirst(),
        bag.submittedAt,
        bag.completed(),
        bag.serviceOfThoseDone(),
        bag.cluster(),
        bag.assignedAt(),
        bag.expiresAt());
  }

  static GroupsData.GroupData write(GroupRecord group) {
    return new GroupsData.GroupData(
        group.id(),
        group.submission,
        group.size(),
        group.minCount(),
        group.onLoss().name(),
        group.completed(),
        group.admissions());
  }

  /** Returns the request of an instance; empty if its bag has it. */
  static Optional<RequestData> request(InstanceRecord instance) {
    return instance.bag == null ? Optional.of(Requests.write(instance.request)) : Optional.empty();
  }

  InstanceData write(InstanceRecord instance, Optional<RequestData> request) {
    return new InstanceData(
        instance.id(),
        request,
        instance.bag(),
        instance.sequence,
        instance.admittedAt(),
        instance.state().name(),
        instance.stateSince(),
        Optional.ofNullable(instance.place()).map(HostRecord::id),
        Optional.ofNullable(instance.grantedResources()).map(Requests::write),
        instance.usage().map(SnapshotWriter::write),
        instance.previousUsage().map(SnapshotWriter::write),
        instance.served(),
        instance.earned(),
        instance.preemptions(),
        instance.placements(),
        instance.migrations(),
        instance.restartOverhead(),
        instance.placedAfterPreemption(),
        instance.lastStopWasPreemption(),
        instance.promised() == InstanceRecord.NO_HOST
            ? OptionalLong.empty()
            : OptionalLong.of(instance.promised()),
        instance.queueKey(),
        instance.victimKey(),
        instance.state() == InstanceState.PENDING ? instance.queuedAfterPass() : 0,
        new InstanceData.StartsData(
            instance.attempt(),
            instance.earlierAttempt(),
            instance.failures(),
            instance.heldBack() && instance.waitsFor().isEmpty()
                ? OptionalLong.of(instance.heldUntil())
                : OptionalLong.empty()),
        instance.stopAfter() == Long.MIN_VALUE
            ? OptionalLong.empty()
            : OptionalLong.of(instance.stopAfter()),
        instance.waitsFor());
  }

  private static InstanceData.UsageData write(Usage usage) {
    return new InstanceData.UsageData(
        usage.at(), Requests.writeScaled(usage.used()), Requests.writeScaled(usage.shortfall()));
  }

  static BagReportData write(BagReport report) {
    return new BagReportData(
        report.bag(),
        report.size(),
        report.completed(),
        report.cancelled().stream().map(SnapshotWriter::write).toList(),
        report.why().map(Reasons::write),
        report.submittedAt(),
        report.assignedAt(),
        report.endedAt(),
        report.cluster(),
        report.serviceTime());
  }

  private static BagReportData.InstanceReportData write(InstanceReport report) {
    return new BagReportData.InstanceReportData(
        report.id(),
        report.serviceClass().name(),
        report.admittedAt(),
        report.endedAt(),
        report.serviceTime(),
        report.waitingTime(),
        report.preemptions(),
        report.placements(),
        report.restartOverhead());
  }
}

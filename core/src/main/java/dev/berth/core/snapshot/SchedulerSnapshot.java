package dev.berth.core.snapshot;

import dev.berth.api.PlainHash;
import dev.berth.core.error.SnapshotException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * All that decides the further plans of a scheduler, and its reports and explanations of what
 * waits. A scheduler that is {@linkplain dev.berth.core.Scheduler.Builder#restore restored} from it
 * continues as the first one would: the same events give the same plans.
 *
 * <p>Not in it: the actions of plans that can still be {@linkplain
 * dev.berth.core.Scheduler#rejected rejected}: a scheduler that is restored takes plans before the
 * snapshot as carried out, and {@linkplain dev.berth.core.Scheduler#reconcile reconciles} what was
 * not; the back-offs of the builder, which must be set again; {@linkplain
 * dev.berth.core.SchedulerStats figures} of the past, which begin anew; the {@linkplain
 * dev.berth.core.Scheduler#decisions log} of past decisions; the {@linkplain
 * dev.berth.api.Host#version versions} of hosts, which policies use to keep caches; and all caches
 * of the engine.
 *
 * <p>Immutable plain data. Two snapshots are equal if all their components are.
 *
 * @param format version of this structure; this version of Berth writes {@value #FORMAT} and reads
 *     all from 1 to that
 * @param settings the settings of the scheduler
 * @param progress its time and its counters
 * @param dimensions the dimensions with their scales, in the order in which the scheduler numbers
 *     them, which may decide between hosts of nearly equal scores
 * @param pools the pools, in order of their first offers
 * @param hosts the hosts that are up, in order of joining
 * @param bags the bags that have not ended, in order of submission
 * @param instances the instances that are not done, in order of admission
 * @param endedBags the bags that ended since the latest pass, in order
 * @param latestPlan what the latest plan says about those that wait
 * @param policyMemory what the policy {@linkplain dev.berth.api.policy.PolicyMemory remembers}
 * @param limits the counted limits that are set, by name
 * @param budgets the disruption budgets, in order of job
 * @param groups the groups that have not ended; empty if there are none
 * @param completions the instances that completed since the latest pass, in order
 * @param ended the instances that ended last, in order
 */
public record SchedulerSnapshot(
    int format,
    Settings settings,
    Progress progress,
    List<DimensionData> dimensions,
    List<PoolData> pools,
    List<HostData> hosts,
    List<BagData> bags,
    List<InstanceData> instances,
    List<BagReportData> endedBags,
    LatestPlan latestPlan,
    Map<String, Object> policyMemory,
    List<LimitData> limits,
    List<BudgetData> budgets,
    Optional<GroupsData> groups,
    List<CompletionData> completions,
    List<EndedData> ended) {

  /** The version of the structure that this version of Berth writes. */
  public static final int FORMAT = 2;

  /**
   * Copies the collections.
   *
   * @throws IllegalArgumentException if the memory of the policy is not plain data
   */
  public SchedulerSnapshot {
    dimensions = List.copyOf(dimensions);
    pools = List.copyOf(pools);
    hosts = List.copyOf(hosts);
    bags = List.copyOf(bags);
    instances = List.copyOf(instances);
    endedBags = List.copyOf(endedBags);
    policyMemory = Plain.copy("memory", policyMemory);
    limits = List.copyOf(limits);
    budgets = List.copyOf(budgets);
    completions = List.copyOf(completions);
    ended = List.copyOf(ended);
  }

  /**
   * Returns the {@linkplain dev.berth.core.Scheduler#digest digest} of the scheduler when the
   * snapshot was taken. Computed from the components. The order of pools, hosts, bags, groups,
   * instances, limits and budgets does not count, since each has its number, name or job; the
   * instances that have ended do not count. Digests of different formats differ. Cost O(size of the
   * snapshot).
   */
  public long digest() {
    boolean isFirst = format == FirstFormat.NUMBER;
    long sum = 0;
    for (PoolData each : pools) {
      sum += PlainHash.of(each);
    }
    for (HostData each : hosts) {
      sum += isFirst ? FirstFormat.hash(each) : PlainHash.of(each);
    }
    for (BagData each : bags) {
      sum += isFirst ? FirstFormat.hash(each) : each.digest();
    }
    for (InstanceData each : instances) {
      sum += isFirst ? FirstFormat.hash(each) : each.digest();
    }
    sum += digestOfLimits(limits);
    for (BudgetData each : budgets) {
      sum += PlainHash.of(each);
    }
    for (GroupsData.GroupData each : groups.map(GroupsData::groups).orElse(List.of())) {
      sum += each.digest();
    }
    sum += digestOfCompletions(completions);
    sum += groups.filter(each -> each.groups().isEmpty()).isPresent() ? 1 : 0; // never written
    for (Map.Entry<String, ReasonData> each : latestPlan.deferrals().entrySet()) {
      sum += digestOfDeferral(each.getKey(), each.getValue());
    }
    return digest(format, settings, progress, dimensions, endedBags, latestPlan, policyMemory, sum);
  }

  /** Returns the digest, with the instances that have ended: a damaged snapshot has another one. */
  public long checksum() {
    return checksum(digest());
  }

  /** Returns the {@link #checksum} if a digest is that of this snapshot. */
  public long checksum(long digest) {
    return ended.isEmpty() ? digest : PlainHash.combine(digest, PlainHash.of(ended));
  }

  /**
   * Requires that this is what was written.
   *
   * @param written the {@link #checksum} of what was written
   * @throws SnapshotException if this has another one
   */
  public void requireChecksum(long written) {
    long actual = checksum();
    if (actual != written) {
      throw new SnapshotException(
          List.of(
              "is damaged: its digest is %016x, but that of its contents is %016x"
                  .formatted(written, actual)));
    }
  }

  /**
   * Returns the digest of a scheduler, from the sum of the hashes of its records. For the engine,
   * which keeps that sum.
   *
   * @param latestPlan its deferrals of instances do not count, since the sum contains them
   * @param sum the sum of the hashes of all pools, hosts, bags, groups, instances, limits, budgets
   *     and deferrals, and of the completions
   */
  public static long digest(
      int format,
      Settings settings,
      Progress progress,
      List<DimensionData> dimensions,
      List<BagReportData> endedBags,
      LatestPlan latestPlan,
      Map<String, Object> policyMemory,
      long sum) {
    long hash = PlainHash.combine(format, PlainHash.of(settings));
    hash = PlainHash.combine(hash, PlainHash.of(progress));
    hash = PlainHash.combine(hash, PlainHash.of(dimensions));
    hash = PlainHash.combine(hash, PlainHash.of(endedBags));
    hash = PlainHash.combine(hash, PlainHash.of(latestPlan.withoutDeferrals()));
    hash = PlainHash.combine(hash, PlainHash.of(policyMemory));
    return PlainHash.combine(hash, sum);
  }

  /** Returns the part of a deferral in the sum of {@link #digest()}. */
  public static long digestOfDeferral(String instance, ReasonData why) {
    return PlainHash.combine(PlainHash.of(instance), PlainHash.of(why));
  }

  /** Returns the part of the counted limits in the sum of {@link #digest()}. */
  public static long digestOfLimits(List<LimitData> limits) {
    long sum = 0;
    for (LimitData each : limits) {
      sum += PlainHash.of(each);
    }
    return sum;
  }

  /** Returns the part of the completions in the sum of {@link #digest()}; 0 if there are none. */
  public static long digestOfCompletions(List<CompletionData> completions) {
    return completions.isEmpty() ? 0 : PlainHash.of(completions);
  }

  /** Returns its policy, its time and its size in one line, for people. */
  @Override
  public String toString() {
    return "snapshot of format %s (%s, %s hosts, %s instances, %s passes, %s)"
        .formatted(
            format,
            settings.policy(),
            hosts.size(),
            instances.size(),
            progress.passes(),
            progress.now().isEmpty() ? "no event yet" : "at " + progress.now().getAsLong() + " ns");
  }

  /**
   * The settings of a scheduler that decide its plans.
   *
   * @param policy id of the policy
   * @param policyConfig its effective configuration as JSON in one line
   * @param seed the seed
   * @param serviceClasses the service classes, most important first
   * @param watchdog the longest time between two passes, if any
   * @param maxPlacements the most instances that a pass places
   */
  public record Settings(
      String policy,
      String policyConfig,
      long seed,
      List<ClassData> serviceClasses,
      OptionalLong watchdog,
      int maxPlacements) {

    /** Copies the classes. */
    public Settings {
      serviceClasses = List.copyOf(serviceClasses);
    }
  }

  /**
   * A {@link dev.berth.api.ServiceClass}.
   *
   * @param name its name
   * @param slo its objective, in parts per billion
   * @param importance its importance
   * @param safetyMargin its safety margin
   * @param preemptionOverheadLimit its limit of preemption overhead
   */
  public record ClassData(
      String name, long slo, int importance, long safetyMargin, double preemptionOverheadLimit) {}

  /**
   * The time and the counters of a scheduler.
   *
   * @param now the time of the latest event or pass; empty before the first
   * @param latest the latest time that the scheduler accepts; empty before the first event
   * @param joins number of hosts that have joined
   * @param admissions number of requests that were admitted
   * @param latestPlacement id of the host of the latest placement, if any
   * @param passes number of passes
   * @param lastPassAt time of the latest pass, if any
   * @param wakeAt the time at which the policy requested the next pass, if it did
   * @param triggers names of the {@link dev.berth.api.plan.Trigger}s since the latest pass, in
   *     their natural order
   */
  public record Progress(
      OptionalLong now,
      OptionalLong latest,
      long joins,
      long admissions,
      Optional<String> latestPlacement,
      long passes,
      OptionalLong lastPassAt,
      OptionalLong wakeAt,
      List<String> triggers) {

    /** Copies the triggers. */
    public Progress {
      triggers = List.copyOf(triggers);
    }
  }

  /**
   * A counted limit.
   *
   * @param name its name
   * @param amount how much there is of it, positive
   */
  public record LimitData(String name, long amount) {}

  /**
   * A {@link dev.berth.api.policy.Completion}.
   *
   * @param id id of the instance
   * @param request its request
   * @param serviceTime its service
   */
  public record CompletionData(String id, RequestData request, long serviceTime) {}

  /**
   * An instance that has ended, about which late reports may come.
   *
   * @param id its id
   * @param attempt its last attempt; 0 if it had none
   * @param cancelled whether it was cancelled or rejected; otherwise it completed
   */
  public record EndedData(String id, int attempt, boolean cancelled) {}

  /**
   * A {@link dev.berth.api.Dimension}.
   *
   * @param name its name
   * @param unitsPerWhole its scale
   */
  public record DimensionData(String name, long unitsPerWhole) {}
}

package dev.berth.testkit.event;

import dev.berth.api.ActionId;
import dev.berth.api.Adoption;
import dev.berth.api.Attempt;
import dev.berth.api.BagReport;
import dev.berth.api.BagSpec;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.GroupSpec;
import dev.berth.api.History;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceReport;
import dev.berth.api.Limit;
import dev.berth.api.Observation;
import dev.berth.api.ObservedInstance;
import dev.berth.api.Plan;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Reconciliation;
import dev.berth.api.Rejection;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.Scheduler;
import dev.berth.core.error.StaleReportException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A receiver of the events of an embedder that answers with plans: a {@link Scheduler}, the
 * reference model, or an adapter of another scheduler. Its methods have the meaning of those of
 * {@link Scheduler}. It receives only valid events, in order of time.
 *
 * <p>A target need not support all features of Berth. Its {@linkplain #supportedFeatures supported
 * features} determine its events, and how a {@link dev.berth.testkit.history.Replay} adapts a
 * history to it. Methods of other features are never called.
 */
public interface EventTarget {

  /** An optional feature of a scheduler. */
  enum Feature {
    /** Pools, from which hosts are requested. Without this feature, no pools are offered. */
    POOLS,
    /**
     * Bags of tasks. Without this feature, the requests of a bag are submitted one by one, without
     * a time limit, and no bag is cancelled.
     */
    BAGS,
    /**
     * Groups. Without this feature, the requests of a group are submitted one by one, and no group
     * is cancelled.
     */
    GROUPS,
    /** Time-shared hosts. Without this feature, they are ordinary hosts and report no load. */
    TIME_SHARING,
    /**
     * Hosts that change while they are up: their capacity, their attributes, foreign load, and
     * whether they are cordoned or drained. Without this feature, hosts do not change.
     */
    HOST_CHANGES,
    /**
     * Reports that name the attempt that they are about, and may be late or doubled. Without this
     * feature, there are none.
     */
    ATTEMPTS,
    /** Actions that a fleet rejects. Without this feature, every action is carried out. */
    REJECTIONS,
    /**
     * Comparison with what a fleet reports, and adoption of instances that run already. Without
     * this feature, nothing happens that is not reported.
     */
    RECONCILIATION,
    /**
     * Requests whose instances have a history. Without this feature, each request that is submitted
     * is new.
     */
    HISTORIES,
    /** Counted limits. Without this feature, none is set, and requests use none. */
    LIMITS,
    /** Disruption budgets of jobs. Without this feature, there are none. */
    BUDGETS
  }

  /** Returns the supported features, always the same; default: none. */
  default Set<Feature> supportedFeatures() {
    return Set.of();
  }

  /**
   * A provider offers hosts or changes its offer.
   *
   * @throws UnsupportedOperationException if it does not support pools
   */
  default void offerPool(PoolSpec pool, long now) {
    throw new UnsupportedOperationException("pools are not supported");
  }

  /** A host joins, or a host that a plan requested is up. */
  void addHost(HostSpec spec, long now);

  /**
   * A host leaves; its instances are pending again. Or a host that a plan requested will not start,
   * or a host that a plan released is gone.
   */
  void removeHost(String hostId, long now);

  /**
   * A host that is up changes its capacity or its attributes; its instances stay.
   *
   * @throws UnsupportedOperationException if it does not support hosts that change
   */
  default void changeHost(HostSpec spec, long now) {
    throw new UnsupportedOperationException("hosts that change are not supported");
  }

  /**
   * A host reports what others hold on it, which replaces what was reported before.
   *
   * @throws UnsupportedOperationException if it does not support hosts that change
   */
  default void foreignLoad(String hostId, Resources foreign, long now) {
    throw new UnsupportedOperationException("hosts that change are not supported");
  }

  /**
   * A host takes no more instances.
   *
   * @throws UnsupportedOperationException if it does not support hosts that change
   */
  default void cordon(String hostId, long now) {
    throw new UnsupportedOperationException("hosts that change are not supported");
  }

  /**
   * A host that was cordoned or drained takes instances again.
   *
   * @throws UnsupportedOperationException if it does not support hosts that change
   */
  default void uncordon(String hostId, long now) {
    throw new UnsupportedOperationException("hosts that change are not supported");
  }

  /**
   * A host takes no more instances, and is to be emptied.
   *
   * @throws UnsupportedOperationException if it does not support hosts that change
   */
  default void drain(String hostId, Drain how, long now) {
    throw new UnsupportedOperationException("hosts that change are not supported");
  }

  /**
   * There is so much of a counted limit.
   *
   * @throws UnsupportedOperationException if it does not support limits
   */
  default void setLimit(String name, long amount, long now) {
    throw new UnsupportedOperationException("limits are not supported");
  }

  /** Returns the counted limits that are set or used, by name; empty if it does not tell. */
  default Optional<List<Limit>> limits() {
    return Optional.empty();
  }

  /**
   * A job has a disruption budget from now on, in place of an earlier one.
   *
   * @throws UnsupportedOperationException if it does not support disruption budgets
   */
  default void setBudget(String job, DisruptionBudget budget, long now) {
    throw new UnsupportedOperationException("disruption budgets are not supported");
  }

  /**
   * A job has no disruption budget any more; it may have had none.
   *
   * @throws UnsupportedOperationException if it does not support disruption budgets
   */
  default void removeBudget(String job, long now) {
    throw new UnsupportedOperationException("disruption budgets are not supported");
  }

  /** A request is admitted. */
  void submit(Request request, long now);

  /**
   * A request is admitted that continues a history; its instance is pending.
   *
   * @throws UnsupportedOperationException if it does not support histories
   */
  default void submit(Request request, History history, long now) {
    throw new UnsupportedOperationException("histories are not supported");
  }

  /**
   * A bag of tasks is submitted: its requests are admitted, in order.
   *
   * @throws UnsupportedOperationException if it does not support bags
   */
  default void submit(BagSpec bag, long now) {
    throw new UnsupportedOperationException("bags are not supported");
  }

  /**
   * A group is submitted: its requests are admitted, in order.
   *
   * @throws UnsupportedOperationException if it does not support groups
   */
  default void submit(GroupSpec group, long now) {
    throw new UnsupportedOperationException("groups are not supported");
  }

  /**
   * A host reports its load. The default ignores it.
   *
   * @param average mean number of instances that used the CPU or waited for it, over the last
   *     {@link dev.berth.api.HostLoad#WINDOW}
   */
  default void loadReported(String hostId, double average, long now) {}

  /** A starting instance is ready. */
  void started(String instanceId, long now);

  /** An instance on a host, whatever its state there, failed and is pending again. */
  void failed(String instanceId, long now);

  /**
   * An instance on a host reports its usage. The default ignores it.
   *
   * @param used what it uses of what it is granted
   * @param shortfall what it would use on top if it were granted more
   */
  default void usageReported(String instanceId, Resources used, Resources shortfall, long now) {}

  /** A running instance is done. */
  InstanceReport completed(String instanceId, long now);

  /** A running instance is done, and its CPU time is known. The default ignores the CPU time. */
  default InstanceReport completed(String instanceId, Duration cpuTime, long now) {
    return completed(instanceId, now);
  }

  /** An instance in any state is cancelled. */
  InstanceReport cancel(String instanceId, long now);

  /**
   * The user cancels a bag: its remaining instances are done. Returns its report.
   *
   * @throws UnsupportedOperationException if it does not support bags
   */
  default BagReport cancelBag(String bagId, Reason why, long now) {
    throw new UnsupportedOperationException("bags are not supported");
  }

  /**
   * The user cancels a group: its remaining instances are done. Returns what they received, in
   * order of admission.
   *
   * @throws UnsupportedOperationException if it does not support groups
   */
  default List<InstanceReport> cancelGroup(String groupId, long now) {
    throw new UnsupportedOperationException("groups are not supported");
  }

  /**
   * An attempt of an instance is ready, and since when.
   *
   * @throws StaleReportException if the report is late or doubled; then it has no effect
   * @throws UnsupportedOperationException if it does not support reports about attempts
   */
  default void started(Attempt attempt, long at, long now) {
    throw new UnsupportedOperationException("reports about attempts are not supported");
  }

  /**
   * An attempt of an instance failed, and when.
   *
   * @throws StaleReportException if the report is late or doubled; then it has no effect
   * @throws UnsupportedOperationException if it does not support reports about attempts
   */
  default void failed(Attempt attempt, long at, long now) {
    throw new UnsupportedOperationException("reports about attempts are not supported");
  }

  /**
   * An attempt of an instance is done, and when.
   *
   * @throws StaleReportException if the report is late or doubled; then it has no effect
   * @throws UnsupportedOperationException if it does not support reports about attempts
   */
  default InstanceReport completed(Attempt attempt, long at, long now) {
    throw new UnsupportedOperationException("reports about attempts are not supported");
  }

  /**
   * An action of a plan was not carried out. It is undone, with what depends on it.
   *
   * @throws StaleReportException if the action cannot be undone any more; then this has no effect
   * @throws UnsupportedOperationException if it does not support rejections
   */
  default Rejection rejected(ActionId action, String why, long now) {
    throw new UnsupportedOperationException("rejections are not supported");
  }

  /**
   * A fleet reports all that it has; what is believed wrongly is corrected. The same observation
   * may be reported again at once.
   *
   * @return what was believed wrongly, in any order
   * @throws UnsupportedOperationException if it does not support reconciliation
   */
  default Reconciliation reconcile(Observation observed, Fates fates, long now) {
    throw new UnsupportedOperationException("reconciliation is not supported");
  }

  /**
   * An instance that is on a host already is adopted.
   *
   * @throws UnsupportedOperationException if it does not support reconciliation
   */
  default void adopt(Adoption how, ObservedInstance seen, long now) {
    throw new UnsupportedOperationException("reconciliation is not supported");
  }

  /** Runs a pass; when this returns, the plan is in effect in the target. */
  Plan schedule(long now);

  /**
   * Returns snapshots of all instances that are not done, in order of admission; empty if the
   * target does not provide them. Tests compare them with the events.
   */
  default Optional<List<InstanceSnapshot>> snapshots(long now) {
    return Optional.empty();
  }

  /**
   * Returns the free capacity of a host; empty if the target does not provide it, or no such host
   * is up. Tests compare it with the events.
   */
  default Optional<Resources> free(String hostId) {
    return Optional.empty();
  }

  /** Returns a target that forwards to a scheduler. */
  static EventTarget of(Scheduler scheduler) {
    return of(scheduler, EnumSet.allOf(Feature.class));
  }

  /** Returns a target that forwards to a scheduler, and says that it supports some features. */
  static EventTarget of(Scheduler scheduler, Set<Feature> features) {
    Set<Feature> supported = Set.copyOf(features);
    return new EventTarget() {
      @Override
      public Set<Feature> supportedFeatures() {
        return supported;
      }

      @Override
      public void offerPool(PoolSpec pool, long now) {
        scheduler.offerPool(pool, now);
      }

      @Override
      public void submit(BagSpec bag, long now) {
        scheduler.submit(bag, now);
      }

      @Override
      public void submit(GroupSpec group, long now) {
        scheduler.submit(group, now);
      }

      @Override
      public List<InstanceReport> cancelGroup(String groupId, long now) {
        return scheduler.cancelGroup(groupId, now);
      }

      @Override
      public void loadReported(String hostId, double average, long now) {
        scheduler.loadReported(hostId, average, now);
      }

      @Override
      public InstanceReport completed(String instanceId, Duration cpuTime, long now) {
        return scheduler.completed(instanceId, cpuTime, now);
      }

      @Override
      public BagReport cancelBag(String bagId, Reason why, long now) {
        return scheduler.cancelBag(bagId, why, now);
      }

      @Override
      public void addHost(HostSpec spec, long now) {
        scheduler.addHost(spec, now);
      }

      @Override
      public void removeHost(String hostId, long now) {
        scheduler.removeHost(hostId, now);
      }

      @Override
      public void changeHost(HostSpec spec, long now) {
        scheduler.changeHost(spec, now);
      }

      @Override
      public void foreignLoad(String hostId, Resources foreign, long now) {
        scheduler.foreignLoad(hostId, foreign, now);
      }

      @Override
      public void cordon(String hostId, long now) {
        scheduler.cordon(hostId, now);
      }

      @Override
      public void uncordon(String hostId, long now) {
        scheduler.uncordon(hostId, now);
      }

      @Override
      public void drain(String hostId, Drain how, long now) {
        scheduler.drain(hostId, how, now);
      }

      @Override
      public void setLimit(String name, long amount, long now) {
        scheduler.setLimit(name, amount, now);
      }

      @Override
      public Optional<List<Limit>> limits() {
        return Optional.of(scheduler.limits());
      }

      @Override
      public void setBudget(String job, DisruptionBudget budget, long now) {
        scheduler.setBudget(job, budget, now);
      }

      @Override
      public void removeBudget(String job, long now) {
        scheduler.removeBudget(job, now);
      }

      @Override
      public void submit(Request request, long now) {
        scheduler.submit(request, now);
      }

      @Override
      public void submit(Request request, History history, long now) {
        scheduler.submit(request, history, now);
      }

      @Override
      public void started(String instanceId, long now) {
        scheduler.started(instanceId, now);
      }

      @Override
      public void failed(String instanceId, long now) {
        scheduler.failed(instanceId, now);
      }

      @Override
      public void usageReported(String instanceId, Resources used, Resources shortfall, long now) {
        scheduler.usageReported(instanceId, used, shortfall, now);
      }

      @Override
      public InstanceReport completed(String instanceId, long now) {
        return scheduler.completed(instanceId, now);
      }

      @Override
      public InstanceReport cancel(String instanceId, long now) {
        return scheduler.cancel(instanceId, now);
      }

      @Override
      public void started(Attempt attempt, long at, long now) {
        scheduler.started(attempt, at, now);
      }

      @Override
      public void failed(Attempt attempt, long at, long now) {
        scheduler.failed(attempt, at, now);
      }

      @Override
      public InstanceReport completed(Attempt attempt, long at, long now) {
        return scheduler.completed(attempt, at, now);
      }

      @Override
      public Rejection rejected(ActionId action, String why, long now) {
        return scheduler.rejected(action, why, now);
      }

      @Override
      public Reconciliation reconcile(Observation observed, Fates fates, long now) {
        return scheduler.reconcile(observed, fates, now);
      }

      @Override
      public void adopt(Adoption how, ObservedInstance seen, long now) {
        scheduler.adopt(how, seen, now);
      }

      @Override
      public Plan schedule(long now) {
        return scheduler.schedule(now);
      }

      @Override
      public Optional<List<InstanceSnapshot>> snapshots(long now) {
        return Optional.of(
            scheduler.instances().stream().map(each -> InstanceSnapshot.of(each, now)).toList());
      }

      @Override
      public Optional<Resources> free(String hostId) {
        return scheduler.host(hostId).map(Host::free);
      }
    };
  }
}

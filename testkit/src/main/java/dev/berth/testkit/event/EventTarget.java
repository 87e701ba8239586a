package dev.berth.testkit.event;

import dev.berth.api.Host;
import dev.berth.api.Limit;
import dev.berth.api.Resources;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import dev.berth.core.event.Accepted;
import dev.berth.core.event.Event;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A receiver of the events of an embedder that answers with plans: a {@link Scheduler}, the
 * reference model, or an adapter of another scheduler. It receives only valid events, in order of
 * time.
 *
 * <p>A target need not support all features of Berth. Its {@linkplain #supportedFeatures supported
 * features} determine its events, and how a {@link dev.berth.testkit.history.HistoryPlayer} adapts
 * a history to it. It receives no events of other features.
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
    BUDGETS,
    /** Longest run times. Without this feature, no request has one. */
    RUN_TIME_LIMITS,
    /** Requests that are to start after others. Without this feature, none is. */
    DEPENDENCIES
  }

  /** Returns the supported features, always the same; default: none. */
  default Set<Feature> supportedFeatures() {
    return Set.of();
  }

  /**
   * Reports an event. Apart from those of other features, it is one of these: {@link
   * Event.HostAdded}, {@link Event.HostRemoved}, {@link Event.Submitted}, {@link Event.Cancelled},
   * {@link Event.StartedNow}, {@link Event.FailedNow}, {@link Event.CompletedNow}, {@link
   * Event.UsageReported}.
   *
   * @return the answer to the event, of the type that the event says; for example {@link
   *     Accepted#ACCEPTED}, or the report of an instance that completes
   * @throws dev.berth.core.error.StaleReportException if the report is late or doubled; then it has
   *     no effect
   */
  Object apply(Event<?> event, long now);

  /** Runs a pass; when this returns, the plan is in effect in the target. */
  Plan schedule(long now);

  /** Returns the counted limits that are set or used, by name; empty if it does not tell. */
  default Optional<List<Limit>> limits() {
    return Optional.empty();
  }

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
      public Object apply(Event<?> event, long now) {
        return scheduler.apply(event, now);
      }

      @Override
      public Plan schedule(long now) {
        return scheduler.schedule(now);
      }

      @Override
      public Optional<List<Limit>> limits() {
        return Optional.of(scheduler.limits());
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

package dev.berth.core;

import dev.berth.api.Host;
import dev.berth.api.HostState;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.Usage;
import dev.berth.api.batch.Bag;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.decision.Decision;
import dev.berth.core.explain.WhyPending;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The visible state of a cluster at one time, for comparing before and after.
 *
 * @param clock the time, the number of passes, and when the next one is due
 * @param pending ids of the pending instances in order of admission
 * @param prospects the obstacles of every pending instance as text, which reveals what the engine
 *     keeps about jobs, constraints and victims
 */
public record Snapshot(
    Clock clock,
    List<HostView> hosts,
    List<InstanceView> instances,
    List<String> pending,
    List<String> prospects,
    List<Decision> decisions,
    List<PoolView> pools,
    List<BagView> bags) {

  /** Returns the state of a scheduler between two calls. */
  public static Snapshot of(Scheduler scheduler) {
    long now = scheduler.now();
    List<String> pending =
        scheduler.instances().stream()
            .filter(each -> each.state() == InstanceState.PENDING)
            .map(Instance::id)
            .toList();
    if (pending.size() != scheduler.pendingCount()) {
      throw new AssertionError(
          "%d pending, but these are: %s".formatted(scheduler.pendingCount(), pending));
    }
    requireRightStats(scheduler);
    return new Snapshot(
        new Clock(now, scheduler.passes(), scheduler.nextPassAt(), scheduler.nextTimerAt()),
        scheduler.hosts().stream().map(HostView::of).toList(),
        scheduler.instances().stream().map(each -> InstanceView.of(each, now)).toList(),
        pending,
        pending.stream().map(id -> prospect(scheduler.explain().whyPending(id, now))).toList(),
        scheduler.decisions().all(),
        scheduler.pools().stream().map(PoolView::of).toList(),
        scheduler.bags().stream().map(each -> BagView.of(each, now)).toList());
  }

  /** Counts anew what the scheduler keeps up to date. */
  private static void requireRightStats(Scheduler scheduler) {
    SchedulerStats stats = scheduler.stats();
    Map<String, Map<InstanceState, Integer>> counted = new LinkedHashMap<>();
    scheduler.serviceClasses().forEach(each -> counted.put(each.name(), new TreeMap<>()));
    for (Instance each : scheduler.instances()) {
      counted.get(each.serviceClass().name()).merge(each.state(), 1, Integer::sum);
    }
    if (!stats.instances().equals(counted)) {
      throw new AssertionError("%s, but there are %s".formatted(stats, counted));
    }
  }

  /** Returns the state as an open pass sees it. */
  public static Snapshot of(SchedulingPass pass) {
    return new Snapshot(
        new Clock(pass.now(), pass.number(), OptionalLong.empty(), OptionalLong.empty()),
        pass.hosts().stream().map(HostView::of).toList(),
        pass.instances().stream().map(each -> InstanceView.of(each, pass.now())).toList(),
        pass.pending().stream().map(Instance::id).toList(),
        prospects(pass, pass.instances()),
        List.of(),
        pass.pools().stream().map(PoolView::of).toList(),
        pass.bags().stream().map(each -> BagView.of(each, pass.now())).toList());
  }

  private static String prospect(WhyPending why) {
    return "%s: %d with room, %d with victims, %s, %s, %s"
        .formatted(
            why.instance(),
            why.roomyHosts(),
            why.contestedHosts(),
            why.obstacles(),
            why.victims(),
            why.deferral());
  }

  private static List<String> prospects(SchedulingPass pass, Collection<Instance> instances) {
    List<String> prospects = new ArrayList<>();
    for (Instance instance : instances) {
      for (Host host : pass.hosts()) {
        String obstacle =
            pass.obstacle(instance, host, List.of()).map(Reason::describe).orElse("fits");
        prospects.add(instance.id() + " to " + host.id() + ": " + obstacle);
      }
    }
    return prospects;
  }

  /** The time, the number of passes, and when the next pass and timer are due. */
  public record Clock(long now, long passes, OptionalLong nextPassAt, OptionalLong nextTimerAt) {}

  /** The visible state of a host. */
  public record HostView(
      String id,
      Resources capacity,
      Resources free,
      Map<String, String> attributes,
      List<String> instances,
      HostState state,
      List<Object> life,
      List<Object> sharing) {

    static HostView of(Host host) {
      return new HostView(
          host.id(),
          host.capacity(),
          host.free(),
          host.attributes(),
          host.instances().stream().map(Instance::id).toList(),
          host.state(),
          List.of(host.pool(), host.cluster(), host.expiresAt()),
          List.of(
              host.timeShared(),
              host.load(),
              host.recentCompletions(),
              host.history("app"),
              host.foreign(),
              host.closed()));
    }
  }

  /** The visible state of a pool. */
  public record PoolView(
      PoolSpec spec,
      List<HostView> starting,
      List<String> up,
      int stopping,
      int room,
      int failures,
      OptionalLong lastFailureAt) {

    static PoolView of(Pool pool) {
      return new PoolView(
          pool.spec(),
          pool.starting().stream().map(HostView::of).toList(),
          pool.up().stream().map(Host::id).toList(),
          pool.stopping(),
          pool.room(),
          pool.failures(),
          pool.lastFailureAt());
    }
  }

  /** The visible state of a bag of tasks. */
  public record BagView(
      String id,
      int size,
      List<String> instances,
      int completed,
      long submittedAt,
      Optional<String> cluster,
      OptionalLong assignedAt,
      OptionalLong expiresAt,
      long serviceTime) {

    static BagView of(Bag bag, long now) {
      return new BagView(
          bag.id(),
          bag.size(),
          bag.instances().stream().map(Instance::id).toList(),
          bag.completed(),
          bag.submittedAt(),
          bag.cluster(),
          bag.assignedAt(),
          bag.expiresAt(),
          bag.serviceTime(now));
    }
  }

  /** The visible state of an instance. */
  public record InstanceView(
      String id,
      String serviceClass,
      InstanceState state,
      String host,
      long admittedAt,
      long stateSince,
      long serviceTime,
      long waitingTime,
      long earnedTime,
      int preemptions,
      int placements,
      int migrations,
      int attempt,
      long restartOverhead,
      Resources granted,
      List<Usage> usage) {

    static InstanceView of(Instance instance, long now) {
      return new InstanceView(
          instance.id(),
          instance.serviceClass().name(),
          instance.state(),
          instance.host().map(Host::id).orElse(""),
          instance.admittedAt(),
          instance.stateSince(),
          instance.serviceTime(now),
          instance.waitingTime(now),
          instance.earnedTime(now),
          instance.preemptions(),
          instance.placements(),
          instance.migrations(),
          instance.attempt(),
          instance.restartOverhead(),
          instance.granted(),
          Stream.of(instance.usage(), instance.previousUsage()).flatMap(Optional::stream).toList());
    }
  }
}

package dev.berth.core;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.SchedulingPass;
import dev.berth.api.Usage;
import dev.berth.core.explain.WhyPending;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Everything that can be seen of a cluster at one moment, to tell whether something changed.
 *
 * @param clock the time, the number of passes, and when the next one is due
 * @param pending ids of the pending instances; in order of admission
 * @param prospects what stands in the way of every pending instance, in words; that makes visible
 *     what the engine keeps about jobs, constraints and victims
 */
public record Snapshot(
    Clock clock,
    List<HostView> hosts,
    List<InstanceView> instances,
    List<String> pending,
    List<String> prospects,
    List<Decision> decisions) {

  /** Looks at a scheduler between two calls. */
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
    return new Snapshot(
        new Clock(now, scheduler.passes(), scheduler.nextPassAt()),
        scheduler.hosts().stream().map(HostView::of).toList(),
        scheduler.instances().stream().map(each -> InstanceView.of(each, now)).toList(),
        pending,
        pending.stream().map(id -> prospect(scheduler.explain().whyPending(id, now))).toList(),
        scheduler.decisions().all());
  }

  /** Looks through a pass that is going on. */
  public static Snapshot of(SchedulingPass pass) {
    return new Snapshot(
        new Clock(pass.now(), pass.number(), OptionalLong.empty()),
        pass.hosts().stream().map(HostView::of).toList(),
        pass.instances().stream().map(each -> InstanceView.of(each, pass.now())).toList(),
        pass.pending().stream().map(Instance::id).toList(),
        prospects(pass, pass.instances()),
        List.of());
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

  /** The time, the number of passes, and when the next one is due. */
  public record Clock(long now, long passes, OptionalLong nextPassAt) {}

  /** What can be seen of a host. */
  public record HostView(
      String id,
      Resources capacity,
      Resources free,
      Map<String, String> attributes,
      List<String> instances) {

    static HostView of(Host host) {
      return new HostView(
          host.id(),
          host.capacity(),
          host.free(),
          host.attributes(),
          host.instances().stream().map(Instance::id).toList());
    }
  }

  /** What can be seen of an instance. */
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
          instance.restartOverhead(),
          instance.granted(),
          Stream.of(instance.usage(), instance.previousUsage()).flatMap(Optional::stream).toList());
    }
  }
}

package dev.berth.testkit.contract;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.Usage;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * A policy that uses every action on instances except preemption. It rejects requests that would
 * miss their deadline, and resumes or migrates paused and suspended instances. It places requests
 * in order of admission, with fewer cores if necessary, and pauses or suspends less important
 * instances to make room. It grants each instance its need, on another host if necessary.
 */
final class AdjustingPolicy implements Policy {

  private static final long PATIENCE = Duration.ofSeconds(10).toNanos();

  /** The greatest factor by which the run time may grow on fewer cores. */
  private static final double MAX_SLOWDOWN = 2;

  private static final Comparator<Instance> ELDEST_FIRST =
      Comparator.comparingLong(Instance::admittedAt).thenComparing(Instance::id);

  private static final Comparator<Instance> LEAST_IMPORTANT_FIRST =
      Comparator.<Instance>comparingInt(each -> each.serviceClass().importance())
          .thenComparing(ELDEST_FIRST)
          .reversed();

  private static final Reason NO_ROOM = why("no-room", "no host has room for it");
  private static final Reason TOO_LATE = why("too-late", "would miss its deadline");
  private static final Reason MAKE_ROOM = why("make-room", "a more important instance needs it");
  private static final Reason ROOM_AGAIN = why("room-again", "there is room again");
  private static final Reason IDLE = why("idle", "it was paused for long");
  private static final Reason NEED = why("need", "follows its need");

  private static Reason why(String code, String text) {
    return new Reason.PolicyChoice(code, text);
  }

  @Override
  public Set<Dimension> oversubscribes() {
    return Set.of(Dimension.MEMORY);
  }

  @Override
  public void schedule(SchedulingPass pass) {
    Set<String> acted = new HashSet<>(); // ids of instances
    rejectLate(pass);
    in(pass, ELDEST_FIRST, InstanceState.PAUSED, InstanceState.SUSPENDED).stream()
        .filter(each -> resumesOrSuspends(pass, each))
        .forEach(each -> acted.add(each.id()));
    List<Instance> candidates = in(pass, LEAST_IMPORTANT_FIRST, InstanceState.RUNNING);
    for (Instance each : pass.pending()) {
      if (!isPlaced(pass, each) && !isPlacedFor(pass, each, candidates, acted)) {
        pass.defer(each, NO_ROOM);
      }
    }
    in(pass, ELDEST_FIRST, InstanceState.RUNNING).forEach(each -> grantNeed(pass, each));
  }

  /** Returns the instances in some states. */
  private static List<Instance> in(
      SchedulingPass pass, Comparator<Instance> order, InstanceState... states) {
    Collection<InstanceState> wanted = List.of(states);
    return pass.instances().stream()
        .filter(each -> wanted.contains(each.state()))
        .sorted(order)
        .toList();
  }

  private static void rejectLate(SchedulingPass pass) {
    for (Instance each : pass.pending()) {
      long deadline = each.request().deadline().orElse(Long.MAX_VALUE);
      long left = deadline - (pass.now() - each.admittedAt());
      if (each.placements() == 0 && each.request().estimatedRunTime().orElse(0) > left) {
        pass.reject(each, TOO_LATE);
      }
    }
  }

  private static boolean resumesOrSuspends(SchedulingPass pass, Instance instance) {
    return pass.resume(instance, instance.granted(), ROOM_AGAIN).accepted()
        || migrates(pass, instance, instance.granted(), ROOM_AGAIN)
        || (instance.state() == InstanceState.PAUSED
            && pass.now() - instance.stateSince() >= PATIENCE
            && pass.suspend(instance, IDLE).accepted());
  }

  private static boolean migrates(
      SchedulingPass pass, Instance instance, Resources grant, Reason why) {
    Host here = instance.host().orElseThrow();
    return pass.hosts().stream()
        .filter(host -> !host.equals(here) && grant.fitsIn(host.free()))
        .sorted(byTieBreak(pass, instance))
        .anyMatch(host -> pass.migrate(instance, host, grant, why).accepted());
  }

  /** An order of hosts that does not depend on the order in which they joined. */
  private static Comparator<Host> byTieBreak(SchedulingPass pass, Instance instance) {
    return Comparator.comparingLong((Host host) -> pass.tieBreak(instance, host));
  }

  private static boolean isPlaced(SchedulingPass pass, Instance instance) {
    Resources demand = instance.request().demand();
    return isPlaced(pass, instance, demand)
        || instance
            .request()
            .moldability()
            .filter(
                how -> {
                  double share = how.leastShare(MAX_SLOWDOWN);
                  Resources fewer =
                      changed(
                          demand,
                          each ->
                              each.equals(Dimension.CPU)
                                  ? (long) Math.ceil(share * demand.amount(each))
                                  : demand.amount(each));
                  return isPlaced(pass, instance, fewer);
                })
            .isPresent();
  }

  private static boolean isPlaced(SchedulingPass pass, Instance instance, Resources grant) {
    Optional<Host> best =
        pass.hosts().stream()
            .filter(host -> pass.obstacle(instance, host, List.of(), grant).isEmpty())
            .max(byTieBreak(pass, instance));
    return best.isPresent() && pass.place(instance, best.get(), List.of(), grant).accepted();
  }

  private static boolean isPlacedFor(
      SchedulingPass pass, Instance instance, List<Instance> candidates, Set<String> acted) {
    for (Instance each : candidates) {
      if (each.serviceClass().importance() > instance.serviceClass().importance()
          && !acted.contains(each.id())
          && (makeRoom(pass, each, instance, false) || makeRoom(pass, each, instance, true))) {
        acted.add(each.id());
        return true;
      }
    }
    return false;
  }

  /** Pauses or suspends one instance and places another on its host. */
  private static boolean makeRoom(
      SchedulingPass pass, Instance one, Instance other, boolean suspended) {
    Host host = one.host().orElseThrow();
    try (SchedulingPass.Fork fork = pass.fork()) {
      boolean placed =
          (suspended ? fork.suspend(one, MAKE_ROOM) : fork.pause(one, MAKE_ROOM)).accepted()
              && fork.place(other, host).accepted();
      if (placed) {
        fork.keep();
      }
      return placed;
    }
  }

  /** Resizes to usage plus shortfall; guaranteed memory and all other dimensions do not shrink. */
  private static void grantNeed(SchedulingPass pass, Instance instance) {
    Optional<Usage> usage = instance.usage();
    if (usage.isEmpty()) {
      return;
    }
    Resources demand = instance.request().demand();
    Resources granted = instance.granted();
    Resources need =
        changed(
            granted,
            each -> {
              long usual = Math.min(demand.amount(each), granted.amount(each));
              long least =
                  each.equals(Dimension.MEMORY)
                      ? Math.min(usual, instance.request().guaranteed().amount(each))
                      : usual;
              return Math.max(least, usage.get().need(each));
            });
    if (!need.equals(granted) && !pass.resize(instance, need, NEED).accepted()) {
      migrates(pass, instance, need, NEED);
    }
  }

  private static Resources changed(Resources resources, ToLongFunction<Dimension> change) {
    Resources.Builder changed = Resources.builder();
    resources.dimensions().forEach(each -> changed.put(each, change.applyAsLong(each)));
    return changed.build();
  }

  /** No settings. */
  record NoConfig() {}

  /** Registered as {@code elastic}. */
  static final class Factory implements PolicyFactory<NoConfig> {

    @Override
    public String id() {
      return "elastic";
    }

    @Override
    public String summary() {
      return "uses all actions on instances except preemption";
    }

    @Override
    public NoConfig defaults() {
      return new NoConfig();
    }

    @Override
    public Policy create(NoConfig config, PolicyContext context) {
      return new AdjustingPolicy();
    }
  }
}

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
 * A policy that does all there is to do but to preempt, each for a reason: it turns down who would
 * be late; lets go on who stands still, elsewhere if need be; places in order of admission, with
 * fewer cores if need be; lets less important ones stand still for that; and grants what is used
 * and lacking, elsewhere if need be.
 */
final class AdjustingPolicy implements Policy {

  private static final long PATIENCE = Duration.ofSeconds(10).toNanos();

  /** By what factor the run time may grow for fewer cores. */
  private static final double SLOWEST = 2;

  private static final Comparator<Instance> ELDEST_FIRST =
      Comparator.comparingLong(Instance::admittedAt).thenComparing(Instance::id);

  private static final Comparator<Instance> LEAST_IMPORTANT_FIRST =
      Comparator.<Instance>comparingInt(each -> each.serviceClass().importance())
          .thenComparing(ELDEST_FIRST)
          .reversed();

  private static final Reason NO_PLACE = why("no-place", "no host has a place for it");
  private static final Reason TOO_LATE = why("too-late", "would not be done in time");
  private static final Reason MAKES_ROOM = why("makes-room", "somebody more important needs it");
  private static final Reason GOES_ON = why("goes-on", "there is room for it again");
  private static final Reason IDLE = why("idle", "it has stood still for long");
  private static final Reason NEED = why("need", "needs so much");

  private static Reason why(String code, String text) {
    return new Reason.PolicyChoice(code, text);
  }

  @Override
  public Set<Dimension> oversubscribes() {
    return Set.of(Dimension.MEMORY);
  }

  @Override
  public void schedule(SchedulingPass pass) {
    Set<String> acted = new HashSet<>(); // on a host
    refuseTheLate(pass);
    in(pass, ELDEST_FIRST, InstanceState.PAUSED, InstanceState.SUSPENDED).stream()
        .filter(each -> goesOn(pass, each))
        .forEach(each -> acted.add(each.id()));
    List<Instance> mayMakeRoom = in(pass, LEAST_IMPORTANT_FIRST, InstanceState.RUNNING);
    for (Instance each : pass.pending()) {
      if (!isPlaced(pass, each) && !isPlacedFor(pass, each, mayMakeRoom, acted)) {
        pass.defer(each, NO_PLACE);
      }
    }
    in(pass, ELDEST_FIRST, InstanceState.RUNNING).forEach(each -> grantsItsNeed(pass, each));
  }

  /** Returns who is in some states. */
  private static List<Instance> in(
      SchedulingPass pass, Comparator<Instance> order, InstanceState... states) {
    Collection<InstanceState> wanted = List.of(states);
    return pass.instances().stream()
        .filter(each -> wanted.contains(each.state()))
        .sorted(order)
        .toList();
  }

  private static void refuseTheLate(SchedulingPass pass) {
    for (Instance each : pass.pending()) {
      long deadline = each.request().deadline().orElse(Long.MAX_VALUE);
      long left = deadline - (pass.now() - each.admittedAt());
      if (each.placements() == 0 && each.request().estimatedRunTime().orElse(0) > left) {
        pass.reject(each, TOO_LATE);
      }
    }
  }

  private static boolean goesOn(SchedulingPass pass, Instance instance) {
    return pass.resume(instance, instance.granted(), GOES_ON).accepted()
        || migrates(pass, instance, instance.granted(), GOES_ON)
        || (instance.state() == InstanceState.PAUSED
            && pass.now() - instance.stateSince() >= PATIENCE
            && pass.suspend(instance, IDLE).accepted());
  }

  private static boolean migrates(
      SchedulingPass pass, Instance instance, Resources grant, Reason why) {
    Host here = instance.host().orElseThrow();
    return pass.hosts().stream()
        .filter(host -> !host.equals(here) && grant.fitsIn(host.free()))
        .sorted(byLot(pass, instance))
        .anyMatch(host -> pass.migrate(instance, host, grant, why).accepted());
  }

  /** So that no order of hosts decides. */
  private static Comparator<Host> byLot(SchedulingPass pass, Instance instance) {
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
                  double share = how.leastShare(SLOWEST);
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
            .max(byLot(pass, instance));
    return best.isPresent() && pass.place(instance, best.get(), List.of(), grant).accepted();
  }

  private static boolean isPlacedFor(
      SchedulingPass pass, Instance instance, List<Instance> mayMakeRoom, Set<String> acted) {
    for (Instance each : mayMakeRoom) {
      if (each.serviceClass().importance() > instance.serviceClass().importance()
          && !acted.contains(each.id())
          && (makesRoom(pass, each, instance, false) || makesRoom(pass, each, instance, true))) {
        acted.add(each.id());
        return true;
      }
    }
    return false;
  }

  /** One stands still for another; if only the CPU is needed, it need not be suspended. */
  private static boolean makesRoom(
      SchedulingPass pass, Instance one, Instance other, boolean suspended) {
    Host host = one.host().orElseThrow();
    try (SchedulingPass.Fork fork = pass.fork()) {
      boolean placed =
          (suspended ? fork.suspend(one, MAKES_ROOM) : fork.pause(one, MAKES_ROOM)).accepted()
              && fork.place(other, host).accepted();
      if (placed) {
        fork.keep();
      }
      return placed;
    }
  }

  /** What is guaranteed or is no memory stays; beyond that it is what it uses and lacks. */
  private static void grantsItsNeed(SchedulingPass pass, Instance instance) {
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

  /** Nothing to configure. */
  record NoConfig() {}

  /** Is registered, as {@code elastic}. */
  static final class Factory implements PolicyFactory<NoConfig> {

    @Override
    public String id() {
      return "elastic";
    }

    @Override
    public String summary() {
      return "does all there is to do but to preempt";
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

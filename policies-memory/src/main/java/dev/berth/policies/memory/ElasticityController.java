package dev.berth.policies.memory;

import dev.berth.api.Dimension;
import dev.berth.api.Experimental;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.Usage;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * The memory elasticity controller (MEC, section 5.1), which works with any policy. After each
 * pass, on every host, it reclaims unused memory and grants it to instances that lack memory. If no
 * memory is left, it pauses or suspends an instance.
 *
 * <p>It knows the needs of instances from their {@linkplain Usage usage} reports, and leaves
 * instances without a report alone. On each host, in this order:
 *
 * <ol>
 *   <li>The target of each running instance is its need, plus its growth between the last two
 *       reports, plus {@linkplain Elasticity#headroom headroom}. If memory does not suffice, the
 *       target drops the headroom, then the growth. It is never below the guaranteed memory.
 *   <li>Instances above their target return memory. Instances below it receive free memory, first
 *       those that lack memory now.
 *   <li>If an instance lacked memory in both reports and still does, the paused instance that holds
 *       most memory is suspended, which frees its memory. If none is paused and other instances
 *       run, the last admitted of the lacking instances is paused. This happens one instance at a
 *       time, the next only after a new report.
 *   <li>If no instance lacks memory, paused and suspended instances resume as soon as their need is
 *       free, smallest need first.
 *   <li>If no instance runs or starts on the host, the first of them resumes with the free memory.
 * </ol>
 *
 * <p>With the {@linkplain Elasticity.Rule#MOP other rule} it only resizes.
 *
 * <p>The thesis gives the states and transitions in words only. Where it does not say which
 * instance is chosen, the choice is ours: on every host, some instance always runs.
 *
 * <p>Keeps no state between passes. A pass costs O(n log n) for n instances on hosts.
 */
@Experimental
public final class ElasticityController {

  private static final Reason SHRINK =
      new Reason.PolicyChoice("unused-memory", "it leaves memory unused");
  private static final Reason GROW = new Reason.PolicyChoice("lacks-memory", "it lacks memory");
  private static final Reason PAUSE =
      new Reason.PolicyChoice("host-out-of-memory", "it lacks memory and its host has none left");
  private static final Reason SUSPEND =
      new Reason.PolicyChoice("memory-for-others", "others on its host lack the memory it holds");
  private static final Reason RESUME =
      new Reason.PolicyChoice("memory-again", "its host has the memory it needs");

  /** The band of MOP, as shares of the headroom. */
  private static final double LEAST_FREE = 0.8;

  private static final double MOST_FREE = 1.2;

  /** By admission. */
  static final Comparator<Instance> IN_ORDER =
      Comparator.comparingLong(Instance::admittedAt).thenComparing(Instance::id);

  private final Duration period;
  private final double headroom;
  private final Elasticity.Rule rule;

  /**
   * Creates a controller.
   *
   * @param period longest time between two runs, positive
   * @param headroom see {@link Elasticity#headroom}
   */
  public ElasticityController(Duration period, double headroom) {
    this(period, headroom, Elasticity.Rule.MEC);
  }

  ElasticityController(Duration period, double headroom, Elasticity.Rule rule) {
    this.period = period;
    this.headroom = headroom;
    this.rule = rule;
  }

  /**
   * Returns a policy that runs this controller after each pass of another policy. Passes become due
   * at least once per period, and memory may be oversubscribed.
   */
  public Policy over(Policy policy) {
    return new Controlled(policy, this);
  }

  /**
   * Runs the controller on all hosts. It leaves alone instances that this pass placed, resumed or
   * migrated, since they are starting. {@link #over} also leaves alone instances that the policy
   * resized, paused or suspended.
   */
  public void control(SchedulingPass pass) {
    control(pass, each -> true);
  }

  private void control(SchedulingPass pass, Predicate<Instance> untouched) {
    pass.hosts().stream()
        .sorted(Comparator.comparing(Host::id))
        .forEach(host -> new Look(pass, host, untouched).control());
  }

  Duration period() {
    return period;
  }

  /** One run on one host. */
  private final class Look {

    private final SchedulingPass pass;
    private final Host host;
    private final List<Instance> residents; // instances that may be acted on
    private final List<Instance> starving = new ArrayList<>();
    private boolean occupied;

    Look(SchedulingPass pass, Host host, Predicate<Instance> untouched) {
      this.pass = pass;
      this.host = host;
      this.residents =
          host.instances().stream()
              .filter(each -> each.usage().isPresent())
              .filter(untouched)
              .sorted(IN_ORDER)
              .toList();
    }

    void control() {
      if (residents.isEmpty()) {
        return;
      }
      List<Instance> running = in(InstanceState.RUNNING);
      if (rule == Elasticity.Rule.MOP) {
        keepHeadroom(running);
        return;
      }
      occupied = host.instances().stream().anyMatch(Look::isActive);
      ToLongFunction<Instance> target = target(running);
      running.forEach(each -> shrink(each, target.applyAsLong(each)));
      Predicate<Instance> lacks = each -> shortfall(each) > 0;
      running.stream().filter(lacks).forEach(each -> grow(each, target.applyAsLong(each)));
      running.stream().filter(lacks.negate()).forEach(each -> grow(each, target.applyAsLong(each)));
      if (!starving.isEmpty()) {
        makeRoom();
      } else if (running.stream().allMatch(each -> granted(each) >= need(each))) {
        resumeWaiting();
      }
    }

    /** Resizes instances whose free memory is far from the headroom; first those with too much. */
    private void keepHeadroom(List<Instance> running) {
      for (Instance each : running) {
        if (free(each) > MOST_FREE * headroom * need(each)) {
          shrink(each, withHeadroom(need(each)));
        }
      }
      for (Instance each : running) {
        if (free(each) < LEAST_FREE * headroom * need(each)) {
          long more = withHeadroom(need(each)) - granted(each);
          give(each, Math.min(more, host.free(Dimension.MEMORY)));
        }
      }
    }

    private static double free(Instance instance) {
      return (double) granted(instance) - need(instance);
    }

    private static boolean isActive(Instance instance) {
      return instance.state() == InstanceState.RUNNING
          || instance.state() == InstanceState.STARTING;
    }

    private List<Instance> in(InstanceState state) {
      return residents.stream().filter(each -> each.state() == state).toList();
    }

    // ---- Growing and shrinking

    /** Returns the most generous target that the memory of the host allows. */
    private ToLongFunction<Instance> target(List<Instance> running) {
      ToLongFunction<Instance> generous = each -> withHeadroom(expected(each));
      ToLongFunction<Instance> foresighted = ElasticityController::expected;
      if (fits(running, generous)) {
        return generous;
      }
      return fits(running, foresighted) ? foresighted : ElasticityController::need;
    }

    private boolean fits(List<Instance> running, ToLongFunction<Instance> target) {
      long left = host.free(Dimension.MEMORY);
      for (Instance each : running) {
        left += granted(each); // together no more than the capacity
      }
      for (Instance each : running) {
        left -= Math.max(guaranteed(each), target.applyAsLong(each));
        if (left < 0) {
          return false;
        }
      }
      return true;
    }

    private void shrink(Instance instance, long target) {
      if (instance.previousUsage().isEmpty()) {
        return; // one report does not show its growth
      }
      long wanted = Math.max(guaranteed(instance), target);
      if (wanted < granted(instance)) {
        pass.resize(instance, Grants.withMemory(instance.granted(), wanted), SHRINK);
      }
    }

    private void grow(Instance instance, long target) {
      long free = host.free(Dimension.MEMORY);
      if (need(instance) - granted(instance) > free && lackedBefore(instance)) {
        starving.add(instance);
      } else {
        give(instance, Math.min(target - granted(instance), free));
      }
    }

    private void give(Instance instance, long more) {
      if (more > 0) {
        pass.resize(
            instance, Grants.withMemory(instance.granted(), granted(instance) + more), GROW);
      }
    }

    // ---- Pausing and suspending

    private void makeRoom() {
      if (!isSeenSinceLastHalt()) {
        return; // the effect of the last halt is not known yet
      }
      Optional<Instance> paused =
          in(InstanceState.PAUSED).stream()
              .max(Comparator.comparingLong(ElasticityController::granted).thenComparing(IN_ORDER));
      if (paused.isPresent()) {
        pass.suspend(paused.get(), SUSPEND);
      } else if (host.instances().stream()
              .filter(each -> each.state() == InstanceState.RUNNING)
              .count()
          > 1) {
        pass.pause(starving.remove(starving.size() - 1), PAUSE);
      }
      for (Instance each : starving) {
        give(each, Math.min(need(each) - granted(each), host.free(Dimension.MEMORY)));
      }
    }

    /** Returns whether a starving instance was reported on since the last halt on this host. */
    private boolean isSeenSinceLastHalt() {
      long halted =
          host.instances().stream()
              .filter(
                  each ->
                      each.state() == InstanceState.PAUSED
                          || each.state() == InstanceState.SUSPENDED)
              .mapToLong(Instance::stateSince)
              .max()
              .orElse(Long.MIN_VALUE);
      return starving.stream()
          .flatMap(each -> each.usage().stream())
          .anyMatch(each -> each.at() > halted);
    }

    private void resumeWaiting() {
      List<Instance> waiting = new ArrayList<>(in(InstanceState.PAUSED));
      waiting.addAll(in(InstanceState.SUSPENDED));
      waiting.sort(Comparator.comparingLong(ElasticityController::need).thenComparing(IN_ORDER));
      for (Instance each : waiting) {
        long needed = Math.max(guaranteed(each), need(each));
        long held = each.state() == InstanceState.PAUSED ? granted(each) : 0;
        long room = host.free(Dimension.MEMORY) + held;
        long grant = occupied ? needed : Math.max(guaranteed(each), Math.min(needed, room));
        if (grant <= room
            && pass.resume(each, Grants.withMemory(each.granted(), Math.max(grant, held)), RESUME)
                .accepted()) {
          occupied = true;
        }
      }
    }
  }

  private long withHeadroom(long need) {
    return plus(need, (long) Math.ceil(need * headroom));
  }

  static long granted(Instance instance) {
    return instance.granted().amount(Dimension.MEMORY);
  }

  static long guaranteed(Instance instance) {
    return instance.request().guaranteed().amount(Dimension.MEMORY);
  }

  /** Returns the shortfall of the latest report. */
  static long shortfall(Instance instance) {
    return instance.usage().map(each -> each.shortfall().amount(Dimension.MEMORY)).orElse(0L);
  }

  /** Returns whether it lacked memory in the report before the latest. */
  static boolean lackedBefore(Instance instance) {
    return instance
        .previousUsage()
        .filter(each -> each.shortfall().amount(Dimension.MEMORY) > 0)
        .isPresent();
  }

  /** Returns the need in the latest report; without a report, the grant. */
  static long need(Instance instance) {
    return instance
        .usage()
        .map(each -> each.need(Dimension.MEMORY))
        .orElseGet(() -> granted(instance));
  }

  /** Returns the need at the next report if it grows as it did between the last two. */
  static long expected(Instance instance) {
    long need = need(instance);
    return instance
        .previousUsage()
        .map(before -> plus(need, Math.max(0, need - before.need(Dimension.MEMORY))))
        .orElse(need);
  }

  /** Returns the sum of two amounts; {@link Long#MAX_VALUE} on overflow. */
  private static long plus(long amount, long other) {
    long sum = amount + other;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  /** Returns the dimensions and memory. */
  static Set<Dimension> withMemory(Set<Dimension> dimensions) {
    Set<Dimension> all = new HashSet<>(dimensions);
    all.add(Dimension.MEMORY);
    return all;
  }

  /** What actions change of an instance that stays on its host. */
  private record Standing(InstanceState state, Resources granted) {

    static Standing of(Instance instance) {
      return new Standing(instance.state(), instance.granted());
    }
  }

  /** A policy under the controller. */
  private record Controlled(Policy policy, ElasticityController controller) implements Policy {

    @Override
    public void schedule(SchedulingPass pass) {
      Map<String, Standing> before = new HashMap<>();
      for (Host host : pass.hosts()) {
        for (Instance each : host.instances()) {
          if (each.usage().isPresent()) { // the controller leaves others alone
            before.put(each.id(), Standing.of(each));
          }
        }
      }
      policy.schedule(pass);
      controller.control(pass, each -> Standing.of(each).equals(before.get(each.id())));
    }

    @Override
    public Optional<Duration> watchdog() {
      return Optional.of(
          policy
              .watchdog()
              .filter(theirs -> theirs.compareTo(controller.period()) < 0)
              .orElse(controller.period()));
    }

    /** The controller itself keeps nothing. */
    @Override
    public Optional<PolicyMemory> memory() {
      return policy.memory();
    }

    @Override
    public Set<Dimension> oversubscribes() {
      return withMemory(policy.oversubscribes());
    }
  }
}

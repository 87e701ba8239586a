package dev.berth.policies.memory;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.Usage;
import dev.berth.api.policy.Policy;
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
 * The memory elasticity controller (MEC, section 5.1), which any policy can run under: after each
 * of its passes, on every host, it takes memory from instances that leave it unused, gives it to
 * those that lack it, and where there is none left, lets somebody stand still.
 *
 * <p>It knows what instances need from the {@linkplain Usage usage} that is reported of them; who
 * is not reported on is left alone. On each host, in this order:
 *
 * <ol>
 *   <li>Each running instance is to have its need, what that grew between the last two reports, and
 *       {@linkplain Elasticity#headroom headroom}; if there is not enough memory for that, no
 *       headroom; if not for that either, its need alone; never less than is guaranteed.
 *   <li>Who holds more gives it back. Who holds less gets it as long as there is any, those first
 *       who lack memory now.
 *   <li>If somebody has lacked memory in both reports, and still does, and others run beside it:
 *       one of those that are paused, the one that holds most, is suspended, which frees its
 *       memory; if nobody is paused, the last admitted of those who lack memory is. One at a time,
 *       and the next only after a new report, so that nothing rash is done.
 *   <li>If nobody lacks memory, who is paused or suspended goes on as soon as there is what it
 *       needs, those who need least first.
 *   <li>If nobody runs or starts on the host at all, the first of them goes on with what there is.
 * </ol>
 *
 * <p>The thesis gives the states and their reasons in words only; which instance is chosen where it
 * does not say is our choice, made so that somebody on every host always runs.
 *
 * <p>Keeps no state between passes. Cost a pass: O(instances on hosts · log).
 */
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

  /** By admission. */
  static final Comparator<Instance> IN_ORDER =
      Comparator.comparingLong(Instance::admittedAt).thenComparing(Instance::id);

  private final Duration period;
  private final double headroom;

  /**
   * Makes a controller.
   *
   * @param period how often it looks at least, positive
   * @param headroom see {@link Elasticity#headroom}
   */
  public ElasticityController(Duration period, double headroom) {
    this.period = period;
    this.headroom = headroom;
  }

  /**
   * Lets a policy run under this controller: passes become due as often as the controller looks,
   * and memory may be oversubscribed.
   */
  public Policy over(Policy policy) {
    return new Controlled(policy, this);
  }

  /**
   * Looks after all hosts. Who was placed, resumed or migrated in this pass is left alone, since it
   * is starting; {@link #over} leaves alone whom the policy resized, paused or suspended, too.
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

  /** One look at one host. */
  private final class Look {

    private final SchedulingPass pass;
    private final Host host;
    private final List<Instance> residents; // who may be acted on
    private final List<Instance> starving = new ArrayList<>();
    private boolean somebodyGoesOn;

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
      somebodyGoesOn = host.instances().stream().anyMatch(Look::goesOn);
      ToLongFunction<Instance> target = target(running);
      running.forEach(each -> shrink(each, target.applyAsLong(each)));
      Predicate<Instance> lacks = each -> shortfall(each) > 0;
      running.stream().filter(lacks).forEach(each -> grow(each, target.applyAsLong(each)));
      running.stream().filter(lacks.negate()).forEach(each -> grow(each, target.applyAsLong(each)));
      if (!starving.isEmpty()) {
        makeRoom();
      } else if (running.stream().allMatch(each -> granted(each) >= need(each))) {
        letGoOn();
      }
    }

    private static boolean goesOn(Instance instance) {
      return instance.state() == InstanceState.RUNNING
          || instance.state() == InstanceState.STARTING;
    }

    private List<Instance> in(InstanceState state) {
      return residents.stream().filter(each -> each.state() == state).toList();
    }

    // ---- Growing and shrinking

    /** Returns the most generous way to reckon what everybody should have that the host allows. */
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
        return; // one report tells nothing of its growth
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

    // ---- Standing still

    private void makeRoom() {
      if (!isSeenSinceLastHalt()) {
        return; // what it did for is not known yet
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

    /** Returns whether anybody starving was reported on since somebody here was made to halt. */
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

    private void letGoOn() {
      List<Instance> waiting = new ArrayList<>(in(InstanceState.PAUSED));
      waiting.addAll(in(InstanceState.SUSPENDED));
      waiting.sort(Comparator.comparingLong(ElasticityController::need).thenComparing(IN_ORDER));
      for (Instance each : waiting) {
        long needed = Math.max(guaranteed(each), need(each));
        long held = each.state() == InstanceState.PAUSED ? granted(each) : 0;
        long room = host.free(Dimension.MEMORY) + held;
        long grant = somebodyGoesOn ? needed : Math.max(guaranteed(each), Math.min(needed, room));
        if (grant <= room
            && pass.resume(each, Grants.withMemory(each.granted(), Math.max(grant, held)), RESUME)
                .accepted()) {
          somebodyGoesOn = true;
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

  /** Returns what was last known to be lacking. */
  static long shortfall(Instance instance) {
    return instance.usage().map(each -> each.shortfall().amount(Dimension.MEMORY)).orElse(0L);
  }

  /** Returns whether it lacked memory in the report before the last. */
  static boolean lackedBefore(Instance instance) {
    return instance
        .previousUsage()
        .filter(each -> each.shortfall().amount(Dimension.MEMORY) > 0)
        .isPresent();
  }

  /** Returns what an instance was last known to need; what it is granted if nothing is known. */
  static long need(Instance instance) {
    return instance
        .usage()
        .map(each -> each.need(Dimension.MEMORY))
        .orElseGet(() -> granted(instance));
  }

  /** Returns what an instance will need at the next look if it grows as it did before this one. */
  static long expected(Instance instance) {
    long need = need(instance);
    return instance
        .previousUsage()
        .map(before -> plus(need, Math.max(0, need - before.need(Dimension.MEMORY))))
        .orElse(need);
  }

  /** Returns the sum of two amounts; the greatest there is if that is beyond counting. */
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
      pass.instances().forEach(each -> before.put(each.id(), Standing.of(each)));
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

    @Override
    public Set<Dimension> oversubscribes() {
      return withMemory(policy.oversubscribes());
    }
  }
}

package dev.berth.fuzzing.hostile;

import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.TimeLimits;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A scheduler with a {@link HostilePolicy}, and random events, valid and invalid. */
final class HostileRun {

  private static final int END = 10; // calls, perhaps at the end of time
  private static final int MOST_EARLY = 5;
  private static final long CORE = 1_000_000_000;
  private static final Reason WHY = new Reason.PolicyChoice("hostile", "for no reason");

  private static final PolicyRegistry POLICIES = PolicyRegistry.load();

  private final Random random;
  private final Scheduler scheduler;
  private final HostilePolicy policy;
  private final Counts counts;
  private long now;
  private int submitted;

  /** Counts of all runs. */
  static final class Counts {
    long events;
    long refusedEvents;
    long passes;
    long failedPasses;
    long actions;
    long guardedActions;
    long exceededBudgets;

    @Override
    public String toString() {
      return ("%,d events, %,d of them refused; %,d passes, %,d of them failed; %,d actions,"
              + " %,d of them within budgets; %,d budgets exceeded by events")
          .formatted(
              events,
              refusedEvents,
              passes,
              failedPasses,
              actions,
              guardedActions,
              exceededBudgets);
    }
  }

  HostileRun(long seed, Counts counts) {
    this.random = new Random(seed);
    this.counts = counts;
    Scheduler other =
        builder().policy("idle", context -> pass -> {}).decisionLog(0).seed(seed).build();
    other.addHost(new HostSpec("h0", cores(4)), 0);
    other.submit(Request.builder("i0", "gold").demand(cores(1)).build(), 0);
    other.offerPool(new PoolSpec("p", cores(2), 3), 0);
    HostilePolicy[] made = new HostilePolicy[1];
    this.scheduler =
        builder()
            .policy(
                "hostile", context -> made[0] = new HostilePolicy(random, pipeline(context), other))
            .decisionLog(random.nextInt(20))
            .topScores(random.nextInt(3))
            .seed(seed)
            .build();
    this.policy = made[0];
    policy.knows(scheduler);
  }

  private static Scheduler.Builder builder() {
    return Scheduler.builder()
        .serviceClasses(
            ServiceClass.builder("gold").build(),
            ServiceClass.builder("bronze").slo(0.5).importance(2).build());
  }

  private @Nullable Policy pipeline(PolicyContext context) {
    return switch (random.nextInt(3)) {
      case 0 -> null;
      case 1 -> create(POLICIES.get("qos-driven"), context);
      default -> context.pipeline().build();
    };
  }

  private static <C extends Record> Policy create(PolicyFactory<C> factory, PolicyContext context) {
    return factory.create(factory.defaults(), context);
  }

  /** Makes calls, and checks the laws after each. */
  void make(int calls) {
    now = random.nextInt(8) == 0 ? TimeLimits.EARLIEST + MOST_EARLY : 0;
    long earliest = now - MOST_EARLY; // of the first event that is accepted
    long latest = earliest + TimeLimits.LONGEST_LIFE.toNanos();
    for (int i = 0; i < calls; i++) {
      if (i == calls - END && random.nextInt(4) == 0) {
        now = latest - random.nextInt(END);
      }
      now = Math.max(scheduler.now(), Math.min(now, latest));
      boolean compares = random.nextInt(8) == 0;
      String before = compares ? StateLaws.describe(scheduler) : "";
      boolean changed = random.nextInt(10) < 3 ? pass() : event();
      boolean unused = Thread.interrupted(); // the policy may have interrupted the thread
      if (compares && !changed) {
        StateLaws.require(
            StateLaws.describe(scheduler).equals(before), "a refused call changed %s", before);
      }
      StateLaws.check(scheduler);
      if (!policy.problems().isEmpty()) {
        throw new AssertionError(policy.problems().toString());
      }
      if (random.nextInt(8) == 0) {
        scheduler.instances().stream()
            .filter(each -> each.state() == InstanceState.PENDING)
            .findAny()
            .ifPresent(
                each -> scheduler.explain().whyPending(each.id(), scheduler.now()).describe());
      }
    }
  }

  /** Runs a pass; returns whether it succeeded. */
  private boolean pass() {
    counts.passes++;
    BudgetCount budgets = BudgetCount.of(scheduler);
    try {
      Plan plan = scheduler.schedule(now);
      counts.actions += plan.actions().size();
      budgets.follow(plan);
      counts.guardedActions += budgets.guarded();
      counts.exceededBudgets += budgets.exceeded();
      return true;
    } catch (PolicyFailedException failed) {
      // as documented
    } catch (StackOverflowError whim) {
      StateLaws.require("a whim".equals(whim.getMessage()), "the engine overflowed the stack");
    }
    counts.failedPasses++;
    return false;
  }

  /** Reports an event; returns whether it was accepted. */
  private boolean event() {
    counts.events++;
    now += random.nextInt(3);
    long time = random.nextInt(30) == 0 ? wrongTime() : now;
    try {
      report(time);
      now = scheduler.now();
      return true;
    } catch (EventRefusedException refused) {
      counts.refusedEvents++;
      now = Math.max(now, scheduler.now());
      return false;
    }
  }

  private long wrongTime() {
    return switch (random.nextInt(6)) {
      case 0 -> Long.MIN_VALUE;
      case 1 -> Long.MAX_VALUE;
      default -> now - 1 - random.nextInt(MOST_EARLY);
    };
  }

  private void report(long at) {
    switch (random.nextInt(24)) {
      case 0 -> scheduler.addHost(host(), at);
      case 1 -> {
        if (random.nextInt(3) == 0 || scheduler.hosts().size() > 6) {
          scheduler.removeHost(random.nextInt(3) > 0 ? hostId() : "p-" + random.nextInt(9), at);
        } else {
          scheduler.addHost(host(), at);
        }
      }
      case 2, 3, 4 -> {
        if (scheduler.instances().size() < 16) {
          scheduler.submit(request(instanceId()), at);
        } else {
          scheduler.cancel(anyInstance(), at);
        }
      }
      case 5, 6, 7, 8 -> scheduler.started(instanceIn(InstanceState.STARTING), at);
      case 9 -> scheduler.failed(anyInstance(), at);
      case 10, 11 -> scheduler.completed(instanceIn(InstanceState.RUNNING), at);
      case 12 -> scheduler.completed(instanceIn(InstanceState.RUNNING), duration(), at);
      case 13 -> scheduler.cancel(anyInstance(), at);
      case 14 -> scheduler.cancelBag("b" + random.nextInt(4), WHY, at);
      case 15 ->
          scheduler.submit(
              new BagSpec(
                  "b" + random.nextInt(4),
                  List.of(request("m" + random.nextInt(8)), request("n" + random.nextInt(8)))),
              at);
      case 16 -> scheduler.offerPool(new PoolSpec("p", amounts(), random.nextInt(5)), at);
      case 17 -> scheduler.usageReported(anyInstance(), amounts(), amounts(), at);
      case 18 -> scheduler.loadReported(hostId(), load(), at);
      case 19, 20 -> scheduler.setBudget(job(), budget(), at);
      case 21 -> scheduler.removeBudget(job(), at);
      case 22 -> {
        if (random.nextInt(3) == 0) {
          scheduler.uncordon(hostId(), at);
        } else {
          Drain how = random.nextBoolean() ? Drain.moving() : Drain.waiting();
          scheduler.drain(hostId(), random.nextBoolean() ? how : how.until(at), at);
        }
      }
      default -> scheduler.addHost(new HostSpec("p-" + random.nextInt(9), amounts()), at);
    }
  }

  private HostSpec host() {
    return new HostSpec(
        hostId(), amounts(), Map.of("zone", "z" + random.nextInt(2)), random.nextInt(4) == 0);
  }

  private String hostId() {
    return "h" + random.nextInt(7);
  }

  private String instanceId() {
    return random.nextInt(10) == 0 ? "i0" : "i" + submitted++;
  }

  private String instanceIn(InstanceState state) {
    return scheduler.instances().stream()
        .filter(each -> each.state() == state && random.nextInt(2) == 0)
        .map(Instance::id)
        .findFirst()
        .orElseGet(this::anyInstance);
  }

  private String anyInstance() {
    List<Instance> present = List.copyOf(scheduler.instances());
    return present.isEmpty() || random.nextInt(8) == 0
        ? "unknown"
        : present.get(random.nextInt(present.size())).id();
  }

  private Request request(String id) {
    Request.Builder request =
        Request.builder(
                id, random.nextInt(20) == 0 ? "unknown" : random.nextBoolean() ? "gold" : "bronze")
            .demand(amounts());
    if (random.nextInt(3) > 0) {
      request.job("job" + random.nextInt(2)).antiAffinity(random.nextInt(4) == 0);
    }
    if (random.nextInt(4) == 0) {
      request.estimatedRunTime(Duration.ofNanos(1 + random.nextInt(100)));
    }
    return request.build();
  }

  private String job() {
    return random.nextInt(12) == 0 ? " " : "job" + random.nextInt(2);
  }

  private DisruptionBudget budget() {
    return random.nextBoolean()
        ? DisruptionBudget.maxDown(random.nextInt(random.nextBoolean() ? 3 : 12))
        : DisruptionBudget.minUp(random.nextInt(3));
  }

  private static Resources cores(long cores) {
    return Resources.of(Dimension.CPU, cores * CORE);
  }

  private Resources amounts() {
    return switch (random.nextInt(24)) {
      case 0 -> Resources.none();
      case 1 -> Resources.of(Dimension.CPU, Long.MAX_VALUE, Dimension.MEMORY, Long.MAX_VALUE);
      case 2 -> Resources.of(new Dimension("cpu", 7), 1); // another scale
      case 3 -> Resources.of(new Dimension("d" + random.nextInt(4), 1), random.nextInt(3));
      default ->
          Resources.of(
              Dimension.CPU,
              (1 + random.nextInt(4)) * CORE,
              Dimension.MEMORY,
              random.nextInt(4) * CORE);
    };
  }

  private Duration duration() {
    return random.nextInt(4) == 0
        ? Duration.ofSeconds(Long.MAX_VALUE)
        : Duration.ofSeconds(random.nextInt(10) - 1L);
  }

  private double load() {
    return List.of(-1.0, Double.NaN, Double.POSITIVE_INFINITY, 1e300, 0.5, 3.0)
        .get(random.nextInt(6));
  }
}

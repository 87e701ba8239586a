package dev.berth.simulator;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.Scheduler;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Small policies for tests of the simulator. */
final class TestPolicies {

  /** Later than the last arrival of any case, and than the end of most. */
  private static final long PREEMPTS_UNTIL = Duration.ofMinutes(10).toNanos();

  private static final Reason WHIM = new Reason.PolicyChoice("whim", "a toss of the coin");

  private TestPolicies() {}

  /** The settings of these policies; {@code watchdogSeconds} 0 means none. */
  record Config(long watchdogSeconds) {}

  /** Places each pending instance, oldest first, on the first host with room; never preempts. */
  static Scheduler.Builder firstFit() {
    return firstFit(0);
  }

  static Scheduler.Builder firstFit(long watchdogSeconds) {
    return Scheduler.builder()
        .policy(new Factory("test.first-fit", TestPolicies::firstFit), new Config(watchdogSeconds));
  }

  /** First fit, but a request without room preempts the oldest instance if that is older. */
  static Scheduler.Builder youngestWins(long watchdogSeconds) {
    return Scheduler.builder()
        .policy(
            new Factory("test.youngest-wins", TestPolicies::youngestWins),
            new Config(watchdogSeconds));
  }

  /**
   * Preempts and places at random, from a seed; after ten minutes it no longer preempts. Otherwise,
   * if instances start more slowly than the watchdog fires and many are pending, it would preempt
   * nearly all of them before they are ready, and a simulation without an end would rarely finish.
   */
  static Scheduler.Builder erratic(long watchdogSeconds) {
    return Scheduler.builder()
        .policy(new Factory("test.erratic", TestPolicies::erratic), new Config(watchdogSeconds));
  }

  /** Places no instance before the given second. */
  static Scheduler.Builder patient(long untilSecond, long watchdogSeconds) {
    return Scheduler.builder()
        .policy(
            new Factory(
                "test.patient",
                pass -> {
                  if (pass.now() >= Duration.ofSeconds(untilSecond).toNanos()) {
                    firstFit(pass);
                  }
                }),
            new Config(watchdogSeconds));
  }

  /**
   * Performs the actions of a script, in a pass each second and at each event; may grant less
   * memory than the demand.
   */
  static Scheduler.Builder scripted(Policy script) {
    return Scheduler.builder()
        .policy(new Factory("test.scripted", script, Set.of(Dimension.MEMORY)), new Config(1));
  }

  /**
   * Places, resizes, pauses, suspends, resumes and migrates at random, from a seed; after ten
   * minutes it only places and resumes, so that every run ends.
   */
  static Scheduler.Builder restless(long watchdogSeconds) {
    return Scheduler.builder()
        .policy(
            new Factory("test.restless", TestPolicies::restless, Set.of(Dimension.MEMORY)),
            new Config(watchdogSeconds));
  }

  private static void firstFit(SchedulingPass pass) {
    for (Instance instance : pass.pending()) {
      for (Host host : pass.hosts()) {
        if (pass.place(instance, host).accepted()) {
          break;
        }
      }
    }
  }

  private static void youngestWins(SchedulingPass pass) {
    firstFit(pass);
    for (Instance instance : pass.pending()) {
      victims(pass).stream()
          .filter(victim -> victim.admittedAt() < instance.admittedAt())
          .min(Comparator.comparingLong(Instance::admittedAt).thenComparing(Instance::id))
          .ifPresent(victim -> pass.place(instance, victim.host().orElseThrow(), List.of(victim)));
    }
  }

  static void erratic(SchedulingPass pass) {
    boolean mayPreempt = pass.now() < PREEMPTS_UNTIL;
    for (Instance instance : pass.pending()) {
      for (Host host : pass.hosts()) {
        long toss = pass.tieBreak(instance, host);
        if ((toss & 1) == 0) {
          continue;
        }
        boolean preempts = mayPreempt && (toss & 2) == 0;
        List<Instance> victims =
            host.instances().stream().filter(each -> preempts).limit(2).toList();
        if (pass.place(instance, host, victims).accepted()) {
          break;
        }
      }
    }
  }

  private static void restless(SchedulingPass pass) {
    if (pass.hosts().isEmpty()) {
      return;
    }
    RandomGenerator random = pass.random();
    boolean settled = pass.now() >= PREEMPTS_UNTIL;
    for (Instance each : List.copyOf(pass.instances())) {
      Host elsewhere = pass.hosts().get(random.nextInt(pass.hosts().size()));
      Resources grant = settled ? each.request().guaranteed() : someGrant(each, random);
      switch (each.state()) {
        case PENDING -> {
          if (settled || random.nextBoolean()) {
            pass.place(each, elsewhere, List.of(), grant);
          }
        }
        case RUNNING -> {
          switch (settled ? 4 : random.nextInt(8)) {
            case 0 -> pass.pause(each, WHIM);
            case 1 -> pass.suspend(each, WHIM);
            case 2 -> pass.migrate(each, elsewhere, grant, WHIM);
            case 3 -> pass.resize(each, grant, WHIM);
            default -> {
              // does nothing
            }
          }
        }
        case PAUSED, SUSPENDED -> {
          if (settled || random.nextBoolean()) {
            pass.resume(each, grant, WHIM);
          } else if (random.nextBoolean()) {
            pass.migrate(each, elsewhere, grant, WHIM);
          }
        }
        default -> {
          // is starting
        }
      }
    }
  }

  /** Returns a grant from the guaranteed amount to somewhat more than the demand. */
  private static Resources someGrant(Instance instance, RandomGenerator random) {
    Resources demand = instance.request().demand();
    long least = instance.request().guaranteed().amount(Dimension.MEMORY);
    long most = demand.amount(Dimension.MEMORY) * 5 / 4;
    return Resources.of(
        Dimension.CPU,
        demand.amount(Dimension.CPU),
        Dimension.MEMORY,
        random.nextLong(least, most + 1));
  }

  private static List<Instance> victims(SchedulingPass pass) {
    return pass.instances().stream()
        .filter(each -> each.state().holdsCapacity() && each.stateSince() < pass.now())
        .toList();
  }

  private record Factory(String id, Policy policy, Set<Dimension> oversubscribes)
      implements PolicyFactory<Config> {

    Factory(String id, Policy policy) {
      this(id, policy, Set.of());
    }

    @Override
    public String summary() {
      return "for tests";
    }

    @Override
    public Config defaults() {
      return new Config(0);
    }

    @Override
    public Policy create(Config config, PolicyContext context) {
      return new Policy() {
        @Override
        public void schedule(SchedulingPass pass) {
          policy.schedule(pass);
        }

        @Override
        public Set<Dimension> oversubscribes() {
          return oversubscribes;
        }

        @Override
        public Optional<Duration> watchdog() {
          return config.watchdogSeconds() == 0
              ? Optional.empty()
              : Optional.of(Duration.ofSeconds(config.watchdogSeconds()));
        }
      };
    }
  }
}

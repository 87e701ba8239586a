package dev.berth.simulator;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Policy;
import dev.berth.api.PolicyContext;
import dev.berth.api.PolicyFactory;
import dev.berth.api.SchedulingPass;
import dev.berth.core.Scheduler;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Tiny policies, so that the simulator is tested without those that it is for. */
final class TestPolicies {

  /** Long after the last arrival of any case, and long after most of them are over. */
  private static final long PREEMPTS_UNTIL = Duration.ofMinutes(10).toNanos();

  private TestPolicies() {}

  /** What the policies below are told; {@code watchdogSeconds} 0 means none. */
  record Config(long watchdogSeconds) {}

  /** Places each pending instance, oldest first, on the first host with room; preempts nobody. */
  static Scheduler.Builder firstFit() {
    return firstFit(0);
  }

  static Scheduler.Builder firstFit(long watchdogSeconds) {
    return Scheduler.builder()
        .policy(new Factory("test.first-fit", TestPolicies::firstFit), new Config(watchdogSeconds));
  }

  /** Like first fit, but who finds no room takes the place of the oldest, if that is older. */
  static Scheduler.Builder youngestWins(long watchdogSeconds) {
    return Scheduler.builder()
        .policy(
            new Factory("test.youngest-wins", TestPolicies::youngestWins),
            new Config(watchdogSeconds));
  }

  /**
   * Preempts, places and leaves waiting by the toss of a seeded coin; after ten minutes it preempts
   * nobody. If instances take longer to get ready than the watchdog waits, and many wait, it would
   * otherwise preempt nearly all of them before they are ready, and a simulation without an end
   * would hardly ever be over.
   */
  static Scheduler.Builder erratic(long watchdogSeconds) {
    return Scheduler.builder()
        .policy(new Factory("test.erratic", TestPolicies::erratic), new Config(watchdogSeconds));
  }

  /** Leaves everybody waiting until the given second. */
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

  private static void erratic(SchedulingPass pass) {
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

  private static List<Instance> victims(SchedulingPass pass) {
    return pass.instances().stream()
        .filter(each -> each.state().holdsCapacity() && each.stateSince() < pass.now())
        .toList();
  }

  private record Factory(String id, Policy policy) implements PolicyFactory<Config> {
    @Override
    public String summary() {
      return "for tests";
    }

    @Override
    public Class<Config> configType() {
      return Config.class;
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
        public Optional<Duration> watchdog() {
          return config.watchdogSeconds() == 0
              ? Optional.empty()
              : Optional.of(Duration.ofSeconds(config.watchdogSeconds()));
        }
      };
    }
  }
}

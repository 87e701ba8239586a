package dev.berth.testkit.contract;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Outcome;
import dev.berth.api.Policy;
import dev.berth.api.PolicyContext;
import dev.berth.api.PreemptionRule.Verdict;
import dev.berth.api.Reason;
import dev.berth.api.SchedulingPass;
import dev.berth.api.ServiceClass;
import dev.berth.api.VictimOrder;
import dev.berth.core.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;

/** Policies that have to keep the laws, whether they mean to or not. */
final class Contenders {

  private Contenders() {}

  /**
   * One of them.
   *
   * @param name its name
   * @param starts starts a scheduler that runs it
   */
  record Contender(String name, Function<Setting, Scheduler.Builder> starts) {

    Scheduler.Builder builder(Setting setting) {
      return starts.apply(setting);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** Does whatever comes to its mind, if it may. */
  static Contender atRandomWithinTheLaw() {
    return byHand("at-random-within-the-law", each -> new AtRandom(true));
  }

  static Arbitrary<Contender> any() {
    return Arbitraries.frequencyOf(
        Tuple.of(
            1, Arbitraries.of(byHand("in-order-of-admission", each -> each.pipeline().build()))),
        Tuple.of(1, Arbitraries.of(byHand("elders-first", Contenders::eldersFirst))),
        Tuple.of(2, Arbitraries.of(byHand("at-random", each -> new AtRandom(false)))),
        Tuple.of(1, Arbitraries.of(byHand("failing", each -> new Failing(new AtRandom(false))))));
  }

  private static Contender byHand(String name, Function<PolicyContext, Policy> maker) {
    return new Contender(
        name,
        setting ->
            Scheduler.builder()
                .policy(name, maker)
                .serviceClasses(setting.serviceClasses())
                .seed(setting.seed()));
  }

  /** Whoever came later leaves for whoever came earlier, starting or not, needed or not. */
  private static Policy eldersFirst(PolicyContext context) {
    VictimOrder youngestFirst =
        new VictimOrder() {
          @Override
          public long key(Instance instance) {
            return instance.admittedAt();
          }

          @Override
          public long drift(ServiceClass serviceClass, InstanceState state, long now) {
            return 0;
          }
        };
    return context
        .pipeline()
        .preemption(
            youngestFirst,
            contest ->
                contest.victimValue() > contest.beneficiaryValue()
                    ? Verdict.allow("younger", "younger")
                    : Verdict.refuseRest("older", "older"))
        .preemptStarting(true)
        .spareUnneeded(false)
        .build();
  }

  /** Tries whatever comes to its mind, sensible or not, in forks or not. */
  private record AtRandom(boolean withinTheLaw) implements Policy {

    @Override
    public void schedule(SchedulingPass pass) {
      tryThings(pass, pass.random(), 0);
    }

    private void tryThings(SchedulingPass pass, RandomGenerator random, int depth) {
      int attempts = random.nextInt(8);
      for (int i = 0; i < attempts; i++) {
        if (depth < 3 && random.nextInt(4) == 0) {
          boolean keeps = random.nextBoolean();
          List<Instance> pending = pass.pending();
          try (SchedulingPass.Fork fork = pass.fork()) {
            tryThings(fork, fork.random(), depth + 1);
            if (keeps) {
              fork.keep();
            }
          }
          if (!keeps && !pass.pending().equals(pending)) {
            throw new AssertionError("a discarded fork left " + pass.pending());
          }
        } else {
          tryOne(pass, random);
        }
      }
    }

    private void tryOne(SchedulingPass pass, RandomGenerator random) {
      List<Instance> instances =
          withinTheLaw || random.nextInt(5) > 0 ? pass.pending() : List.copyOf(pass.instances());
      List<Host> hosts = pass.hosts();
      if (instances.isEmpty() || hosts.isEmpty()) {
        return;
      }
      Instance instance = instances.get(random.nextInt(instances.size()));
      if (random.nextInt(10) == 0) {
        pass.defer(instance, new Reason.PolicyChoice("mood", "not now"));
        return;
      }
      Host host = hosts.get(random.nextInt(hosts.size()));
      List<Instance> victims = new ArrayList<>();
      List<Instance> there =
          random.nextInt(8) > 0 ? List.copyOf(host.instances()) : List.copyOf(pass.instances());
      for (Instance each : there) {
        if (random.nextInt(3) == 0) {
          victims.add(each);
        }
      }
      if (!victims.isEmpty() && random.nextInt(16) == 0) {
        victims.add(victims.get(0));
      }
      Optional<Reason> obstacle = pass.obstacle(instance, host, victims);
      if (withinTheLaw && obstacle.isPresent()) {
        return;
      }
      Outcome outcome = pass.place(instance, host, victims);
      if (!outcome.refusal().equals(obstacle)) {
        throw new AssertionError("foretold " + obstacle + ", but it was " + outcome);
      }
    }
  }

  /** Does all of another policy's work and throws, every other time. */
  private static final class Failing implements Policy {

    private final Policy policy;
    private boolean fails;

    Failing(Policy policy) {
      this.policy = policy;
    }

    @Override
    public void schedule(SchedulingPass pass) {
      fails = !fails;
      policy.schedule(pass);
      if (fails) {
        throw new IllegalStateException("fails on purpose");
      }
    }
  }
}

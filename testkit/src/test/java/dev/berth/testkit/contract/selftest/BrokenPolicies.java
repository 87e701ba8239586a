package dev.berth.testkit.contract.selftest;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/** Hand-written policies and pipelines that decide against a rule. */
final class BrokenPolicies {

  private BrokenPolicies() {}

  // ---- P04

  @Breaks(
      value = Rule.P04,
      says = "an action on r\\d+: instance r\\d+ must be pending to be placed, is \\S+ on h\\d",
      events = 6)
  static class PlacesInstancesThatAreNotPending extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return new FirstFitPolicy() {
        @Override
        List<Instance> queue(SchedulingPass pass) {
          return List.copyOf(pass.instances());
        }

        @Override
        Optional<Host> choose(SchedulingPass pass, Instance instance) {
          return pass.hosts().stream().findFirst();
        }
      };
    }
  }

  // ---- P05

  private static final String ON_ANOTHER_HOST = "r\\d+ goes to h\\d+, before to h\\d+.*";
  private static final String DIFFERS_AFTER_RESTART =
      "after a restart with the same seed and the same events, pass \\d+ differs: "
          + ON_ANOTHER_HOST;

  @Breaks(value = Rule.P05, says = DIFFERS_AFTER_RESTART, events = 6)
  static class SharesStaticState extends PolicySubject {
    private static final AtomicInteger MADE = new AtomicInteger();

    @Override
    Policy make(PolicyContext context) {
      boolean even = MADE.getAndIncrement() % 2 == 0;
      return pass -> (even ? first() : last()).schedule(pass);
    }
  }

  @Breaks(
      value = Rule.P05,
      says = DIFFERS_AFTER_RESTART,
      events = 12) // shrinks less: its random numbers differ
  static class UsesUnseededRandom extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      Random random = new Random();
      return new FirstFitPolicy() {
        @Override
        Optional<Host> choose(SchedulingPass pass, Instance instance) {
          List<Host> hosts = withRoom(pass, instance).toList();
          return hosts.isEmpty()
              ? Optional.empty()
              : Optional.of(hosts.get(random.nextInt(hosts.size())));
        }
      };
    }
  }

  // ---- P06

  private static final String DIFFERS_AFTER_FORK =
      "after running each pass in a discarded fork first, pass \\d+ differs: " + ON_ANOTHER_HOST;

  @Breaks(value = Rule.P06, says = DIFFERS_AFTER_FORK, events = 6)
  static class CountsPasses extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      AtomicInteger passes = new AtomicInteger();
      return pass -> (passes.incrementAndGet() % 2 == 0 ? first() : last()).schedule(pass);
    }
  }

  @Breaks(value = Rule.P06, says = DIFFERS_AFTER_FORK, events = 7)
  static class RemembersTheLastHost extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return new FirstFitPolicy() {
        private String last = "";

        @Override
        Optional<Host> choose(SchedulingPass pass, Instance instance) {
          Optional<Host> best =
              withRoom(pass, instance)
                  .max(
                      Comparator.<Host, Boolean>comparing(host -> host.id().equals(last))
                          .thenComparing(host -> pass.tieBreak(instance, host)));
          best.ifPresent(host -> last = host.id());
          return best;
        }
      };
    }
  }

  // ---- P07

  @Breaks(
      value = Rule.P07,
      says = "free\\(\\) of host h\\d is used when pass 1 is over",
      events = 6)
  static class KeepsAHostView extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      List<Host> kept = new ArrayList<>();
      return pass -> {
        if (kept.isEmpty()) {
          kept.addAll(pass.hosts());
        }
        kept.forEach(Host::free);
      };
    }
  }

  @Breaks(value = Rule.P07, says = "hosts\\(\\) of pass 1 is used when pass 1 is over", events = 6)
  static class KeepsThePassAndCatchesTheError extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      List<SchedulingPass> kept = new ArrayList<>();
      return pass -> {
        kept.add(pass);
        try {
          kept.get(0).hosts();
        } catch (IllegalStateException | AssertionError hidden) {
          kept.clear();
        }
      };
    }
  }

  @Breaks(
      value = Rule.P07,
      says = "pending\\(\\) of pass 1 is used on thread \\S+, but pass 1 is on thread \\S+",
      events = 6)
  static class UsesThePassOnAnotherThread extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return pass -> WellBehavedParts.elsewhere(pass::pending);
    }
  }

  @Breaks(value = Rule.P07, says = "random\\(\\) of pass 1 is used when pass 1 is over", events = 6)
  static class KeepsTheRandomGenerator extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      List<RandomGenerator> kept = new ArrayList<>();
      return pass -> {
        kept.add(pass.random());
        kept.get(0).nextLong();
      };
    }
  }

  // ---- P08

  private static final String CLAIM = "r\\d+ \\(\\w+, importance \\d\\) has Q \\S+ of margin \\S+";
  private static final String NO_BETTER_CLAIM = "r\\d+ preempts r\\d+: " + CLAIM + ", " + CLAIM;

  @Breaks(value = Rule.P08, says = NO_BETTER_CLAIM, events = 7)
  static class PreemptsVictimsWithLessSlack extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return WellBehavedParts.preempting(
              context,
              pair ->
                  WellBehavedParts.weaker(pair)
                      || !WellBehavedParts.endangered(pair.victim(), pair))
          .build();
    }
  }

  @Breaks(value = Rule.P08, says = NO_BETTER_CLAIM, events = 7)
  static class PreemptsVictimsWithinTheirMargin extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return WellBehavedParts.preempting(
              context,
              pair ->
                  WellBehavedParts.weaker(pair)
                      || (WellBehavedParts.endangered(pair.victim(), pair)
                          && !WellBehavedParts.endangered(pair.beneficiary(), pair)))
          .build();
    }
  }

  @Breaks(value = Rule.P08, says = NO_BETTER_CLAIM, events = 7)
  static class PreemptsMoreImportantVictims extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return WellBehavedParts.preempting(
              context, pair -> WellBehavedParts.weaker(pair) || isLessImportant(pair))
          .build();
    }

    private static boolean isLessImportant(PreemptionPair pair) {
      return WellBehavedParts.endangered(pair.victim(), pair)
          && WellBehavedParts.endangered(pair.beneficiary(), pair)
          && pair.beneficiary().serviceClass().importance()
              > pair.victim().serviceClass().importance();
    }
  }

  @Breaks(
      value = Rule.P08,
      says =
          "r\\d+ preempts r\\d+ of its own class, whose restarts cost \\S+ of its time, more"
              + " than \\S+",
      events = 19)
  static class IgnoresTheOverheadLimit extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return WellBehavedParts.preempting(context, WellBehavedParts::byMargins).build();
    }
  }

  // ---- P09, P20

  @Breaks(
      value = Rule.P09,
      says = "r\\d+ waits, though h\\d has room for it, and no reason is given",
      events = 6)
  static class PlacesOneWithoutDeferringTheRest extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return new FirstFitPolicy() {
        @Override
        List<Instance> queue(SchedulingPass pass) {
          return pass.pending().stream().limit(1).toList();
        }
      };
    }
  }

  @Breaks(value = Rule.P20, says = "r\\d+ waits, though h\\d has room for it", events = 6)
  static class PlacesOneAndDefersTheRest extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return new FirstFitPolicy() {
        @Override
        List<Instance> queue(SchedulingPass pass) {
          List<Instance> pending = pass.pending();
          pending.stream().skip(1).forEach(each -> pass.defer(each, WellBehavedParts.NO_ROOM));
          return pending.stream().limit(1).toList();
        }
      };
    }
  }

  // ---- P10

  @Breaks(
      value = Rule.P10,
      says =
          "with 64 hosts with 4 instances each, 8 pending.* a pass makes \\d+ queries, with 128"
              + " hosts with 4 instances each, 8 pending.* it makes \\d+, more than 2.6 times as"
              + " many")
  static class ComparesAllPairsOfHosts extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return pass -> {
        pass.hosts().forEach(one -> pass.hosts().forEach(Host::free));
        new FirstFitPolicy().schedule(pass);
      };
    }
  }

  @Breaks(
      value = Rule.P10,
      says =
          "with 8 hosts with 4 instances each, 64 pending.* a pass makes \\d+ queries, with 8"
              + " hosts with 4 instances each, 128 pending.* it makes \\d+, more than 2.6 times as"
              + " many")
  static class ComparesAllPairsOfPending extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return pass -> {
        compareAllPairs(pass.pending());
        new FirstFitPolicy().schedule(pass);
      };
    }
  }

  @Breaks(
      value = Rule.P10,
      says =
          "with 8 hosts with 32 instances each, 8 pending.* a pass makes \\d+ queries, with 8"
              + " hosts with 64 instances each, 8 pending.* it makes \\d+, more than 2.6 times as"
              + " many")
  static class ComparesAllPairsOnAHost extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return pass -> {
        pass.hosts().forEach(host -> compareAllPairs(host.instances()));
        new FirstFitPolicy().schedule(pass);
      };
    }
  }

  private static void compareAllPairs(Collection<Instance> instances) {
    instances.forEach(one -> instances.forEach(Instance::request));
  }

  // ---- P11

  @Breaks(
      value = Rule.P11,
      says = "with no host and no request: mend P22 first: it threw .*IndexOutOfBounds.*")
  static class RequiresAHost extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return pass -> pass.hosts().get(0).free();
    }
  }

  // The JVM leaves out the message of an exception that it has seen too often.
  @Breaks(
      value = Rule.P11,
      says =
          "with one request and a host without capacity: mend P22 first: it threw .*"
              + "IndexOutOfBounds.*")
  static class RequiresCapacity extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return pass -> {
        pass.hosts().forEach(host -> host.capacity().dimensions().get(0));
        new FirstFitPolicy().schedule(pass);
      };
    }
  }

  @Breaks(value = Rule.P11, says = "one request waits, although it fits one host exactly")
  static class NeverFillsAHost extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return new FirstFitPolicy() {
        @Override
        Optional<Host> choose(SchedulingPass pass, Instance instance) {
          return super.choose(pass, instance)
              .filter(host -> !host.free().equals(instance.request().demand()));
        }
      };
    }
  }

  @Breaks(value = Rule.P11, says = "at an event: mend P22 first: it threw .*: not the first at .*")
  static class ThrowsAtTheFirstRequest extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return context
          .pipeline()
          .queue(
              pending -> {
                throw new IllegalStateException("not the first");
              })
          .build();
    }
  }

  // ---- P12

  @Breaks(
      value = Rule.P12,
      says =
          "where the first hosts joined in the opposite order, pass \\d+ differs: "
              + ON_ANOTHER_HOST,
      events = 6)
  static class DependsOnHostOrder extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return first();
    }
  }

  // ---- P18

  private static final String NOT_NEEDED = "r\\d+ leaves h\\d for r\\d+, which would fit beside it";

  @Breaks(value = Rule.P18, says = NOT_NEEDED, events = 7)
  static class PreemptsTheWholeHost extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return pass -> pass.pending().forEach(each -> clear(pass, each));
    }

    private static void clear(SchedulingPass pass, Instance instance) {
      for (Host host : pass.hosts()) {
        List<Instance> all = List.copyOf(host.instances());
        if (pass.obstacle(instance, host, all).isEmpty()) {
          pass.place(instance, host, all);
          return;
        }
      }
    }
  }

  @Breaks(value = Rule.P18, says = NOT_NEEDED, events = 18)
  static class PreemptsUnneededVictims extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return WellBehavedParts.preempting(context, pair -> true).minimizeVictims(false).build();
    }
  }

  // ---- P21

  @Breaks(
      value = Rule.P21,
      says = "a last request like r\\d+ is placed, but not where another host has joined: .*",
      events = 6)
  static class PlacesNothingOnThreeHosts extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return pass -> {
        if (pass.hosts().size() < 3) {
          new FirstFitPolicy().schedule(pass);
        }
      };
    }
  }

  @Breaks(
      value = Rule.P21,
      says = "a last request like r\\d+ is placed, but not where an instance has left: .*",
      events = 6)
  static class PlacesNothingBesideOneInstance extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return pass -> {
        if (pass.instances().stream().filter(each -> each.host().isPresent()).count() != 1) {
          new FirstFitPolicy().schedule(pass);
        }
      };
    }
  }

  // ---- P22

  @Breaks(
      value = Rule.P22,
      says =
          "it threw java.lang.IllegalStateException: no time like the present at"
              + " dev.berth.testkit.contract.selftest.BrokenPolicies\\S+\\(BrokenPolicies.java:\\d+\\)",
      events = 6)
  static class ThrowsInAPass extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return pass -> {
        if (!pass.pending().isEmpty()) {
          throw new IllegalStateException("no time like the present");
        }
      };
    }
  }

  @Breaks(value = Rule.P22, says = "it threw java.lang.StackOverflowError.*", events = 6)
  static class RecursesForever extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return RecursesForever::schedule;
    }

    @SuppressWarnings("InfiniteRecursion")
    private static void schedule(SchedulingPass pass) {
      schedule(pass);
    }
  }

  @Breaks(value = Rule.P22, says = "it threw .*so much cpu( at .*)?", events = 6)
  static class ThrowsIfCpuIsFree extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return pass -> {
        if (pass.hosts().stream().anyMatch(host -> host.free(Dimension.CPU) > 0)) {
          throw new IllegalStateException("so much cpu");
        }
      };
    }
  }

  @Breaks(value = Rule.P22, says = "it threw .*not that one( at .*)?", events = 6)
  static class ThrowsAtAnEvent extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return context
          .pipeline()
          .queue(
              pending -> {
                throw new IllegalStateException("not that one");
              })
          .build();
    }
  }

  // ---- P26

  @Breaks(value = Rule.P26, says = "r\\d+ preempts r\\d+, but PREEMPTS is not declared", events = 8)
  static class PreemptsUndeclared extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return WellBehavedParts.pipeline(context).build();
    }

    @Override
    protected Capabilities capabilities() {
      return Capabilities.all().without(Capability.PREEMPTS);
    }
  }

  @Breaks(
      value = Rule.P26,
      says = "r\\d+ preempts r\\d+, which is still starting, but PREEMPTS_STARTING is not declared",
      events = 13)
  static class PreemptsStartingUndeclared extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return WellBehavedParts.pipeline(context).build();
    }

    @Override
    protected Capabilities capabilities() {
      return Capabilities.all().without(Capability.PREEMPTS_STARTING);
    }
  }

  @Breaks(value = Rule.P26, says = "it defers r\\d+, but DEFERS is not declared", events = 6)
  static class DefersUndeclared extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return pass -> pass.pending().forEach(each -> pass.defer(each, WellBehavedParts.NO_ROOM));
    }

    @Override
    protected Capabilities capabilities() {
      return Capabilities.all().without(Capability.DEFERS);
    }
  }

  @Breaks(
      value = Rule.P26,
      test = "stochastic",
      says =
          "declared, but never used in 2000 histories: \\[PREEMPTS, PREEMPTS_STARTING, DEFERS,"
              + " ADJUSTS, RESIZES, SUSPENDS, MIGRATES, REJECTS, MOLDS, SCALES,"
              + " ASSIGNS\\]\\. .*")
  static class DeclaresUnusedCapabilities extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return new FirstFitPolicy();
    }
  }

  // ---- P27

  private static final String IN_ANOTHER_ORDER =
      "with collections of unspecified order shuffled, pass \\d+ differs: r\\d+ .*, before\\b.*";

  @Breaks(value = Rule.P27, says = IN_ANOTHER_ORDER, events = 12)
  static class QueuesInUnspecifiedOrder extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return new FirstFitPolicy() {
        @Override
        List<Instance> queue(SchedulingPass pass) {
          List<Instance> pending = pass.pending();
          return pass.instances().stream().filter(pending::contains).toList();
        }
      };
    }
  }

  @Breaks(value = Rule.P27, says = IN_ANOTHER_ORDER, events = 9)
  static class TakesVictimsInUnspecifiedOrder extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return pass -> pass.pending().forEach(each -> place(pass, each));
    }

    private static void place(SchedulingPass pass, Instance instance) {
      for (Host host : pass.hosts()) {
        List<Instance> victims = new ArrayList<>();
        for (Instance each : host.instances()) {
          if (pass.obstacle(instance, host, victims).isPresent()) {
            victims.add(each);
          }
        }
        if (pass.obstacle(instance, host, victims).isEmpty()) {
          pass.place(instance, host, victims);
          return;
        }
      }
    }
  }

  @Breaks(value = Rule.P27, says = IN_ANOTHER_ORDER, events = 6)
  static class DependsOnTriggerOrder extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return pass ->
          (pass.triggers().iterator().next() == Trigger.HOST_ADDED ? first() : last())
              .schedule(pass);
    }
  }

  // ---- P41

  private static final String RESTARTS_TOO_MUCH =
      "r\\d+ preempts r\\d+, which is not less important: the restarts after its \\d+ preemptions"
          + " took \\S+ of a life of \\S+, less an average one more than \\S+ of it";

  @Breaks(value = Rule.P41, says = RESTARTS_TOO_MUCH, events = 10)
  static class SwapsEqualsInEveryPass extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return WellBehavedParts.preempting(context, SwapsEqualsInEveryPass::areEqual).build();
    }

    private static boolean areEqual(PreemptionPair pair) {
      return pair.beneficiary().serviceClass().importance()
          == pair.victim().serviceClass().importance();
    }
  }

  @Breaks(value = Rule.P41, says = RESTARTS_TOO_MUCH, events = 10)
  static class BoundsSwitchingWithinAClassOnly extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return WellBehavedParts.preempting(
              context, pair -> pair.beneficiaryClassRank() != pair.victimClassRank())
          .build();
    }
  }

  @Breaks(value = Rule.P41, says = RESTARTS_TOO_MUCH, events = 11)
  static class AllowsTwiceTheRestarts extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return WellBehavedParts.preempting(context, pair -> WellBehavedParts.hasRestarted(pair, 0.05))
          .build();
    }
  }

  // ---- P52

  @Breaks(
      value = Rule.P52,
      says = "r\\d+ preempts r\\d+, which loses its progress and is not less important",
      events = 7)
  static class PreemptsForEqualsWhatLosesItsProgress extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return WellBehavedParts.preempting(context, WellBehavedParts::switching).build();
    }
  }

  // ---- P53

  @Breaks(
      value = Rule.P53,
      says =
          "r\\d+ preempts r\\d+, which is as important, and has run for \\S+ after \\S+ of service",
      events = 11)
  static class PreemptsEqualsThatHaveJustStartedAgain extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return WellBehavedParts.preempting(context, WellBehavedParts::switching).build();
    }
  }

  // ---- Shared parts

  private static Policy first() {
    return new FirstFitPolicy() {
      @Override
      Optional<Host> choose(SchedulingPass pass, Instance instance) {
        return withRoom(pass, instance).findFirst();
      }
    };
  }

  private static Policy last() {
    return new FirstFitPolicy() {
      @Override
      Optional<Host> choose(SchedulingPass pass, Instance instance) {
        return withRoom(pass, instance).reduce((one, other) -> other);
      }
    };
  }
}

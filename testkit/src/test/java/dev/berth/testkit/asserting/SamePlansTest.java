package dev.berth.testkit.asserting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.AllocationScores;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.core.Scheduler;
import dev.berth.core.event.Event;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.HistoryPlayer;
import dev.berth.testkit.reference.ReferenceCluster;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;

/** A correct policy decides the same with and without detectors. */
@PropertyDefaults(
    tries = 300,
    generation = GenerationMode.RANDOMIZED,
    edgeCases = EdgeCasesMode.NONE)
class SamePlansTest {

  @Property
  void detectorsDoNotChangePlans(
      @ForAll("histories") History history,
      @ForAll("policies") Function<PolicyContext, Policy> maker,
      @ForAll boolean asksAll) {
    Asserting asserting = asksAll ? Asserting.askingAll() : new Asserting(OptionalLong.empty());
    List<Object> answers = answersOf(history, asserting.wrap(maker));
    if (asksAll) {
      assertThat(withoutProofs(answers)).isEqualTo(withoutProofs(answersOf(history, maker)));
    } else {
      assertThat(answers).isEqualTo(answersOf(history, maker));
    }
    asserting.checkKeys();
    assertThat(asserting.violations()).isEmpty();
  }

  /** The parts of this pipeline do not depend on unspecified orders. */
  @Property(tries = 100)
  void shufflingDoesNotChangePipelinePlans(@ForAll("histories") History history) {
    Asserting asserting = new Asserting(OptionalLong.of(history.seed()));
    assertThat(answersOf(history, asserting.wrap(SamePlansTest::bySlack)))
        .isEqualTo(answersOf(history, SamePlansTest::bySlack));
    assertThat(asserting.violations()).isEmpty();
  }

  @Provide
  Arbitrary<History> histories() {
    return HistoryArbitraries.ofUpTo(75);
  }

  @Provide
  Arbitrary<Function<PolicyContext, Policy>> policies() {
    return Arbitraries.of(
        SamePlansTest::bySlack,
        SamePlansTest::eldersFirst,
        SamePlansTest::eldersFirstWithAllHints,
        SamePlansTest::randomActionsThenPipeline,
        context -> new AtRandom());
  }

  // ---- Runs

  /**
   * Leaves out whether a group is known to be incomplete. The engine can prove that only for a
   * monotone rule, and here it must not know that the rule is monotone.
   */
  private static List<String> withoutProofs(List<Object> answers) {
    return answers.stream().map(it -> it.toString().replace("exact=true", "exact=false")).toList();
  }

  /** Returns all answers of a scheduler: plans, decisions and explanations. */
  private static List<Object> answersOf(History history, Function<PolicyContext, Policy> maker) {
    Scheduler scheduler =
        Scheduler.builder()
            .policy("test", maker)
            .serviceClasses(history.serviceClasses())
            .seed(history.seed())
            .topScores(history.seed() % 2 == 0 ? 3 : 0) // which evaluates every host
            .build();
    LedgerTarget target = new LedgerTarget(scheduler);
    List<Object> answers = new ArrayList<>();
    new HistoryPlayer(
            history,
            target.ledger,
            target.supportedFeatures(),
            event -> {
              answers.add(event.applyTo(target));
              for (Instance each : scheduler.instances()) {
                if (each.state() == InstanceState.PENDING) {
                  answers.add(scheduler.explain().whyPending(each.id(), scheduler.now()));
                }
              }
            })
        .play();
    answers.addAll(scheduler.decisions().all());
    return answers;
  }

  /** A scheduler and the ledger of the history. */
  private static final class LedgerTarget implements EventTarget {

    private final Scheduler scheduler;
    final ReferenceCluster ledger;

    LedgerTarget(Scheduler scheduler) {
      this.scheduler = scheduler;
      this.ledger = new ReferenceCluster(scheduler.serviceClasses());
    }

    @Override
    public Set<Feature> supportedFeatures() {
      return EnumSet.complementOf(
          EnumSet.of(
              Feature.ATTEMPTS, Feature.REJECTIONS, Feature.RECONCILIATION, Feature.HISTORIES));
    }

    @Override
    public Object apply(Event<?> event, long now) {
      Object answer = scheduler.apply(event, now);
      ledger.apply(event, now);
      return answer;
    }

    @Override
    public Plan schedule(long now) {
      Plan plan = scheduler.schedule(now);
      for (int i = 0; i < plan.actions().size(); i++) {
        ledger.execute(plan.id(i), plan.actions().get(i), now);
      }
      return plan;
    }
  }

  // ---- Pipelines

  /** Like the QoS-driven policy: preempts instances with more slack. */
  private static Policy bySlack(PolicyContext context) {
    BySlack slack = new BySlack();
    return context
        .pipeline()
        .queue(slack)
        .preemption(slack, BySlack::judge)
        .preemptionCost(slack)
        .allocationScore(fit -> (double) fit.used(0) / Math.max(1, fit.capacity(0)))
        .build();
  }

  private static final class BySlack implements QueueOrder, VictimOrder, PreemptionCost {

    // Served time counts once or twice. Neither overflows within the longest life of a scheduler;
    // Slo.lifeSpan() does at low objectives.
    @Override
    public long key(Instance instance) {
      long since = instance.stateSince();
      ServiceClass serviceClass = instance.serviceClass();
      return worth(serviceClass) * instance.serviceTime(since)
          - (since - instance.admittedAt())
          - drift(serviceClass, instance.state(), since);
    }

    @Override
    public long drift(ServiceClass serviceClass, InstanceState state, long now) {
      return state == InstanceState.RUNNING ? (worth(serviceClass) - 1) * now : -now;
    }

    private static long worth(ServiceClass serviceClass) {
      return serviceClass.slo().share() < 0.9 ? 2 : 1;
    }

    static Verdict judge(PreemptionPair pair) {
      if (pair.victimValue() <= pair.beneficiaryValue()) {
        return Verdict.refuseRest("no-better-off", "no better off");
      }
      return pair.victim().preemptionOverhead(pair.now()) > 0.5
          ? Verdict.refuse("too-often", "preempted too often")
          : Verdict.allow("better-off", "better off");
    }

    @Override
    public int width(int classes) {
      return classes;
    }

    @Override
    public void add(PreemptionPair pair, double[] tuple) {
      tuple[pair.victimClassRank()] -= pair.victimValue();
    }
  }

  /** Preempts later instances for earlier ones, starting and unneeded ones included. */
  private static Policy eldersFirst(PolicyContext context) {
    return context
        .pipeline()
        .preemption(
            Stage.victimsBy(Instance::admittedAt),
            pair ->
                pair.victimValue() > pair.beneficiaryValue()
                    ? Verdict.allow("younger", "younger")
                    : Verdict.refuseRest("older", "older"))
        .preemptStarting(true)
        .minimizeVictims(false)
        .build();
  }

  /** The same, with all the hints that let the engine skip questions. */
  private static Policy eldersFirstWithAllHints(PolicyContext context) {
    return context
        .pipeline()
        .preemption(Stage.victimsBy(Instance::admittedAt), new Elders())
        .preemptionCost(PreemptionCost.fewestVictims())
        .allocationScore(AllocationScores.balancedAllocation())
        .build();
  }

  private static final class Elders implements MonotonePreemptionRule {

    @Override
    public Verdict judge(PreemptionPair pair) {
      return pair.victimValue() > pair.beneficiaryValue()
          ? Verdict.allow("younger", "younger")
          : Verdict.refuseRest("older", "older");
    }

    @Override
    public long allowedUpTo(PreemptionPair pair) {
      return pair.victimValue() - 1;
    }

    @Override
    public long refusedUntil(PreemptionPair pair) {
      return Long.MAX_VALUE;
    }
  }

  /** Acts at random and then runs a pipeline, in a fork and in the pass. */
  private static Policy randomActionsThenPipeline(PolicyContext context) {
    Policy pipeline = bySlack(context);
    return pass -> {
      AtRandom.tryActions(pass, pass.random(), 0);
      try (Fork fork = pass.fork()) {
        pipeline.schedule(fork);
        if (fork.random().nextBoolean()) {
          fork.keep();
        }
      }
      pipeline.schedule(pass);
    };
  }

  // ---- Hand-written policies

  /** Attempts random actions, valid and invalid, in forks and in the pass. */
  private static final class AtRandom implements Policy {

    @Override
    public void schedule(SchedulingPass pass) {
      tryActions(pass, pass.random(), 0);
    }

    static void tryActions(SchedulingPass pass, RandomGenerator random, int depth) {
      for (int attempts = random.nextInt(8); attempts > 0; attempts--) {
        if (depth < 3 && random.nextInt(4) == 0) {
          try (Fork fork = pass.fork()) {
            tryActions(fork, fork.random(), depth + 1);
            if (fork.random().nextBoolean()) {
              fork.keep();
            }
          }
        } else {
          tryOne(pass, random);
        }
      }
    }

    private static void tryOne(SchedulingPass pass, RandomGenerator random) {
      List<Instance> instances =
          random.nextInt(5) > 0 ? pass.pending() : List.copyOf(pass.instances());
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
      List<Instance> victims =
          host.instances().stream().filter(each -> random.nextInt(3) == 0).toList();
      Optional<Reason> obstacle = pass.obstacle(instance, host, victims);
      assertThat(pass.place(instance, host, victims).refusal()).isEqualTo(obstacle);
    }
  }
}

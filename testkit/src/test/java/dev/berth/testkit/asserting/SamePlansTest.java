package dev.berth.testkit.asserting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Action;
import dev.berth.api.BagReport;
import dev.berth.api.BagSpec;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceReport;
import dev.berth.api.InstanceState;
import dev.berth.api.Plan;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.AllocationScores;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.core.Scheduler;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.Replay;
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

/** Whoever behaves well decides the same whether watched or not. */
@PropertyDefaults(
    tries = 300,
    generation = GenerationMode.RANDOMIZED,
    edgeCases = EdgeCasesMode.NONE)
class SamePlansTest {

  @Property
  void whoeverIsWatchedDecidesTheSame(
      @ForAll("histories") History history,
      @ForAll("policies") Function<PolicyContext, Policy> maker,
      @ForAll boolean asksAll) {
    Asserting asserting = asksAll ? Asserting.askingAll() : new Asserting(OptionalLong.empty());
    List<Object> watched = live(history, asserting.wrap(maker));
    assertThat(watched).isEqualTo(live(history, maker));
    asserting.checkKeys();
    assertThat(asserting.violations()).isEmpty();
  }

  /** A pipeline of these parts uses no order that is not promised. */
  @Property(tries = 100)
  void aPipelineDecidesTheSameWhatEverIsShuffled(@ForAll("histories") History history) {
    Asserting asserting = new Asserting(OptionalLong.of(history.seed()));
    assertThat(live(history, asserting.wrap(SamePlansTest::bySlack)))
        .isEqualTo(live(history, SamePlansTest::bySlack));
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
        SamePlansTest::eldersFirstInBids,
        SamePlansTest::tryingThingsFirst,
        context -> new AtRandom());
  }

  // ---- Lives

  /** Returns all that a scheduler answers: plans, what is logged, and why others wait. */
  private static List<Object> live(History history, Function<PolicyContext, Policy> maker) {
    Scheduler scheduler =
        Scheduler.builder()
            .policy("watched", maker)
            .serviceClasses(history.serviceClasses())
            .seed(history.seed())
            .topScores(history.seed() % 2 == 0 ? 3 : 0) // who is told them looks at every host
            .build();
    Life life = new Life(scheduler);
    List<Object> answers = new ArrayList<>();
    new Replay(
            history,
            life.books,
            event -> {
              answers.add(event.applyTo(life));
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

  /** A scheduler, and the books that a history is played against. */
  private static final class Life implements EventTarget {

    private final Scheduler scheduler;
    final ReferenceCluster books;

    Life(Scheduler scheduler) {
      this.scheduler = scheduler;
      this.books = new ReferenceCluster(scheduler.serviceClasses());
    }

    @Override
    public Set<Feature> supportedFeatures() {
      return EnumSet.allOf(Feature.class);
    }

    @Override
    public void offerPool(PoolSpec pool, long now) {
      scheduler.offerPool(pool, now);
      books.offer(pool);
    }

    @Override
    public void submit(BagSpec bag, long now) {
      scheduler.submit(bag, now);
      books.submit(bag, now);
    }

    @Override
    public BagReport cancelBag(String bagId, Reason why, long now) {
      books.cancelBag(bagId, why, now);
      return scheduler.cancelBag(bagId, why, now);
    }

    @Override
    public void addHost(HostSpec spec, long now) {
      scheduler.addHost(spec, now);
      books.addHost(spec);
    }

    @Override
    public void removeHost(String hostId, long now) {
      scheduler.removeHost(hostId, now);
      books.removeHost(hostId, now);
    }

    @Override
    public void submit(Request request, long now) {
      scheduler.submit(request, now);
      books.submit(request, now);
    }

    @Override
    public void started(String instanceId, long now) {
      scheduler.started(instanceId, now);
      books.started(instanceId, now);
    }

    @Override
    public void failed(String instanceId, long now) {
      scheduler.failed(instanceId, now);
      books.failed(instanceId, now);
    }

    @Override
    public InstanceReport completed(String instanceId, long now) {
      books.completed(instanceId, now);
      return scheduler.completed(instanceId, now);
    }

    @Override
    public InstanceReport cancel(String instanceId, long now) {
      books.done(instanceId, now);
      return scheduler.cancel(instanceId, now);
    }

    @Override
    public Plan schedule(long now) {
      Plan plan = scheduler.schedule(now);
      for (Action each : plan.actions()) {
        if (each instanceof Action.Place place) {
          books.place(place.instance(), place.host(), plan.pass(), now);
        } else if (each instanceof Action.Preempt preempt) {
          books.preempt(preempt.instance(), now);
        } else if (each instanceof Action.Cancel cancel) {
          books.cancelBag(cancel.bag(), cancel.why(), now);
        }
      }
      return plan;
    }
  }

  // ---- Pipelines

  /** Like the QoS-driven policy: whoever has slack leaves for whoever has less. */
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

    @Override
    public long key(Instance instance) {
      long since = instance.stateSince();
      return instance.earnedTime(since)
          - (since - instance.admittedAt())
          - drift(instance.serviceClass(), instance.state(), since);
    }

    @Override
    public long drift(ServiceClass serviceClass, InstanceState state, long now) {
      return state == InstanceState.RUNNING ? serviceClass.slo().lifeSpan(now) - now : -now;
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

  /** Whoever came later leaves for whoever came earlier, starting or not, needed or not. */
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

  /** Like that, with parts that say all by which the engine need not ask. */
  private static Policy eldersFirstInBids(PolicyContext context) {
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

  /** Lets a pipeline go on, at times in a fork, where somebody else began. */
  private static Policy tryingThingsFirst(PolicyContext context) {
    Policy pipeline = bySlack(context);
    return pass -> {
      AtRandom.tryThings(pass, pass.random(), 0);
      try (Fork fork = pass.fork()) {
        pipeline.schedule(fork);
        if (fork.random().nextBoolean()) {
          fork.keep();
        }
      }
      pipeline.schedule(pass);
    };
  }

  // ---- By hand

  /** Tries whatever comes to its mind, sensible or not, in forks or not. */
  private static final class AtRandom implements Policy {

    @Override
    public void schedule(SchedulingPass pass) {
      tryThings(pass, pass.random(), 0);
    }

    static void tryThings(SchedulingPass pass, RandomGenerator random, int depth) {
      for (int attempts = random.nextInt(8); attempts > 0; attempts--) {
        if (depth < 3 && random.nextInt(4) == 0) {
          try (Fork fork = pass.fork()) {
            tryThings(fork, fork.random(), depth + 1);
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

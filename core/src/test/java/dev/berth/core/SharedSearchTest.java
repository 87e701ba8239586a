package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Domain;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Peers;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Preference;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.AllocationScores;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.VictimCost;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.test.TestRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Plans are the same whether alike requests share what a search finds or not. A filter that passes
 * every host makes the engine evaluate each host for each request.
 */
class SharedSearchTest {

  private static final List<ServiceClass> CLASSES =
      List.of(Cluster.GOLD, Cluster.SILVER, Cluster.BRONZE);

  @Property(tries = 300)
  void alikeRequestsFindTheSameHostsTogetherAsAlone(@ForAll long seed) {
    Life life = new Life(new SplittableRandom(seed), 4 + Math.floorMod(seed, 20));
    for (int round = 0; round < 25; round++) {
      life.round();
    }
  }

  /** More than 64 hosts: so many are kept in order of their cost. */
  @Property(tries = 200)
  void alikeRequestsFindTheSameAmongManyHosts(@ForAll long seed) {
    Life life = new Life(new SplittableRandom(seed), 60 + Math.floorMod(seed, 60));
    for (int round = 0; round < 15; round++) {
      life.round();
    }
  }

  /** With budgets, fewer eligible victims may be better ones. */
  @Property(tries = 750)
  void alikeRequestsFindTheSameWithDisruptionBudgets(@ForAll long seed) {
    Life life = new Life(new SplittableRandom(seed), 3 + Math.floorMod(seed, 8), false, true);
    for (int round = 0; round < 40; round++) {
      life.round();
    }
  }

  @Property(tries = 100)
  void alikeRequestsFindTheSameAmongManyHostsWithDisruptionBudgets(@ForAll long seed) {
    Life life = new Life(new SplittableRandom(seed), 60 + Math.floorMod(seed, 60), false, true);
    for (int round = 0; round < 15; round++) {
      life.round();
    }
  }

  /** Requests have rules about peers and preferences; hosts have zones, racks and taints. */
  @Property(tries = 500)
  void requestsWithRulesFindTheSameHostsByAttributesAsOneByOne(@ForAll long seed) {
    Life life =
        new Life(
            new SplittableRandom(seed),
            4 + Math.floorMod(seed, seed % 3 == 0 ? 90 : 20),
            true,
            false);
    for (int round = 0; round < 20; round++) {
      life.round();
    }
    RULES.add(life.laws);
  }

  @Property(tries = 500)
  void requestsWithRulesFindTheSameHostsWithDisruptionBudgets(@ForAll long seed) {
    Life life =
        new Life(
            new SplittableRandom(seed),
            3 + Math.floorMod(seed, seed % 3 == 0 ? 80 : 9),
            true,
            true);
    for (int round = 0; round < 25; round++) {
      life.round();
    }
  }

  private static final RuleOracle.Counts RULES = new RuleOracle.Counts();

  /** Guards the property against holding vacuously. */
  @AfterContainer
  static void rulesMatter() {
    if (TestRun.isFixed() && RULES.placements() > 0) {
      RULES.requireEnough();
    }
  }

  /** A value that no part may depend on otherwise: from an id, spread over a small range. */
  private static int draw(Instance instance, int salt, int range) {
    return Math.floorMod(((instance.id().hashCode() + salt) * 0x9E3779B9) >>> 8, range);
  }

  /**
   * Allows victims of a lower class for beneficiaries below a value and that have waited for some
   * time, both different for each victim.
   */
  private record Windows(boolean exact, int values) implements MonotonePreemptionRule {

    @Override
    public Verdict judge(PreemptionPair pair) {
      if (pair.victimClassRank() <= pair.beneficiaryClassRank()) {
        return Verdict.refuseRest("class", "as important");
      }
      return pair.beneficiaryValue() < end(pair) && pair.now() >= begin(pair)
          ? Verdict.allow("window", "within its window")
          : Verdict.refuse("window", "outside its window");
    }

    @Override
    public long allowedUpTo(PreemptionPair pair) {
      return exact
          ? Math.min(end(pair) - 1, pair.now() - wait(pair))
          : MonotonePreemptionRule.super.allowedUpTo(pair);
    }

    @Override
    public long refusedUntil(PreemptionPair pair) {
      if (!exact) {
        return MonotonePreemptionRule.super.refusedUntil(pair);
      }
      return pair.victimClassRank() <= pair.beneficiaryClassRank()
              || pair.beneficiaryValue() >= end(pair)
          ? Long.MAX_VALUE
          : begin(pair);
    }

    private long end(PreemptionPair pair) {
      return draw(pair.victim(), 1, values) + (long) values / 3;
    }

    private static long wait(PreemptionPair pair) {
      return draw(pair.victim(), 2, 4) == 0 ? 15 : -100;
    }

    private static long begin(PreemptionPair pair) {
      return pair.beneficiaryValue() + wait(pair);
    }
  }

  /** Values are admission times or numbers by chance; keys may wrap around. */
  private record Values(boolean byAdmission, int values, long offset) implements VictimOrder {

    @Override
    public long key(Instance instance) {
      long value =
          byAdmission
              ? instance.admittedAt()
              : draw(instance, 3, values) + instance.preemptions() % 3;
      return value + offset;
    }

    @Override
    public long drift(ServiceClass serviceClass, InstanceState state, long now) {
      return -offset;
    }
  }

  /** Has negative and equal entries, and zeros of both signs. */
  private static class Losses implements PreemptionCost {

    @Override
    public int width(int classes) {
      return 2;
    }

    @Override
    public void add(PreemptionPair pair, double[] tuple) {
      tuple[0] += draw(pair.victim(), 4, 3) - 1;
      tuple[1] += pair.victimValue() % 2;
    }

    @Override
    public void finish(double[] tuple) {
      tuple[0] *= tuple[1] == 0 ? -1 : 1;
    }
  }

  private static final class SharedLosses extends Losses implements VictimCost {}

  /** Reports the same events to two schedulers. */
  private static final class Life {

    private final SplittableRandom random;
    private final Scheduler sharing;
    private final Scheduler plain;
    private final List<String> hosts = new ArrayList<>();
    private final List<String> instances = new ArrayList<>();
    private final List<String> starting = new ArrayList<>();
    private final List<Request> shapes = new ArrayList<>();
    private final int usual; // number of hosts
    private final boolean rules; // whether requests have rules and preferences
    private final RuleOracle laws = new RuleOracle();
    private final boolean budgets;
    private int number;
    private long now;

    Life(SplittableRandom random, int usual) {
      this(random, usual, false, false);
    }

    Life(SplittableRandom random, int usual, boolean rules, boolean budgets) {
      this.random = random;
      this.rules = rules;
      this.usual = usual;
      this.budgets = budgets;
      int values = 10 + random.nextInt(60);
      boolean preempts = random.nextInt(8) > 0;
      boolean alsoStarting = random.nextBoolean();
      boolean spares = random.nextBoolean();
      boolean queuesByValue = random.nextBoolean();
      Values order =
          new Values(
              random.nextInt(3) > 0, values, random.nextInt(4) == 0 ? Long.MAX_VALUE - 30 : 0);
      Windows rule = new Windows(random.nextInt(4) > 0, values);
      PreemptionCost cost = random.nextInt(6) > 0 ? new SharedLosses() : new Losses();
      AllocationScore score = AllocationScores.leastRequested();
      boolean indexed = random.nextInt(6) > 0;
      int keys = 1 + random.nextInt(6);
      Consumer<PipelineBuilder> parts =
          builder -> {
            builder
                .preemptionCost(cost)
                .preemptStarting(alsoStarting)
                .minimizeVictims(spares)
                .allocationScore(indexed ? score : fit -> score.score(fit));
            if (preempts) {
              builder.preemption(order, rule);
            }
            if (queuesByValue) {
              builder.queue(each -> draw(each, 5, keys));
            }
          };
      long seed = random.nextLong();
      this.sharing = scheduler(seed, parts);
      this.plain =
          scheduler(
              seed, parts.andThen(builder -> builder.filter((each, host, at) -> Optional.empty())));
      for (int i = 0; i < usual; i++) {
        join();
      }
      for (int i = 0; i < 4; i++) {
        shapes.add(shape());
      }
    }

    private static Scheduler scheduler(long seed, Consumer<PipelineBuilder> parts) {
      return Scheduler.builder()
          .policy(
              "test",
              context -> {
                PipelineBuilder builder = context.pipeline();
                parts.accept(builder);
                return builder.build();
              })
          .serviceClasses(CLASSES)
          .seed(seed)
          .decisionLog(0)
          .build();
    }

    void round() {
      now += random.nextInt(4);
      for (int i = random.nextInt(3); i > 0; i--) {
        int dice = random.nextInt(10);
        if (dice < 2 && hosts.size() > 1) {
          String host = hosts.remove(random.nextInt(hosts.size()));
          starting.removeIf(id -> isOn(id, host));
          laws.left(host);
          report(each -> each.removeHost(host, now));
        } else if (rules && dice == 9 && !hosts.isEmpty()) {
          HostSpec spec = host(hosts.get(random.nextInt(hosts.size())));
          laws.changed(spec);
          report(each -> each.changeHost(spec, now));
        } else if (dice < 4 && hosts.size() < usual + 5) {
          join();
        } else if (dice < 8 && !instances.isEmpty()) {
          String id = instances.remove(random.nextInt(instances.size()));
          starting.remove(id);
          laws.ended(id);
          report(each -> each.cancel(id, now));
        } else if (dice == 8) {
          shapes.set(random.nextInt(shapes.size()), shape());
        }
      }
      if (budgets && random.nextInt(3) == 0) {
        changeBudget();
      }
      int most = random.nextInt(3) == 0 ? usual : 8;
      for (int i = random.nextInt(3); i > 0; i--) {
        Request shape = shapes.get(random.nextInt(shapes.size()));
        for (int copies = random.nextInt(most); copies >= 0; copies--) {
          submit(shape);
        }
      }
      for (int i = random.nextInt(3); i >= 0; i--) {
        pass();
      }
      while (instances.size() > 3 * usual + 10) {
        String id = instances.remove(0);
        starting.remove(id);
        laws.ended(id);
        report(each -> each.cancel(id, now));
      }
    }

    private void changeBudget() {
      String job = "j" + random.nextInt(2);
      int members = random.nextInt(random.nextBoolean() ? 3 : usual + 3);
      int dice = random.nextInt(5);
      if (dice == 0) {
        report(each -> each.removeBudget(job, now));
      } else {
        DisruptionBudget budget =
            dice < 4 ? DisruptionBudget.maxDown(members) : DisruptionBudget.minUp(members);
        report(each -> each.setBudget(job, budget, now));
      }
    }

    private void pass() {
      Plan plan = sharing.schedule(now);
      Plan expected = plain.schedule(now);
      assertThat(plan).isEqualTo(expected);
      for (Action.Place place : plan.placements()) {
        laws.placed(place, plain.instance(place.instance()).orElseThrow().request());
        starting.removeAll(place.victims());
        starting.add(place.instance());
      }
      for (int i = starting.size(); i > 0; i--) {
        if (random.nextInt(3) > 0) {
          String id = starting.remove(random.nextInt(starting.size()));
          report(each -> each.started(id, now));
        }
      }
    }

    private boolean isOn(String id, String host) {
      return plain.instance(id).flatMap(Instance::host).orElseThrow().id().equals(host);
    }

    private void join() {
      HostSpec spec = host("h" + number++);
      laws.joined(spec);
      report(each -> each.addHost(spec, now));
      hosts.add(spec.id());
    }

    private HostSpec host(String id) {
      Resources capacity = Cluster.cores(2 + random.nextInt(3) * 2, 8);
      Map<String, String> attributes = new TreeMap<>(Map.of("rest", "" + number % 4));
      if (!rules) {
        return new HostSpec(id, capacity, attributes);
      }
      if (random.nextInt(8) > 0) {
        attributes.put("zone", "z" + random.nextInt(3));
      }
      attributes.put("rack", "k" + random.nextInt(6));
      return random.nextInt(6) > 0
          ? new HostSpec(id, capacity, attributes)
          : new HostSpec(id, capacity, attributes)
              .withTaints(Taint.preferNot("worn", "" + random.nextInt(2)));
    }

    private Request shape() {
      int dice = random.nextInt(7);
      ServiceClass serviceClass = CLASSES.get(dice < 3 ? 0 : dice < 5 ? 1 : 2);
      Request.Builder shape =
          Request.builder("shape", serviceClass.name())
              .demand(Cluster.cores(1 + random.nextInt(4), random.nextInt(6)));
      if (random.nextInt(4) == 0) {
        shape.constraint(new Constraint.Equal("rest", "" + random.nextInt(4)));
      }
      if (rules) {
        shape.label("app", "a" + random.nextInt(3)).job("j" + random.nextInt(3));
        if (random.nextInt(4) > 0) {
          shape.placement(placement());
        }
      }
      return shape.build();
    }

    private PlacementSpec placement() {
      PlacementSpec.Builder spec = PlacementSpec.builder();
      if (random.nextInt(4) == 0) {
        spec.tolerate(Toleration.of("worn"));
      }
      for (int i = random.nextInt(3); i > 0; i--) {
        switch (random.nextInt(6)) {
          case 0 -> spec.near(peers(), domain());
          case 1, 2 -> spec.apart(peers(), domain());
          default -> spec.spread(peers(), domain(), 1 + random.nextInt(3));
        }
      }
      for (int i = random.nextInt(3); i > 0; i--) {
        int weight = 1 + random.nextInt(3);
        switch (random.nextInt(3)) {
          case 0 -> spec.prefer(new Preference.Near(peers(), domain(), weight));
          case 1 -> spec.prefer(new Preference.Apart(peers(), domain(), weight));
          default ->
              spec.prefer(
                  new Preference.OnHost(
                      new Constraint.Equal("rack", "k" + random.nextInt(6)), weight));
        }
      }
      return spec.build();
    }

    private Peers peers() {
      return random.nextBoolean()
          ? Peers.ofJob("j" + random.nextInt(3))
          : Peers.labelled("app", "a" + random.nextInt(3));
    }

    private Domain domain() {
      return switch (random.nextInt(5)) {
        case 0 -> Domain.of("rack");
        case 1, 2 -> Domain.HOST;
        default -> Domain.of("zone");
      };
    }

    private void submit(Request shape) {
      String id = "r" + number++;
      Request.Builder request = Request.builder(id, shape.serviceClass()).demand(shape.demand());
      shape.constraints().forEach(request::constraint);
      request.labels(shape.labels()).placement(shape.placement());
      shape.job().ifPresent(request::job);
      if (budgets && rules) {
        if (shape.job().isEmpty()) {
          request.job("j" + random.nextInt(2));
        }
      } else if (budgets) {
        request.job("j" + random.nextInt(2)).antiAffinity(random.nextInt(20) == 0);
      } else if (random.nextInt(10) == 0) {
        request.job("j" + random.nextInt(2)).antiAffinity(random.nextInt(3) > 0);
      }
      Request made = request.build();
      if (random.nextInt(20) == 0) {
        report(each -> each.submit(new BagSpec("bag " + id, List.of(made)), now));
      } else {
        report(each -> each.submit(made, now));
      }
      instances.add(id);
    }

    private void report(Consumer<Scheduler> event) {
      event.accept(sharing);
      event.accept(plain);
    }
  }
}

package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static dev.berth.core.TestParts.ALLOW_ALL;
import static dev.berth.core.TestParts.LESS_IMPORTANT;
import static dev.berth.core.TestParts.cost;
import static dev.berth.core.TestParts.latestFirst;
import static dev.berth.core.TestParts.queueBy;
import static dev.berth.core.TestParts.victimsBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Action;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Plan;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.ClassTiers;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.core.decision.Decision;
import dev.berth.core.decision.SeededTieBreaker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The pipeline that most policies share: queue, feasibility, ranking, placement. */
class PipelineTest {

  private static final Map<String, Long> NO_VALUES = Map.of();

  @Nested
  class Queue {

    @Test
    void ordersByAdmissionByDefault() {
      Cluster cluster = Cluster.of(parts -> parts).host("h1", 9);
      cluster.at(1).pending("c", "bronze", 1).at(2).pending("a", 1).at(3).pending("b", 1);

      assertThat(order(cluster.pass())).containsExactly("c", "a", "b");
    }

    @Test
    void ordersByKeyAscending() {
      Cluster cluster =
          Cluster.of(parts -> parts.queue(queueBy(Map.of("a", 5L, "b", -7L, "c", 0L))))
              .host("h1", 9);
      cluster.pending("a", 1).pending("b", 1).pending("c", 1);

      assertThat(order(cluster.pass())).containsExactly("b", "c", "a");
    }

    @Test
    void ordersByTierBeforeKey() {
      class BronzeFirst implements QueueOrder, ClassTiers {
        @Override
        public long key(Instance pending) {
          return pending.id().equals("a") ? -100 : 0;
        }

        @Override
        public int tier(ServiceClass serviceClass) {
          return -serviceClass.importance();
        }
      }
      Cluster cluster = Cluster.of(parts -> parts.queue(new BronzeFirst())).host("h1", 9);
      cluster.pending("a", "gold", 1).pending("b", "bronze", 1).pending("c", "silver", 1);

      assertThat(order(cluster.pass())).containsExactly("b", "c", "a");
    }

    @Test
    void breaksTiesByImportanceThenAdmissionThenId() {
      Cluster cluster = Cluster.of(parts -> parts.queue(queueBy(NO_VALUES))).host("h1", 9);
      cluster.at(1).pending("a", "bronze", 1).pending("z", "silver", 1);
      cluster.at(2).pending("y", "gold", 1).pending("x", "gold", 1).pending("b", "silver", 1);
      cluster.at(3).pending("c", "gold", 1);

      assertThat(order(cluster.pass())).containsExactly("x", "y", "c", "z", "b", "a");
    }

    @Test
    void placesLaterRequestIfEarlierDoesNotFit() {
      Cluster cluster = Cluster.of(parts -> parts).host("h1", 2);
      cluster.pending("large", 3).pending("small", 1);

      assertThat(order(cluster.pass())).containsExactly("small");
      assertThat(cluster.instance("large").state()).isEqualTo(InstanceState.PENDING);
    }

    @Test
    void readsTheKeyAtEachStateChange() {
      QueueOrder longestServedLast = instance -> instance.serviceTime(instance.stateSince());
      Cluster cluster = Cluster.of(parts -> parts.queue(longestServedLast)).host("h1", 3);
      cluster.running("b", 1, "h1").running("a", 1, "h1");
      cluster.at(10).failed("a").at(20).failed("b").pending("c", 1);

      assertThat(order(cluster.pass())).containsExactly("c", "a", "b");
    }

    @Test
    void readsTheKeyAfterHostLoss() {
      QueueOrder longestServedLast = instance -> instance.serviceTime(instance.stateSince());
      Cluster cluster = Cluster.of(parts -> parts.queue(longestServedLast));
      cluster.host("h1", 1).pending("a", 1).pass();
      cluster.started("a").host("h2", 1).pending("b", 1).pass();
      cluster.started("b");
      cluster.at(10).removed("h2").at(20).removed("h1").pending("c", 1).host("h3", 3);

      assertThat(order(cluster.pass())).containsExactly("c", "b", "a");
    }
  }

  @Nested
  class RankingOfHostsWithRoom {

    @Test
    void choosesGreatestAllocationScore() {
      Map<String, Double> scores = Map.of("h1", 0.2, "h2", 0.9, "h3", 0.5);
      Cluster cluster =
          Cluster.of(parts -> parts.allocationScore(fit -> scores.get(fit.host().id())));
      cluster.host("h1", 1).host("h2", 1).host("h3", 1);
      cluster.pending("a", 1).pending("b", 1).pending("c", 1);

      assertThat(hosts(cluster.pass())).containsExactly("h2", "h3", "h1");
    }

    @Test
    void acceptsNegativeAndInfiniteScores() {
      Map<String, Double> scores = Map.of("h1", Double.NEGATIVE_INFINITY, "h2", -5.0, "h3", -0.5);
      Cluster cluster =
          Cluster.of(parts -> parts.allocationScore(fit -> scores.get(fit.host().id())));
      cluster.host("h1", 1).host("h2", 1).host("h3", 1);
      cluster.pending("a", 1).pending("b", 1).pending("c", 1);

      assertThat(hosts(cluster.pass())).containsExactly("h3", "h2", "h1");
    }

    @Test
    void defaultsToMeanOfLeastRequestedAndBalanced() {
      Cluster cluster = Cluster.of(parts -> parts).host("h1", cores(4, 4)).host("h2", cores(8, 4));
      cluster.pending(request("a", 0).demand(cores(2, 1)));

      // h1: least requested (.5 + .75) / 2, balanced 1 - .25; h2: .75 and 1.
      Plan plan = cluster.pass();

      assertThat(hosts(plan)).containsExactly("h2");
      assertThat(cluster.scheduler().decisions().all().get(0).allocationScore()).hasValue(0.875);
    }

    @Test
    void scoresTheHostWithTheInstancePlaced() {
      List<String> seen = new ArrayList<>();
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts.allocationScore(
                          fit -> {
                            seen.add(
                                "%s on %s: %d of %d %s, %d of %d %s"
                                    .formatted(
                                        fit.instance().id(),
                                        fit.host().id(),
                                        fit.used(0),
                                        fit.capacity(0),
                                        fit.dimension(0),
                                        fit.used(1),
                                        fit.capacity(1),
                                        fit.dimension(1)));
                            assertThat(fit.dimensions()).isEqualTo(2);
                            return 0;
                          }))
              .host("h1", cores(4, 8))
              .running(request("b", 0).demand(cores(1, 2)), "h1");
      seen.clear();

      cluster.pending("a", 2).pass();

      assertThat(seen)
          .containsExactly(
              "a on h1: 3000000000 of 4000000000 cpu, 2000000000 of 8000000000 memory");
    }

    @Test
    void breaksTiesBySeededHash() {
      Cluster cluster =
          Cluster.of(Scheduler.builder().seed(99), parts -> parts.allocationScore(fit -> 0));
      IntStream.range(0, 7).forEach(i -> cluster.host("h" + i, 100));
      IntStream.range(0, 50).forEach(i -> cluster.pending("i" + i, 1));

      Plan plan = cluster.pass();

      assertThat(plan.placements())
          .hasSize(50)
          .allSatisfy(
              place ->
                  assertThat(place.host())
                      .isEqualTo(
                          IntStream.range(0, 7)
                              .mapToObj(i -> "h" + i)
                              .max(
                                  Comparator.comparingLong(
                                      host ->
                                          SeededTieBreaker.toss(
                                              99, plan.pass(), place.instance(), host, 7)))
                              .orElseThrow()));
      assertThat(plan.placements()).extracting(Action.Place::host).contains("h0", "h6");
    }

    @Test
    void isIndependentOfJoinOrderAndSlots() {
      Cluster one = Cluster.of(parts -> parts).host("h1", 4).host("h2", 4).host("h3", 4);
      Cluster other = Cluster.of(parts -> parts).host("x", 4).host("h3", 4).host("h1", 4);
      other.removed("x").host("h2", 4);
      for (Cluster each : List.of(one, other)) {
        IntStream.range(0, 9).forEach(i -> each.pending("i" + i, 1));
      }

      assertThat(one.pass().actions()).isEqualTo(other.pass().actions());
    }

    @Test
    void doesNotPreemptIfAHostHasRoom() {
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts
                          .preemption(latestFirst(), ALLOW_ALL)
                          .allocationScore(fit -> fit.host().id().equals("full") ? 1 : 0))
              .host("full", 1)
              .host("empty", 1)
              .running("b", "bronze", 1, "full");

      Plan plan = cluster.pending("a", 1).pass();

      assertThat(plan.preemptions()).isEmpty();
      assertThat(hosts(plan)).containsExactly("empty");
    }
  }

  @Nested
  class Preemption {

    @Test
    void isOffByDefault() {
      Cluster cluster = Cluster.of(parts -> parts).host("h1", 1).running("b", "bronze", 1, "h1");

      assertThat(cluster.pending("a", 1).pass().actions()).isEmpty();
    }

    @Test
    void takesVictimsInOrderUntilTheDemandFits() {
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts.preemption(
                          victimsBy(Map.of("v1", 1L, "v2", 4L, "v3", 3L, "v4", 2L)), ALLOW_ALL))
              .host("h1", 4);
      Stream.of("v1", "v2", "v3", "v4").forEach(id -> cluster.running(id, 1, "h1"));

      Plan plan = cluster.pending("a", 2).pass();

      assertThat(plan.actions())
          .containsExactly(
              new Action.Preempt("v2", "h1", "a"),
              new Action.Preempt("v3", "h1", "a"),
              new Action.Place("a", "h1", List.of("v2", "v3")));
    }

    @Test
    void usesFreeCapacityFirst() {
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL))
              .host("h1", 3)
              .running("v1", 1, "h1")
              .at(1)
              .running("v2", 1, "h1");

      assertThat(victims(cluster.at(2).pending("a", 2).pass())).containsExactly("v2");
    }

    @Test
    void mergesServiceClassesIntoOneVictimOrder() {
      Map<String, Long> values = Map.of("g1", 10L, "b1", 9L, "s1", 8L, "g2", 7L, "b2", 6L);
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(victimsBy(values), ALLOW_ALL)).host("h1", 5);
      cluster.running("b2", "bronze", 1, "h1").running("g2", "gold", 1, "h1");
      cluster.running("s1", "silver", 1, "h1").running("b1", "bronze", 1, "h1");
      cluster.running("g1", "gold", 1, "h1");

      assertThat(victims(cluster.pending("a", 4).pass())).containsExactly("g1", "b1", "s1", "g2");
    }

    @Test
    void takesHigherTiersBeforeHigherValues() {
      class BronzeFirst implements VictimOrder, ClassTiers {
        @Override
        public long key(Instance instance) {
          return instance.id().equals("g") ? 100 : 0;
        }

        @Override
        public long drift(ServiceClass serviceClass, InstanceState state, long now) {
          return 0;
        }

        @Override
        public int tier(ServiceClass serviceClass) {
          return serviceClass.importance();
        }
      }
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(new BronzeFirst(), ALLOW_ALL))
              .host("h1", 3)
              .running("g", "gold", 1, "h1")
              .running("s", "silver", 1, "h1")
              .running("b", "bronze", 1, "h1");

      assertThat(victims(cluster.pending("a", 3).pass())).containsExactly("b", "s", "g");
    }

    @Test
    void comparesClassesByCurrentValueNotKey() {
      VictimOrder silverGrows =
          new VictimOrder() {
            @Override
            public long key(Instance instance) {
              return instance.id().equals("g") ? 5 * SECOND : 0;
            }

            @Override
            public long drift(ServiceClass serviceClass, InstanceState state, long now) {
              return serviceClass.name().equals("silver") ? now : 0;
            }
          };
      for (int now : List.of(4, 6)) {
        Cluster cluster =
            Cluster.of(parts -> parts.preemption(silverGrows, ALLOW_ALL))
                .host("h1", 2)
                .running("g", "gold", 1, "h1")
                .running("s", "silver", 1, "h1");

        assertThat(victims(cluster.at(now).pending("a", 1).pass()))
            .containsExactly(now < 5 ? "g" : "s");
      }
    }

    @Test
    void breaksVictimTiesBySeededHash() {
      Cluster cluster =
          Cluster.of(
                  Scheduler.builder().seed(5),
                  parts -> parts.preemption(victimsBy(NO_VALUES), ALLOW_ALL))
              .host("h1", 8);
      List<String> ids = IntStream.range(0, 8).mapToObj(i -> "v" + i).toList();
      List<String> classes = List.of("gold", "silver", "bronze");
      IntStream.range(0, 8).forEach(i -> cluster.running("v" + i, classes.get(i % 3), 1, "h1"));

      assertThat(victims(cluster.pending("a", 5).pass()))
          .isEqualTo(
              ids.stream()
                  .sorted(
                      Comparator.comparingLong((String id) -> SeededTieBreaker.hash(5, id))
                          .reversed())
                  .limit(5)
                  .toList());
    }

    @Test
    void passesBothInstancesAndTheirValuesToTheRule() {
      List<String> judged = new ArrayList<>();
      VictimOrder metric =
          new VictimOrder() {
            @Override
            public long key(Instance instance) {
              return instance.id().equals("a") ? 3 : 20;
            }

            @Override
            public long drift(ServiceClass serviceClass, InstanceState state, long now) {
              return (state == InstanceState.PENDING ? -1 : 1) * (now / SECOND);
            }
          };
      PreemptionRule rule =
          pair -> {
            judged.add(
                "%s (class %d, value %d) for %s (class %d, value %d) at %d s"
                    .formatted(
                        pair.victim().id(),
                        pair.victimClassRank(),
                        pair.victimValue(),
                        pair.beneficiary().id(),
                        pair.beneficiaryClassRank(),
                        pair.beneficiaryValue(),
                        pair.now() / SECOND));
            return Verdict.refuse("no", "no");
          };
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(metric, rule))
              .host("h1", 1)
              .running("v", "bronze", 1, "h1");

      cluster.at(7).pending("a", "silver", 1).pass();

      assertThat(judged).containsExactly("v (class 2, value 27) for a (class 1, value -4) at 7 s");
    }

    @Test
    void refuseRestSkipsTheRestOfTheClass() {
      assertThat(judgedWhenRefusedBy(Verdict.refuse("no", "no")))
          .containsExactly("b3", "s2", "b2", "s1", "b1");
      assertThat(judgedWhenRefusedBy(Verdict.refuseRest("no", "no")))
          .containsExactly("b3", "s2", "s1");
    }

    /** Refuses bronze victims with this verdict, and silver victims always. */
    private List<String> judgedWhenRefusedBy(Verdict forBronze) {
      List<String> judged = new ArrayList<>();
      Map<String, Long> values = Map.of("b3", 6L, "s2", 5L, "b2", 4L, "s1", 2L, "b1", 1L);
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts.preemption(
                          victimsBy(values),
                          pair -> {
                            judged.add(pair.victim().id());
                            return pair.victimClassRank() == 2
                                ? forBronze
                                : Verdict.refuse("no", "no");
                          }))
              .host("h1", 5);
      Stream.of("b1", "b2", "b3").forEach(id -> cluster.running(id, "bronze", 1, "h1"));
      Stream.of("s1", "s2").forEach(id -> cluster.running(id, "silver", 1, "h1"));

      assertThat(cluster.pending("a", 1).pass().actions()).isEmpty();
      return judged;
    }

    @Test
    void skipsRefusedVictims() {
      PreemptionRule notTheFirst =
          pair ->
              pair.victim().id().equals("v1")
                  ? Verdict.refuse("no", "no")
                  : Verdict.allow("yes", "yes");
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(victimsBy(Map.of("v1", 2L, "v2", 1L)), notTheFirst))
              .host("h1", 2)
              .running("v1", 1, "h1")
              .running("v2", 1, "h1");

      assertThat(victims(cluster.pending("a", 1).pass())).containsExactly("v2");
    }

    @Test
    void preemptsNoneIfAllEligibleFreeTooLittle() {
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(latestFirst(), LESS_IMPORTANT))
              .host("h1", 3)
              .running("b", "bronze", 1, "h1")
              .running("g", "gold", 2, "h1");

      assertThat(cluster.pending("a", 2).pass().actions()).isEmpty();
      assertThat(cluster.instance("b").state()).isEqualTo(InstanceState.RUNNING);
    }

    @Test
    void skipsHostsThatAreTooSmall() {
      PreemptionRule notToBeAsked =
          pair -> {
            throw new AssertionError("asked about " + pair.victim());
          };
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(latestFirst(), notToBeAsked))
              .host("h1", 1)
              .running("b", "bronze", 1, "h1");

      assertThat(cluster.pending("a", 2).pass().actions()).isEmpty();
    }

    @Test
    void sparesStartingInstancesByDefault() {
      for (boolean allowed : List.of(false, true)) {
        Cluster cluster =
            Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL).preemptStarting(allowed))
                .host("h1", 1)
                .starting("s", "bronze", 1, "h1");

        assertThat(victims(cluster.at(1).pending("a", 1).pass()))
            .isEqualTo(allowed ? List.of("s") : List.of());
      }
    }

    @Test
    void ordersStartingAndRunningVictimsTogether() {
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts
                          .preemption(
                              victimsBy(Map.of("r1", 4L, "s1", 3L, "r2", 2L, "s2", 1L)), ALLOW_ALL)
                          .preemptStarting(true))
              .host("h1", 4);
      cluster.starting("s2", "bronze", 1, "h1").starting("s1", "bronze", 1, "h1");
      cluster.running("r2", "bronze", 1, "h1").running("r1", "bronze", 1, "h1");

      assertThat(victims(cluster.pending("a", 3).pass())).containsExactly("r1", "s1", "r2");
    }

    @Test
    void appliesDriftOfClassAndState() {
      VictimOrder drifting =
          new VictimOrder() {
            @Override
            public long key(Instance instance) {
              return 0;
            }

            @Override
            public long drift(ServiceClass serviceClass, InstanceState state, long now) {
              return 10L * serviceClass.importance() + (state == InstanceState.STARTING ? 5 : 0);
            }
          };
      List<String> judged = new ArrayList<>();
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts
                          .preemption(
                              drifting,
                              pair -> {
                                judged.add(pair.victim().id() + " " + pair.victimValue());
                                return Verdict.refuse("no", "no");
                              })
                          .preemptStarting(true))
              .host("h1", 6);
      cluster.running("g", "gold", 1, "h1").running("s", "silver", 1, "h1");
      cluster.running("b", "bronze", 1, "h1").starting("g'", "gold", 1, "h1");
      cluster.starting("s'", "silver", 1, "h1").starting("b'", "bronze", 1, "h1");
      judged.clear();

      cluster.at(1).pending("a", 1).pass();

      assertThat(judged).containsExactly("b' 35", "b 30", "s' 25", "s 20", "g' 15", "g 10");
    }

    @Test
    void takesAsManyVictimsAsNeeded() {
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL)).host("h1", 40);
      IntStream.range(0, 40).forEach(i -> cluster.at(i).running("v" + i, 1, "h1"));

      assertThat(victims(cluster.at(40).pending("a", 39).pass()))
          .containsExactlyElementsOf(IntStream.range(0, 39).mapToObj(i -> "v" + (39 - i)).toList());
    }

    @Test
    void sparesInstancesPlacedInThisPass() {
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL).preemptStarting(true))
              .host("h1", 1);

      Plan plan = cluster.pending("a", 1).pending("b", 1).pass();

      assertThat(plan.actions()).containsExactly(new Action.Place("a", "h1", List.of()));
    }

    @Test
    void victimsWaitForTheNextPass() {
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(latestFirst(), LESS_IMPORTANT)).host("h1", 2);
      cluster.at(1).pending("b1", "bronze", 1).at(2).pending("b2", "bronze", 1).pass();
      cluster.started("b1").started("b2").host("h2", 1).at(3).pending("a", 2);

      Plan first = cluster.pass();

      assertThat(first.preemptions())
          .extracting(Action.Preempt::instance)
          .containsExactly("b2", "b1");
      assertThat(order(first)).containsExactly("a");
      Plan second = cluster.pass();
      assertThat(order(second)).containsExactly("b1");
      assertThat(hosts(second)).containsExactly("h2");
    }

    @Test
    void preemptsEachInstanceOnceAPass() {
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(latestFirst(), LESS_IMPORTANT))
              .host("h1", 1)
              .running("b", "bronze", 1, "h1");

      Plan plan = cluster.at(1).pending("a", 1).pending("c", 1).pass();

      assertThat(plan.preemptions()).hasSize(1);
      assertThat(order(plan)).containsExactly("a");
    }

    @Test
    void keepsVictimOrderAsInstancesComeAndGo() {
      Cluster cluster = Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL)).host("h1", 6);
      for (int i = 0; i < 6; i++) {
        cluster.at(i).running("v" + i, "bronze", 1, "h1");
      }
      cluster.at(9).completed("v3");
      cluster.cancel("v5");
      cluster.failed("v1");
      cluster.cancel("v1");

      // v0, v2 and v4 remain on a host of 6.
      assertThat(victims(cluster.pending("a", 5).pass())).containsExactly("v4", "v2");
    }

    @Test
    void doesNotPreemptAntiAffineSiblings() {
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL))
              .host("h1", 1)
              .running(request("b", "bronze", 1).job("j"), "h1");

      assertThat(cluster.pending(request("a", 1).job("j").antiAffinity(true)).pass().actions())
          .isEmpty();
    }
  }

  @Nested
  class RankingOfHostsThatNeedPreemption {

    @Test
    void defaultsToNumberOfVictims() {
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL)).host("h1", 2).host("h2", 2);
      cluster.running("v1", 1, "h1").running("v2", 1, "h1").running("w", 2, "h2");

      assertThat(victims(cluster.at(1).pending("a", 2).pass())).containsExactly("w");
    }

    @Test
    void choosesSmallestCost() {
      Map<String, Double> costs = Map.of("v1", 5.0, "v2", 3.0, "v3", 4.0);
      Cluster cluster = oneVictimEach(cost(victim -> costs.get(victim.id())), 0, 1, 2);

      assertThat(victims(cluster.pending("a", 1).pass())).containsExactly("v2");
    }

    @Test
    void sumsCostOverVictims() {
      Map<String, Double> costs = Map.of("v1", 5.0, "v2", 1.0, "w", 4.0);
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts
                          .preemption(victimsBy(Map.of("v1", 2L, "v2", 1L)), ALLOW_ALL)
                          .preemptionCost(cost(victim -> costs.get(victim.id()))))
              .host("h1", 2)
              .host("h2", 2);
      cluster.running("v1", 1, "h1").running("v2", 1, "h1").running("w", 2, "h2");

      assertThat(victims(cluster.pending("a", 2).pass())).containsExactly("w");
    }

    @Test
    void comparesCostTuplesLexicographically() {
      Map<String, double[]> costs =
          Map.of(
              "v1",
              new double[] {1, 1, 0},
              "v2",
              new double[] {0, 9, 9},
              "v3",
              new double[] {0, 9, 8});

      Cluster cluster = oneVictimEach(tuples(costs), 0, 0, 0);

      assertThat(victims(cluster.pending("a", 1).pass())).containsExactly("v3");
    }

    @Test
    void breaksCostTiesByAllocationScore() {
      Cluster cluster = oneVictimEach(cost(victim -> victim.id().equals("v1") ? 0 : -1), 9, 3, 4);

      assertThat(victims(cluster.pending("a", 1).pass())).containsExactly("v3");
    }

    @Test
    void treatsMinusZeroAsZero() {
      Cluster minusZeroFirst = oneVictimEach(tuples(minusZeroFor("v1")), 1, 2, 3);
      Cluster minusZeroLast = oneVictimEach(tuples(minusZeroFor("v3")), 3, 2, 1);

      assertThat(victims(minusZeroFirst.pending("a", 1).pass())).containsExactly("v3");
      assertThat(victims(minusZeroLast.pending("a", 1).pass())).containsExactly("v1");
    }

    private static Map<String, double[]> minusZeroFor(String victim) {
      Map<String, double[]> costs = new TreeMap<>();
      Stream.of("v1", "v2", "v3").forEach(each -> costs.put(each, new double[] {0}));
      costs.put(victim, new double[] {-0.0});
      return costs;
    }

    @Test
    void breaksScoreTiesBySeededHash() {
      Cluster cluster = oneVictimEach(PreemptionCost.fewestVictims(), 0, 0, 0);

      Plan plan = cluster.pending("a", 1).pass();

      assertThat(hosts(plan))
          .containsExactly(
              Stream.of("h1", "h2", "h3")
                  .max(
                      Comparator.comparingLong(
                          host -> SeededTieBreaker.toss(0, plan.pass(), "a", host, 3)))
                  .orElseThrow());
    }

    @Test
    void comparesFinishedCosts() {
      PreemptionCost mostVictims =
          new PreemptionCost() {
            @Override
            public int width(int classes) {
              return classes;
            }

            @Override
            public void add(PreemptionPair pair, double[] tuple) {
              tuple[pair.victimClassRank()]++;
            }

            @Override
            public void finish(double[] tuple) {
              tuple[0] = -tuple[0];
            }
          };
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL).preemptionCost(mostVictims))
              .host("h1", 2)
              .host("h2", 2)
              .running("w", 2, "h2")
              .running("v1", 1, "h1")
              .running("v2", 1, "h1");

      assertThat(hosts(cluster.pending("a", 2).pass())).containsExactly("h1");
    }

    @Test
    void scoresTheHostWithoutTheVictims() {
      List<Long> used = new ArrayList<>();
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts
                          .preemption(latestFirst(), ALLOW_ALL)
                          .allocationScore(
                              fit -> {
                                used.add(fit.used(0));
                                return 0;
                              }))
              .host("h1", 4)
              .running("v1", 1, "h1")
              .at(1)
              .running("v2", 3, "h1");
      used.clear();

      cluster.at(2).pending("a", 2).pass();

      assertThat(used).containsExactly(3 * SECOND); // 4 - 3 + 2 cores
    }

    /** Hosts h1 to h3 of one core with v1 to v3 on them, and a score for each host. */
    private Cluster oneVictimEach(PreemptionCost cost, double... scores) {
      Cluster cluster =
          Cluster.of(
              parts ->
                  parts
                      .preemption(latestFirst(), ALLOW_ALL)
                      .preemptionCost(cost)
                      .allocationScore(fit -> scores[fit.host().id().charAt(1) - '1']));
      for (int i = 1; i <= 3; i++) {
        cluster.host("h" + i, 1).running("v" + i, "bronze", 1, "h" + i);
      }
      return cluster;
    }

    private PreemptionCost tuples(Map<String, double[]> costs) {
      return new PreemptionCost() {
        @Override
        public int width(int classes) {
          return classes;
        }

        @Override
        public void add(PreemptionPair pair, double[] tuple) {
          double[] each = costs.get(pair.victim().id());
          System.arraycopy(each, 0, tuple, 0, each.length);
        }
      };
    }
  }

  @Nested
  class MinimizingVictims {

    @Test
    void keepsOnlyTheVictimThatFreesEnoughAlone() {
      // a needs 2 and 2; v1 gives (2, 0), v2 (0, 1), v3 (2, 2): v3 makes the others unneeded.
      assertThat(victimsTaken(true)).containsExactly("v3");
    }

    @Test
    void takesAllVictimsIfMinimizationIsOff() {
      assertThat(victimsTaken(false)).containsExactly("v1", "v2", "v3");
    }

    private List<String> victimsTaken(boolean spare) {
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts
                          .preemption(victimsBy(Map.of("v1", 3L, "v2", 2L, "v3", 1L)), ALLOW_ALL)
                          .minimizeVictims(spare))
              .host("h1", cores(4, 3));
      cluster.running(request("v1", 0).demand(cores(2, 0)), "h1");
      cluster.running(request("v2", 0).demand(cores(0, 1)), "h1");
      cluster.running(request("v3", 0).demand(cores(2, 2)), "h1");
      return victims(cluster.pending(request("a", 0).demand(cores(2, 2))).pass());
    }

    @Test
    void sparesFromTheLastTakenToTheFirst() {
      // a needs 2 and 1; v1 and v2 give (1, 0), v3 (1, 1): v3 and one other suffice. v2 is spared.
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts.preemption(victimsBy(Map.of("v1", 3L, "v2", 2L, "v3", 1L)), ALLOW_ALL))
              .host("h1", cores(3, 1));
      cluster.running("v1", 1, "h1").running("v2", 1, "h1");
      cluster.running(request("v3", 0).demand(cores(1, 1)), "h1");

      assertThat(victims(cluster.pending(request("a", 0).demand(cores(2, 1))).pass()))
          .containsExactly("v1", "v3");
    }

    @Test
    void sparesNoneIfDemandsAreEqual() {
      Cluster cluster = Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL)).host("h1", 3);
      Stream.of("v1", "v2", "v3").forEach(id -> cluster.running(id, 1, "h1"));

      assertThat(victims(cluster.pending("a", 3).pass())).hasSize(3);
    }

    @Test
    void sparesEveryUnneededVictim() {
      // a needs 1 and 1; v0 to v29 give (1, 0), v30 (1, 1): v30 makes all others unneeded.
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(victimsBy(Map.of("v30", -1L)), ALLOW_ALL)) // the last
              .host("h1", cores(31, 1));
      IntStream.range(0, 30).forEach(i -> cluster.running("v" + i, 1, "h1"));
      cluster.running(request("v30", 0).demand(cores(1, 1)), "h1");

      assertThat(victims(cluster.pending(request("a", 0).demand(cores(1, 1))).pass()))
          .containsExactly("v30");
    }

    @Test
    void sparedVictimsCostNothing() {
      // On h1, v1 to v3 as above cost 1 each and only v3 is needed; w on h2 costs 2.
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts
                          .preemption(victimsBy(Map.of("v1", 3L, "v2", 2L, "v3", 1L)), ALLOW_ALL)
                          .preemptionCost(cost(v -> v.id().equals("w") ? 2 : 1)))
              .host("h1", cores(4, 3))
              .host("h2", cores(4, 3));
      cluster.running(request("v1", 0).demand(cores(2, 0)), "h1");
      cluster.running(request("v2", 0).demand(cores(0, 1)), "h1");
      cluster.running(request("v3", 0).demand(cores(2, 2)), "h1");
      cluster.running(request("w", 0).demand(cores(4, 3)), "h2");

      assertThat(victims(cluster.pending(request("a", 0).demand(cores(2, 2))).pass()))
          .containsExactly("v3");
    }
  }

  @Nested
  class Decisions {

    @Test
    void nameRuleValuesAndFeasibleHosts() {
      Cluster cluster =
          Cluster.of(
                  Scheduler.builder().topScores(1),
                  parts -> parts.preemption(victimsBy(Map.of("v", 7L, "a", 2L)), ALLOW_ALL))
              .host("h1", 1)
              .host("h2", 3)
              .running("v", "bronze", 1, "h1")
              .running("w", 3, "h2");

      cluster.at(5).pending("a", 1).pass();

      Decision decision = last(cluster);
      assertThat(decision.pass()).isEqualTo(3);
      assertThat(decision.now()).isEqualTo(5 * SECOND);
      assertThat(decision.instance()).isEqualTo("a");
      assertThat(decision.roomyHosts()).isZero();
      assertThat(decision.contestedHosts()).isEqualTo(2);
      // Both cost one victim; h2, left with 2 of 3 cores free, scores (2/3 + 1) / 2.
      assertThat(decision.host()).isEqualTo("h2");
      assertThat(decision.allocationScore()).hasValue((2 / 3.0 + 1) / 2);
      assertThat(decision.victims())
          .containsExactly(new Decision.Victim("w", "any", "anybody", 0, 2));
    }

    @Test
    void countNoPreemptionHostsIfNoneWereEvaluated() {
      Cluster cluster =
          Cluster.of(
                  Scheduler.builder().topScores(1),
                  parts -> parts.preemption(latestFirst(), ALLOW_ALL))
              .host("h1", 1)
              .host("h2", 1);

      cluster.pending("a", 1).pass();

      assertThat(last(cluster).roomyHosts()).isEqualTo(2);
      assertThat(last(cluster).contestedHosts()).isEqualTo(-1);
    }

    @Test
    void countNoHostsUnlessAllWereEvaluated() {
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(latestFirst(), LESS_IMPORTANT))
              .host("h1", 1)
              .pending("b", "bronze", 1);
      cluster.pass().placements().forEach(place -> cluster.started(place.instance()));

      assertThat(last(cluster).roomyHosts()).isEqualTo(-1);
      assertThat(last(cluster).allocationScore()).hasValue(0.5);
      assertThat(last(cluster).top()).isEmpty();

      cluster.pending("a", 1).pass();

      assertThat(last(cluster).victims()).hasSize(1);
      assertThat(last(cluster).contestedHosts()).isEqualTo(-1);
      assertThat(last(cluster).allocationScore()).hasValue(0.5);
    }

    @Test
    void listTheBestHostsBestFirst() {
      Map<String, Double> scores =
          new TreeMap<>(Map.of("h1", 1.0, "h2", 3.0, "h3", 2.0, "h4", 2.0));
      Cluster cluster =
          Cluster.of(
              Scheduler.builder().topScores(3),
              parts -> parts.allocationScore(fit -> scores.get(fit.host().id())));
      scores.keySet().forEach(id -> cluster.host(id, 1));

      cluster.pending("a", 1).pass();

      assertThat(last(cluster).top())
          .containsExactly(
              new Decision.HostScore("h2", List.of(), 3),
              new Decision.HostScore("h3", List.of(), 2),
              new Decision.HostScore("h4", List.of(), 2));
    }

    @Test
    void listTheChosenHostFirstAfterATie() {
      Cluster cluster = Cluster.of(Scheduler.builder().topScores(1), parts -> parts);
      IntStream.range(0, 5).forEach(i -> cluster.host("h" + i, 9));
      IntStream.range(0, 5).forEach(i -> cluster.pending("i" + i, 1));

      cluster.pass();

      assertThat(cluster.scheduler().decisions().all())
          .hasSize(5)
          .allSatisfy(each -> assertThat(each.top().get(0).host()).isEqualTo(each.host()));
    }

    @Test
    void listTheCheapestHostsCheapestFirst() {
      Map<String, Double> costs = Map.of("v1", 5.0, "v2", 3.0, "v3", 4.0);
      Cluster cluster =
          Cluster.of(
              Scheduler.builder().topScores(9),
              parts ->
                  parts
                      .preemption(latestFirst(), ALLOW_ALL)
                      .preemptionCost(cost(victim -> costs.get(victim.id())))
                      .allocationScore(fit -> fit.host().id().equals("h1") ? 9 : 1));
      for (int i = 1; i <= 3; i++) {
        cluster.host("h" + i, 1).running("v" + i, "bronze", 1, "h" + i);
      }

      cluster.pending("a", 1).pass();

      assertThat(last(cluster).top())
          .containsExactly(
              new Decision.HostScore("h2", List.of(3.0), 1),
              new Decision.HostScore("h3", List.of(4.0), 1),
              new Decision.HostScore("h1", List.of(5.0), 9));
    }

    @Test
    void listHostsOfZeroCostByScore() {
      for (String minus : List.of("v1", "v2")) {
        PreemptionCost zero =
            new PreemptionCost() {
              @Override
              public int width(int classes) {
                return 1;
              }

              @Override
              public void add(PreemptionPair pair, double[] tuple) {
                tuple[0] = pair.victim().id().equals(minus) ? -0.0 : 0.0;
              }
            };
        String other = minus.equals("v1") ? "h2" : "h1";
        Cluster cluster =
            Cluster.of(
                    Scheduler.builder().topScores(1),
                    parts ->
                        parts
                            .preemption(latestFirst(), ALLOW_ALL)
                            .preemptionCost(zero)
                            .allocationScore(fit -> fit.host().id().equals(other) ? 1 : 0))
                .host("h1", 1)
                .host("h2", 1)
                .running("v1", 1, "h1")
                .running("v2", 1, "h2");

        cluster.pending("a", 1).pass();

        assertThat(last(cluster).top()).extracting(Decision.HostScore::host).containsExactly(other);
        assertThat(last(cluster).host()).isEqualTo(other);
      }
    }

    @Test
    void areTheSameWithAndWithoutTopScores() {
      List<List<Action>> plans = new ArrayList<>();
      for (int top : List.of(0, 2)) {
        Cluster cluster =
            Cluster.of(
                    Scheduler.builder().topScores(top).seed(11),
                    parts -> parts.preemption(latestFirst(), LESS_IMPORTANT))
                .host("h1", 3)
                .host("h2", 2)
                .host("h3", 4);
        IntStream.range(0, 9).forEach(i -> cluster.pending("b" + i, "bronze", 1));
        cluster.pass().placements().forEach(place -> cluster.started(place.instance()));
        IntStream.range(0, 4).forEach(i -> cluster.pending("g" + i, 2));
        plans.add(cluster.at(1).pass().actions());
      }

      assertThat(plans.get(0)).isNotEmpty().isEqualTo(plans.get(1));
    }

    @Test
    void areKeptUpToTheLogSize() {
      Cluster cluster =
          Cluster.of(Scheduler.builder().decisionLog(3), parts -> parts).host("h1", 99);
      IntStream.range(0, 7).forEach(i -> cluster.pending("i" + i, 1));

      cluster.pass();

      assertThat(cluster.scheduler().decisions().all())
          .extracting(Decision::instance)
          .containsExactly("i4", "i5", "i6");
      assertThat(cluster.scheduler().decisions().latest(each -> each.host().equals("h1")))
          .map(Decision::instance)
          .contains("i6");
      assertThat(cluster.scheduler().decisions().latest(each -> each.instance().equals("i0")))
          .isEmpty();
    }

    @Test
    void areNotRecordedIfTheLogIsOff() {
      Cluster cluster = Cluster.of(Scheduler.builder().decisionLog(0), parts -> parts);

      Plan plan = cluster.host("h1", 1).pending("a", 1).pass();

      assertThat(plan.placements()).hasSize(1);
      assertThat(cluster.scheduler().decisions().all()).isEmpty();
    }

    @Test
    void askTheRuleAgainOnlyToRecord() {
      for (int kept : List.of(0, 1)) {
        List<String> asked = new ArrayList<>();
        Cluster cluster =
            Cluster.of(
                    Scheduler.builder().decisionLog(kept),
                    parts ->
                        parts.preemption(
                            latestFirst(),
                            pair -> {
                              asked.add(pair.victim().id());
                              return Verdict.allow("any", "anybody");
                            }))
                .host("h1", 1)
                .running("v", "bronze", 1, "h1");

        cluster.pending("a", 1).pass();

        // Asked once to decide, and once more to record the verdict.
        assertThat(asked).hasSize(1 + kept);
      }
    }

    @Test
    void ofAHandWrittenPolicyAreBare() {
      Cluster cluster = Cluster.byHand().host("h1", 1).running("v", "bronze", 1, "h1");

      cluster.at(4).pending("a", 1).place("a", "h1", "v");

      assertThat(last(cluster)).isEqualTo(Decision.bare(2, 4 * SECOND, "a", "h1", List.of("v")));
    }

    private Decision last(Cluster cluster) {
      return cluster.scheduler().decisions().latest(any -> true).orElseThrow();
    }
  }

  @Nested
  class Determinism {

    @Test
    void sameInputAndSeedGiveSamePlans() {
      assertThat(plansOf(42)).isEqualTo(plansOf(42));
    }

    @Test
    void otherSeedGivesOtherPlans() {
      assertThat(plansOf(42)).isNotEqualTo(plansOf(43));
    }

    private List<Plan> plansOf(long seed) {
      Cluster cluster =
          Cluster.of(
              Scheduler.builder().seed(seed),
              parts -> parts.preemption(latestFirst(), LESS_IMPORTANT));
      List<Plan> plans = new ArrayList<>();
      IntStream.range(0, 10).forEach(i -> cluster.host("h" + i, 2));
      IntStream.range(0, 30)
          .forEach(
              i -> {
                cluster.at(i).pending("i" + i, List.of("bronze", "silver", "gold").get(i % 3), 1);
                Plan plan = cluster.pass();
                plan.placements().forEach(place -> cluster.started(place.instance()));
                plans.add(plan);
              });
      return plans;
    }
  }

  private static List<String> order(Plan plan) {
    return plan.placements().stream().map(Action.Place::instance).toList();
  }

  private static List<String> hosts(Plan plan) {
    return plan.placements().stream().map(Action.Place::host).toList();
  }

  private static List<String> victims(Plan plan) {
    return plan.placements().stream().flatMap(place -> place.victims().stream()).toList();
  }
}

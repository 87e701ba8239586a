package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Plans.hosts;
import static dev.berth.core.Plans.victims;
import static dev.berth.core.TestParts.ALLOW_ALL;
import static dev.berth.core.TestParts.cost;
import static dev.berth.core.TestParts.latestFirst;
import static dev.berth.core.TestParts.victimsBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.plan.Plan;
import dev.berth.core.decision.SeededTieBreaker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Ranking of the hosts that need preemption. */
class PreemptionRankingTest {

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

  /** The hosts are evaluated in order of joining; only the first is the best so far. */
  @Test
  void scoresNoHostThatCostsMoreThanTheBest() {
    List<String> scored = new ArrayList<>();
    Cluster cluster =
        Cluster.of(
            parts ->
                parts
                    .preemption(latestFirst(), ALLOW_ALL)
                    .preemptionCost(cost(victim -> victim.id().charAt(1)))
                    .allocationScore(
                        fit -> {
                          scored.add(fit.host().id());
                          return 0;
                        }));
    for (int i = 1; i <= 3; i++) {
      cluster.host("h" + i, 1).running("v" + i, "bronze", 1, "h" + i);
    }
    scored.clear();

    cluster.pending("a", 1).pass();

    assertThat(scored).containsExactly("h1");
  }

  @Test
  void explanationLeavesNoVictimsToTheNextScore() {
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
            .running("v", "bronze", 3, "h1")
            .pending("a", 2);
    used.clear();

    assertThat(cluster.scheduler().explain().whyPending("a", 0).contestedHosts()).isEqualTo(1);
    cluster.host("h2", 8).pass();

    assertThat(used).containsExactly(2 * SECOND);
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

package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static dev.berth.core.Plans.hosts;
import static dev.berth.core.TestParts.ALLOW_ALL;
import static dev.berth.core.TestParts.latestFirst;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.decision.SeededTieBreaker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ranking of the hosts with room. */
class HostRankingTest {

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
        .containsExactly("a on h1: 3000000000 of 4000000000 cpu, 2000000000 of 8000000000 memory");
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

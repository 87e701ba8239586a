package dev.berth.core;

import static dev.berth.core.Plans.placements;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.error.PolicyFailedException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tie-breaks by host id and in turn. */
class TieBreakTest {

  @Test
  void byIdChoosesTheFirstHost() {
    Cluster cluster = withEqualScores(TieBreak.BY_ID).host("h3", 2).host("h1", 2).host("h2", 2);

    assertThat(placements(five(cluster).pass()))
        .containsExactly("a on h1", "b on h1", "c on h2", "d on h2", "e on h3");
  }

  @Test
  void inTurnChoosesTheNextHostCyclically() {
    Cluster cluster = withEqualScores(TieBreak.IN_TURN).host("h3", 2).host("h1", 2).host("h2", 2);

    assertThat(placements(five(cluster).pass()))
        .containsExactly("a on h1", "b on h2", "c on h3", "d on h1", "e on h2");
  }

  @Test
  void turnContinuesInTheNextPassAndSkipsFullOrRemovedHosts() {
    Cluster cluster = withEqualScores(TieBreak.IN_TURN).host("h1", 9).host("h2", 9).host("h3", 0.5);
    cluster.host("h4", 9).pending("a", 1).pending("b", 1).pass();

    assertThat(placements(cluster.pending("c", 1).pass())).containsExactly("c on h4");
    cluster.removed("h4");
    assertThat(placements(cluster.pending("d", 1).pass())).containsExactly("c on h1", "d on h2");
  }

  /** The number of hosts decides how many bits of their hashes form groups; see the tie-breaker. */
  @Test
  void seededChoosesTheGreatestTossAmongManyHosts() {
    int hosts = 200;
    Cluster cluster = withEqualScores(TieBreak.SEEDED);
    IntStream.range(0, hosts).forEach(i -> cluster.host("h" + i, 9));
    for (int i = 0; i < 10; i++) {
      String id = "i" + i;
      Plan plan = cluster.pending(id, 0.1).pass();

      String winner =
          IntStream.range(0, hosts)
              .mapToObj(h -> "h" + h)
              .max(
                  Comparator.comparingLong(
                      host -> SeededTieBreaker.toss(0, plan.pass(), id, host, hosts)))
              .orElseThrow();
      assertThat(placements(plan)).containsExactly(id + " on " + winner);
    }
  }

  @Test
  void scorePrecedesTurn() {
    Cluster cluster =
        Cluster.of(
                parts ->
                    parts
                        .ties(TieBreak.IN_TURN)
                        .allocationScore(fit -> fit.host().id().equals("h1") ? 1 : 0))
            .host("h1", 9)
            .host("h2", 9);

    assertThat(placements(cluster.pending("a", 1).pending("b", 1).pass()))
        .containsExactly("a on h1", "b on h1");
  }

  @Test
  void discardedForkTakesNoTurn() {
    Cluster cluster =
        Cluster.withPolicy(
                Scheduler.builder(),
                context -> {
                  Policy inner =
                      context.pipeline().ties(TieBreak.IN_TURN).allocationScore(fit -> 0).build();
                  return pass -> {
                    try (Fork fork = pass.fork()) {
                      inner.schedule(fork);
                    }
                    inner.schedule(pass);
                  };
                })
            .host("h1", 9)
            .host("h2", 9)
            .host("h3", 9);

    assertThat(placements(cluster.pending("a", 1).pass())).containsExactly("a on h1");
    assertThat(placements(cluster.pending("b", 1).pass())).containsExactly("b on h2");
  }

  @Test
  void failedPassTakesNoTurn() {
    boolean[] fails = new boolean[1];
    Cluster cluster =
        Cluster.withPolicy(
                Scheduler.builder(),
                context -> {
                  Policy inner =
                      context.pipeline().ties(TieBreak.IN_TURN).allocationScore(fit -> 0).build();
                  return pass -> {
                    inner.schedule(pass);
                    if (fails[0]) {
                      throw new IllegalArgumentException("no");
                    }
                  };
                })
            .host("h1", 9)
            .host("h2", 9);
    fails[0] = true;
    assertThatExceptionOfType(PolicyFailedException.class)
        .isThrownBy(() -> cluster.pending("a", 1).pass());
    fails[0] = false;

    assertThat(placements(cluster.pass())).containsExactly("a on h1");
  }

  private static Cluster withEqualScores(TieBreak tieBreak) {
    return Cluster.of(parts -> parts.ties(tieBreak).allocationScore(fit -> 0));
  }

  private static Cluster five(Cluster cluster) {
    List.of("a", "b", "c", "d", "e").forEach(id -> cluster.pending(id, 1));
    return cluster;
  }
}

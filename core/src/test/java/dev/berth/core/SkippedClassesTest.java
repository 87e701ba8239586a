package dev.berth.core;

import static dev.berth.core.Plans.instances;
import static dev.berth.core.Plans.placements;
import static dev.berth.core.TestParts.latestFirst;
import static dev.berth.core.TestParts.queueBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.ResourceScore;
import dev.berth.core.decision.Decision;
import dev.berth.core.error.PolicyFailedException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A pass skips requests that cannot find a host, but none that can. */
class SkippedClassesTest {

  private final OnlyForGold rule = new OnlyForGold();

  // ---- Skipped, as the number of judgements shows

  @Test
  void skipsTheRestOfAClassOnceOneFails() {
    Cluster cluster = preempting(instance -> instance.admittedAt());
    cluster.host("h1", 4).running("v1", "bronze", 4, "h1");
    cluster.host("h2", 4).running("v2", "bronze", 2, "h2");
    cluster.at(1).pending("a1", "silver", 4).at(2).pending("b", "silver", 1);
    cluster.at(3).pending("a2", "silver", 4);

    assertThat(instances(cluster.pass())).containsExactly("b");

    // Those of a1. Otherwise a2 would be tried on h2, which b has changed.
    assertThat(rule.judged).isEqualTo(2);
  }

  @Test
  void skipsAClassThatFailedInAnEarlierPass() {
    Cluster cluster = preempting(queueBy(Map.of("b", -1L)));
    cluster.host("h1", 4).running("v1", "bronze", 4, "h1");
    cluster.host("h2", 4).running("v2", "bronze", 2, "h2");
    cluster.pending("a", "silver", 4).pass();
    assertThat(rule.judged).isEqualTo(2);

    assertThat(instances(cluster.at(1).pending("b", "silver", 1).pass())).containsExactly("b");

    // It would now be tried on h2, which b has changed.
    assertThat(rule.judged).isEqualTo(2);
  }

  // ---- Resumed

  @Test
  void resumesAClassAfterEachPreemption() {
    Cluster cluster = preempting(instance -> instance.admittedAt());
    cluster.host("h1", 5).running("v1", "bronze", 5, "h1");
    cluster.host("h2", 5).running("v2", "bronze", 5, "h2");
    cluster.at(1).pending("a1", "silver", 1).at(2).pending("g1", "gold", 3);
    cluster.at(3).pending("g2", "gold", 4).at(4).pending("a2", "silver", 1);

    // It is not the turn of a1 any more.
    assertThat(instances(cluster.pass())).containsExactly("g1", "g2", "a2");
    assertThat(instances(cluster.pass())).containsExactly("a1");
  }

  @Test
  void resumesAClassThatFailedInAnEarlierPass() {
    Cluster cluster = preempting(queueBy(Map.of("a1", 1L, "g", 2L, "a2", 3L)));
    cluster.host("h1", 5).running("v1", "bronze", 5, "h1");
    cluster.pending("a1", "silver", 1).pending("a2", "silver", 1).pass();
    cluster.at(1).pending("g", "gold", 3);

    assertThat(instances(cluster.pass())).containsExactly("g", "a2");
  }

  @Test
  void failedPassLeavesNoTurnsBehind() {
    AtomicBoolean fails = new AtomicBoolean(true);
    Cluster cluster =
        Cluster.of(
            parts ->
                parts.allocationScore(
                    fit -> {
                      if (fails.get()) {
                        throw new IllegalStateException("fails on purpose");
                      }
                      return 0;
                    }));
    cluster.host("h1", 4).pending("a", 1).at(1).pending("b", 2);
    assertThatThrownBy(cluster::pass).isInstanceOf(PolicyFailedException.class);
    fails.set(false);

    assertThat(placements(cluster.pass())).containsExactly("a on h1", "b on h1");
  }

  // ---- Scores

  /** The host of a placement is scored before its class shares the candidates. */
  @Test
  void scoresTheChosenHostAgainOnlyToRecordIt() {
    int[] scored = {0, 0};
    for (int kept : new int[] {0, 1}) {
      ResourceScore score =
          fit -> {
            scored[kept]++;
            return 7;
          };
      Cluster cluster =
          Cluster.of(
              Scheduler.builder().decisionLog(4 * kept),
              parts -> parts.allocationScore(score).preemption(latestFirst(), rule));
      IntStream.range(0, 4)
          .forEach(i -> cluster.host("h" + i, 1).running("v" + i, "bronze", 1, "h" + i));
      scored[kept] = 0;
      IntStream.range(0, 4).forEach(i -> cluster.pending("g" + i, 1));

      assertThat(cluster.pass().placements()).hasSize(4);

      assertThat(cluster.scheduler().decisions().all())
          .hasSize(4 * kept)
          .extracting(Decision::allocationScore)
          .allSatisfy(each -> assertThat(each).hasValue(7));
    }
    assertThat(scored[1]).isEqualTo(scored[0] + 4);
  }

  private Cluster preempting(QueueOrder queue) {
    return Cluster.of(parts -> parts.queue(queue).preemption(latestFirst(), rule));
  }

  /** Lets gold instances preempt bronze ones, and counts its judgements. */
  private static final class OnlyForGold implements MonotonePreemptionRule {

    private int judged;

    @Override
    public Verdict judge(PreemptionPair pair) {
      judged++;
      return pair.beneficiaryClassRank() == 0 && pair.victimClassRank() == 2
          ? Verdict.allow("gold", "for gold")
          : Verdict.refuse("no", "not for gold");
    }

    @Override
    public long refusedUntil(PreemptionPair pair) {
      return Long.MAX_VALUE;
    }
  }
}

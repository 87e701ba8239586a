package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.api.TimeLimits;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.error.PolicyFailedException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work that the engine skips changes no plan. */
class SearchPruningTest {

  /** Each new dimension rebuilds the host index. */
  @Test
  void hostsMayJoinAfterALateDimension() {
    Cluster cluster = Cluster.of(parts -> parts);
    for (int i = 0; i < 20; i++) {
      cluster.host("h" + i, 100);
    }
    cluster.pending("before", 1).pass();
    cluster.host("late", Resources.of(new Dimension("gpu", 1), 4)).pending("then", 1).pass();
    for (int i = 20; i < 40; i++) {
      cluster.host("h" + i, 100);
    }

    Plan plan = cluster.pending("after", 1).pass();

    assertThat(plan.placements()).extracting(Action.Place::instance).containsExactly("after");
  }

  /** A sibling excludes one instance from a host, not the rest of its equivalence class. */
  @Test
  void siblingConflictClosesAHostToNoOther() {
    Cluster cluster = preempting();
    cluster.host("h1", 2).running("victim", "bronze", 1, "h1");
    cluster.running(request("sibling", 1).job("j").antiAffinity(true), "h1");
    cluster.pending("first", 1).pass(); // its equivalence class may not preempt until 10 s
    cluster.cancel("first");
    cluster.at(1).pending(request("brother", 1).job("j"));
    cluster.at(2).pending("other", 1).pass();

    Plan plan = cluster.at(13).pass();

    assertThat(plan.placements()).extracting(Action.Place::instance).containsExactly("other");
  }

  /** The same for a host with room. */
  @Test
  void siblingConflictOnAHostWithRoomClosesItToNoOther() {
    Cluster cluster = preempting();
    cluster.host("roomy", 10).running(request("sibling", 1).job("j").antiAffinity(true), "roomy");
    cluster.pending(request("brother", 1).job("j")).pass(); // finds no host
    cluster.cancel("brother");
    cluster.at(1).host("tight", 1).pending("other", 1);

    Plan plan = cluster.pass();

    assertThat(plan.placements()).extracting(Action.Place::host).containsExactly("roomy");
  }

  /**
   * The refusal of a beneficiary that found another host does not bind beneficiaries of lower
   * value. That also holds if keys of the victim order, times plus an offset, wrap around between
   * them.
   */
  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 4 * SECOND})
  void refusalOfAPlacedBeneficiaryDoesNotBindLowerValues(long offset) {
    Cluster cluster = preempting(TestParts.latestFirst(offset), new AfterAWhile());
    cluster.host("h1", 1).running("v10", "bronze", 1, "h1");
    cluster.host("h2", 1).running("v20", "bronze", 1, "h2");
    cluster.pending("first", 1).pass(); // refused until 10 s and 20 s
    cluster.cancel("first");
    cluster.at(3).host("h3", 1).pending("worse off", 1).pass();
    cluster.at(5).pending("better off", 1);
    Plan plan = cluster.at(24).pass();
    assertThat(plan.placements())
        .extracting(Action.Place::instance, Action.Place::host)
        .containsExactly(tuple("better off", "h1"));
    cluster.removed("h3"); // its instance is pending again, with a key of 3 s

    assertThat(cluster.pass().placements())
        .extracting(Action.Place::instance, Action.Place::host)
        .containsExactly(tuple("worse off", "h2"));
  }

  /** Verdicts stay valid between two passes at the same time. */
  @Test
  void doesNotJudgeAgainAtTheSameTime() {
    int[] judged = {0};
    PreemptionRule refusesForNow =
        new AfterAWhile() {
          @Override
          public Verdict judge(PreemptionPair pair) {
            judged[0]++;
            return super.judge(pair);
          }

          @Override
          public long refusedUntil(PreemptionPair pair) {
            return pair.now();
          }
        };
    Cluster cluster = Cluster.of(parts -> parts.preemption(TestParts.latestFirst(), refusesForNow));
    cluster.host("h1", 1).running("v10", "bronze", 1, "h1").pending("p1", 1);
    cluster.at(5).pass();
    assertThat(judged[0]).isEqualTo(1);

    assertThat(cluster.pass().actions()).isEmpty();
    assertThat(judged[0]).isEqualTo(1);
    cluster.at(6).pass();
    assertThat(judged[0]).isEqualTo(2);
  }

  /** The next pass may preempt an instance placed in this one, even at the same time. */
  @ParameterizedTest
  @ValueSource(longs = {0, TimeLimits.LATEST, TimeLimits.EARLIEST})
  void instancePlacedInOnePassIsAVictimInTheNextAtTheSameTime(long now) {
    PreemptionRule onlyTheFirst =
        new MonotonePreemptionRule() {
          @Override
          public Verdict judge(PreemptionPair pair) {
            return pair.victim().id().equals("first")
                ? Verdict.allow("first", "it is the first")
                : Verdict.refuse("other", "it is not the first");
          }
        };
    Cluster cluster =
        Cluster.of(
            parts ->
                parts
                    .preemptStarting(true)
                    .preemption(
                        TestParts.victimsBy(Map.of("first", 0L, "second", 0L)), onlyTheFirst));
    cluster.atNanos(now).host("h1", 1).pending("first", 1).pending("second", 1).pass();

    assertThat(cluster.pass().placements())
        .extracting(Action.Place::instance)
        .containsExactly("second");
  }

  /** A pass does not reuse the partial result of a failed scan. */
  @Test
  void ruleThatFailsDuringTheScanKeepsNoPartialResult() {
    AtomicBoolean fails = new AtomicBoolean();
    Cluster cluster =
        preempting(
            TestParts.latestFirst(),
            new Until(Map.of("v1", 100 * SECOND, "v2", 15 * SECOND), 50 * SECOND, fails));
    cluster.host("h1", 1).running("v1", "bronze", 1, "h1");
    cluster.host("h2", 1).running("v2", "bronze", 1, "h2");
    cluster.at(5).pending("first", 1).pass(); // no instance may preempt until 50 s
    cluster.cancel("first");
    cluster.at(10).host("h3", 1).pending("worse off", 1).pass();
    cluster.at(20).pending("better off", 1);
    fails.set(true);
    assertThatThrownBy(cluster.at(60)::pass).isInstanceOf(PolicyFailedException.class);
    fails.set(false);
    cluster.cancel("better off");
    cluster.removed("h1");
    cluster.cancel("v1");
    cluster.removed("h3"); // its instance is pending again

    assertThat(cluster.pass().placements())
        .extracting(Action.Place::instance, Action.Place::host)
        .containsExactly(tuple("worse off", "h2"));
  }

  /** The same while the engine revisits preemption candidates. */
  @Test
  void ruleThatFailsDuringPreemptionSearchKeepsNoPartialResult() {
    AtomicBoolean fails = new AtomicBoolean();
    Cluster cluster =
        preempting(
            TestParts.latestFirst(),
            new Until(Map.of("v0", 13 * SECOND, "v1", 17 * SECOND, "v2", 15 * SECOND), 0, fails));
    cluster.host("h0", 2).running("v0", "bronze", 2, "h0");
    cluster.host("h1", 1).running("v1", "bronze", 1, "h1");
    cluster.host("h2", 1).running("v2", "bronze", 1, "h2");
    cluster.at(12).pending("worst off", 1); // takes h0, which keeps some room
    cluster.at(20);
    for (int i = 0; i < 6; i++) {
      cluster.pending("better off " + i, 1);
    }
    fails.set(true);
    assertThatThrownBy(cluster.at(60)::pass).isInstanceOf(PolicyFailedException.class);
    fails.set(false);
    cluster.removed("h0");
    cluster.cancel("v0");

    assertThat(cluster.pass().placements())
        .extracting(Action.Place::instance)
        .containsExactly("worst off");
  }

  /** A refusal holds at least for the present instant, also at the end of life. */
  @ParameterizedTest
  @ValueSource(longs = {5 * SECOND, 36_500L * 86_400 * SECOND})
  void doesNotJudgeAgainAtTheSameTimeIfARefusalEndedInThePast(long time) {
    int[] judged = {0};
    PreemptionRule refuses =
        new AfterAWhile() {
          @Override
          public Verdict judge(PreemptionPair pair) {
            judged[0]++;
            return Verdict.refuse("no", "never");
          }

          @Override
          public long refusedUntil(PreemptionPair pair) {
            return pair.now() - 1;
          }
        };
    Cluster cluster = Cluster.of(parts -> parts.preemption(TestParts.latestFirst(), refuses));
    cluster.host("h1", 1).running("v", "bronze", 1, "h1").pending("p", 1);

    cluster.atNanos(time).pass();
    cluster.pass();

    assertThat(judged[0]).isEqualTo(1);
  }

  /** Later requests have greater values, for which the rule allows the same victims. */
  @Test
  void sharedCandidatesAreJudgedOnceForAllRequestsAlike() {
    int[] judged = {0};
    PreemptionRule bronze =
        new MonotonePreemptionRule() {
          @Override
          public Verdict judge(PreemptionPair pair) {
            judged[0]++;
            return Verdict.allow("bronze", "a bronze instance");
          }

          @Override
          public long allowedUpTo(PreemptionPair pair) {
            return Long.MAX_VALUE;
          }
        };
    Cluster cluster =
        Cluster.of(
            Scheduler.builder().decisionLog(0),
            parts -> parts.preemption(TestParts.latestFirst(), bronze));
    for (int i = 0; i < 8; i++) {
      cluster.host("h" + i, 1).running("v" + i, "bronze", 1, "h" + i);
    }
    for (int i = 1; i <= 5; i++) {
      cluster.at(i).pending("a" + i, 1);
    }

    Plan plan = cluster.pass();

    assertThat(Plans.victims(plan)).hasSize(5).doesNotHaveDuplicates();
    // The victims on eight hosts, and once more those on the host chosen for each request.
    assertThat(judged[0]).isLessThanOrEqualTo(8 + 5);
  }

  /** Shared candidates ignore siblings. */
  @Test
  void siblingOnTheOnlySharedCandidateBlocksOneRequestAlone() {
    MonotonePreemptionRule bronze =
        pair ->
            pair.victim().serviceClass().name().equals("bronze")
                ? PreemptionRule.Verdict.allow("bronze", "a bronze instance")
                : PreemptionRule.Verdict.refuse("other", "another class");
    Cluster cluster = preempting(TestParts.latestFirst(), bronze);
    cluster.host("h1", 2).running("victim", "bronze", 1, "h1");
    cluster.running(request("sibling", 1).job("j").antiAffinity(true), "h1");
    cluster.at(1).pending(request("brother", 1).job("j"));
    for (int i = 2; i < 7; i++) {
      cluster.at(i).pending("other " + i, 1);
    }

    assertThat(Plans.placements(cluster.pass())).containsExactly("other 2 on h1");
  }

  /**
   * Bronze instance v20 yields to instances admitted at least 20 s ago, other bronze instances to
   * those admitted at least 10 s ago.
   */
  private static Cluster preempting() {
    return preempting(TestParts.latestFirst(), new AfterAWhile());
  }

  private static Cluster preempting(VictimOrder order, PreemptionRule rule) {
    return Cluster.of(parts -> parts.preemption(order, rule));
  }

  /**
   * Allows a victim for beneficiaries admitted before its end, but refuses all before {@code
   * begin}. Throws for v1 while {@code fails} is set.
   */
  private record Until(Map<String, Long> ends, long begin, AtomicBoolean fails)
      implements MonotonePreemptionRule {

    @Override
    public Verdict judge(PreemptionPair pair) {
      if (fails.get()
          && pair.victim().id().equals("v1")
          && pair.beneficiaryValue() >= 17 * SECOND) {
        throw new IllegalStateException("fails on purpose");
      }
      return pair.now() >= begin && pair.beneficiaryValue() < end(pair)
          ? Verdict.allow("then", "admitted before its end")
          : Verdict.refuse("late", "admitted too late, or it is too early");
    }

    @Override
    public long allowedUpTo(PreemptionPair pair) {
      return end(pair) - 1;
    }

    @Override
    public long refusedUntil(PreemptionPair pair) {
      return pair.beneficiaryValue() < end(pair) ? Math.max(pair.now(), begin) : Long.MAX_VALUE;
    }

    private long end(PreemptionPair pair) {
      return ends.getOrDefault(pair.victim().id(), Long.MIN_VALUE / 4);
    }
  }

  private static class AfterAWhile implements MonotonePreemptionRule {

    @Override
    public Verdict judge(PreemptionPair pair) {
      return pair.now() >= waitsUntil(pair)
          ? Verdict.allow("waited", "waited long enough")
          : Verdict.refuse("early", "waited too short");
    }

    @Override
    public long refusedUntil(PreemptionPair pair) {
      return waitsUntil(pair);
    }

    private static long waitsUntil(PreemptionPair pair) {
      long wait = pair.victim().id().equals("v20") ? 20 : 10;
      return pair.victim().serviceClass().name().equals("bronze")
          ? pair.beneficiaryValue() + wait * SECOND
          : Long.MAX_VALUE;
    }
  }
}

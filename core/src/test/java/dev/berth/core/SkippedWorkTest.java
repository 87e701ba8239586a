package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.api.Action;
import dev.berth.api.Dimension;
import dev.berth.api.Plan;
import dev.berth.api.Resources;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.core.error.PolicyFailedException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the engine leaves out, since it knows the answer, changes no plan. */
class SkippedWorkTest {

  /** The index of hosts starts anew with each dimension. */
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

  /** A host from which a sibling keeps one of a kind is not closed to others of that kind. */
  @Test
  void siblingConflictClosesAHostToNoOther() {
    Cluster cluster = preempting();
    cluster.host("h1", 2).running("victim", "bronze", 1, "h1");
    cluster.running(request("sibling", 1).job("j").antiAffinity(true), "h1");
    cluster.pending("first", 1).pass(); // until 10 s, nobody of its kind may preempt
    cluster.cancel("first");
    cluster.at(1).pending(request("brother", 1).job("j"));
    cluster.at(2).pending("other", 1).pass();

    Plan plan = cluster.at(13).pass();

    assertThat(plan.placements()).extracting(Action.Place::instance).containsExactly("other");
  }

  /** A host with room from which a sibling keeps one of a kind has room for the others. */
  @Test
  void siblingConflictOnAHostWithRoomClosesItToNoOther() {
    Cluster cluster = preempting();
    cluster.host("roomy", 10).running(request("sibling", 1).job("j").antiAffinity(true), "roomy");
    cluster.pending(request("brother", 1).job("j")).pass(); // finds none
    cluster.cancel("brother");
    cluster.at(1).host("tight", 1).pending("other", 1);

    Plan plan = cluster.pass();

    assertThat(plan.placements()).extracting(Action.Place::host).containsExactly("roomy");
  }

  /**
   * A refusal of one who then found another host says nothing of who is worse off than it, also
   * where the keys of the victim order, which are times plus an offset, wrap around between them.
   */
  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 4 * SECOND})
  void refusalOfAPlacedBeneficiaryDoesNotBindLowerValues(long offset) {
    Cluster cluster = preempting(TestParts.latestFirst(offset), new AfterAWhile());
    cluster.host("h1", 1).running("v10", "bronze", 1, "h1");
    cluster.host("h2", 1).running("v20", "bronze", 1, "h2");
    cluster.pending("first", 1).pass(); // until 10 s and 20 s
    cluster.cancel("first");
    cluster.at(3).host("h3", 1).pending("worse off", 1).pass();
    cluster.at(5).pending("better off", 1);
    Plan plan = cluster.at(24).pass();
    assertThat(plan.placements())
        .extracting(Action.Place::instance, Action.Place::host)
        .containsExactly(tuple("better off", "h1"));
    cluster.removed("h3"); // so who was there waits again, since 3 s by the victim order

    assertThat(cluster.pass().placements())
        .extracting(Action.Place::instance, Action.Place::host)
        .containsExactly(tuple("worse off", "h2"));
  }

  /** Time stands still between the two passes, so what was judged stands. */
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

  /** Whoever acted in a pass may leave in the next, also if there is no later instant. */
  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE})
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

  /** What was found out before the rule failed is not taken for all there is to know. */
  @Test
  void ruleThatFailsDuringTheScanKeepsNoPartialResult() {
    AtomicBoolean fails = new AtomicBoolean();
    Cluster cluster =
        preempting(
            TestParts.latestFirst(),
            new Until(Map.of("v1", 100 * SECOND, "v2", 15 * SECOND), 50 * SECOND, fails));
    cluster.host("h1", 1).running("v1", "bronze", 1, "h1");
    cluster.host("h2", 1).running("v2", "bronze", 1, "h2");
    cluster.at(5).pending("first", 1).pass(); // until 50 s, nobody may preempt
    cluster.cancel("first");
    cluster.at(10).host("h3", 1).pending("worse off", 1).pass();
    cluster.at(20).pending("better off", 1);
    fails.set(true);
    assertThatThrownBy(cluster.at(60)::pass).isInstanceOf(PolicyFailedException.class);
    fails.set(false);
    cluster.cancel("better off");
    cluster.removed("h1");
    cluster.cancel("v1");
    cluster.removed("h3"); // so who was there waits again

    assertThat(cluster.pass().placements())
        .extracting(Action.Place::instance, Action.Place::host)
        .containsExactly(tuple("worse off", "h2"));
  }

  /** The same where the hosts have bid, and bids are looked at again. */
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
    cluster.at(12).pending("worst off", 1); // and takes h0, which is left with room
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

  /**
   * Of bronze, v20 leaves for whoever was admitted 20 s before, and others for whoever was 10 s
   * before.
   */
  private static Cluster preempting() {
    return preempting(TestParts.latestFirst(), new AfterAWhile());
  }

  private static Cluster preempting(VictimOrder order, PreemptionRule rule) {
    return Cluster.of(parts -> parts.preemption(order, rule));
  }

  /**
   * Some leave for whoever was admitted before a time, nobody before a time of day; of v1 it fails
   * to judge while it is to.
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

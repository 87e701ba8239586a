package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.TestParts.ALLOW_ALL;
import static dev.berth.core.TestParts.LESS_IMPORTANT;
import static dev.berth.core.TestParts.cost;
import static dev.berth.core.TestParts.latestFirst;
import static dev.berth.core.TestParts.victimsBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.decision.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the decision log records of a pipeline. */
class DecisionLogTest {

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
        .containsExactly(new Decision.Victim("w", "any", "any victim", 0, 2));
  }

  @Test
  void nameTheVerdictAndValueOfEachVictim() {
    VictimOrder byClassAndState =
        new VictimOrder() {
          @Override
          public long key(Instance instance) {
            return 5;
          }

          @Override
          public long drift(ServiceClass serviceClass, InstanceState state, long now) {
            return 10L * serviceClass.importance() + (state == InstanceState.RUNNING ? 100 : 200);
          }
        };
    Cluster cluster =
        Cluster.of(
                parts ->
                    parts
                        .preemptStarting(true)
                        .preemption(
                            byClassAndState,
                            pair -> Verdict.allow("is-" + pair.victim().id(), "allowed")))
            .host("h1", 3)
            .running("b", "bronze", 1, "h1")
            .starting("s", "silver", 1, "h1")
            .starting("t", "bronze", 1, "h1");

    cluster.pending("a", 3).pass();

    assertThat(last(cluster).victims())
        .containsExactly(
            new Decision.Victim("t", "is-t", "allowed", 235, 215),
            new Decision.Victim("s", "is-s", "allowed", 225, 215),
            new Decision.Victim("b", "is-b", "allowed", 135, 215));
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

  /** The engine visits only the one host where the constraint holds. */
  @Test
  void countNoHostsForARareConstraint() {
    Cluster cluster = Cluster.of(parts -> parts);
    IntStream.range(0, 40).forEach(i -> cluster.host("h" + i, 1));

    cluster.starting("a", "gold", 1, "h7");

    assertThat(last(cluster).roomyHosts()).isEqualTo(-1);
  }

  @Test
  void countNoHostsForAScoreThatTheEngineCannotIndex() {
    Cluster cluster = Cluster.of(parts -> parts.allocationScore(fit -> 3)).host("h1", 1);

    cluster.pending("a", 1).pass();

    assertThat(last(cluster).roomyHosts()).isEqualTo(-1);
    assertThat(last(cluster).allocationScore()).hasValue(3);
  }

  /** So many requests alike share candidates, which are scored only if they are recorded. */
  @Test
  void nameTheScoreOfAHostChosenAmongSharedCandidates() {
    MonotonePreemptionRule all = pair -> Verdict.allow("any", "any victim");
    Cluster cluster = Cluster.of(parts -> parts.preemption(latestFirst(), all));
    IntStream.range(0, 3).forEach(i -> cluster.host("h" + i, 4));
    IntStream.range(0, 3).forEach(i -> cluster.running("v" + i, "bronze", 3, "h" + i));
    IntStream.range(0, 6).forEach(i -> cluster.pending("a" + i, 3));

    cluster.at(1).pass();

    assertThat(cluster.scheduler().decisions().all().subList(3, 6))
        .extracting(Decision::allocationScore)
        .containsOnly(OptionalDouble.of((0.25 + 1) / 2)); // 1 of 4 cores stays free
  }

  @Test
  void listTheBestHostsBestFirst() {
    Map<String, Double> scores = new TreeMap<>(Map.of("h1", 1.0, "h2", 3.0, "h3", 2.0, "h4", 2.0));
    Cluster cluster =
        Cluster.of(
            Scheduler.builder().topScores(3),
            parts -> parts.allocationScore(fit -> scores.get(fit.host().id())));
    scores.keySet().forEach(id -> cluster.host(id, 1));

    cluster.pending("a", 1).pass();

    assertThat(last(cluster).top())
        .containsExactly(
            new Decision.HostScore("h2", List.of(), 0, 3),
            new Decision.HostScore("h3", List.of(), 0, 2),
            new Decision.HostScore("h4", List.of(), 0, 2));
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
            new Decision.HostScore("h2", List.of(3.0), 0, 1),
            new Decision.HostScore("h3", List.of(4.0), 0, 1),
            new Decision.HostScore("h1", List.of(5.0), 0, 9));
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
    Cluster cluster = Cluster.of(Scheduler.builder().decisionLog(3), parts -> parts).host("h1", 99);
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
                            return Verdict.allow("any", "any victim");
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

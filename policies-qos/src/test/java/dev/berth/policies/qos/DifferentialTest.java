package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.generators.Histories;
import dev.berth.testkit.history.History;
import dev.berth.testkit.reference.PriorityBased;
import dev.berth.testkit.reference.QosDriven;
import dev.berth.testkit.reference.Tally;
import dev.berth.testkit.reference.Tally.Mark;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * The engine gives the plans of the reference model, to the last action, on every generated
 * history.
 */
class DifferentialTest {

  private static final int STEPS = 40;
  private static final int QOS_DRIVEN_TRIES = 12_000;
  private static final int PRIORITY_TRIES = 6_000;

  private static final Tally QOS_DRIVEN = new Tally();
  private static final Tally PRIORITY = new Tally();

  @Property(
      tries = QOS_DRIVEN_TRIES,
      generation = GenerationMode.RANDOMIZED,
      edgeCases = EdgeCasesMode.NONE)
  void qosDriven(@ForAll("histories") History history, @ForAll("qosDriven") QosDriven policy) {
    QOS_DRIVEN.add(Duel.fight(history, policy));
  }

  @Property(
      tries = PRIORITY_TRIES,
      generation = GenerationMode.RANDOMIZED,
      edgeCases = EdgeCasesMode.NONE)
  void priority(@ForAll("histories") History history, @ForAll("priority") PriorityBased policy) {
    PRIORITY.add(Duel.fight(history, policy));
  }

  @Provide
  Arbitrary<History> histories() {
    return Histories.ofUpTo(STEPS);
  }

  @Provide
  Arbitrary<QosDriven> qosDriven() {
    return Policies.qosDriven();
  }

  @Provide
  Arbitrary<PriorityBased> priority() {
    return Policies.priorityBased();
  }

  /**
   * The cases are worth something: each thing that can happen in a pass did, often enough. What
   * they must reach is a third to a tenth of what they did when this was written.
   */
  @AfterContainer
  static void casesWereNotTrivial() {
    if (QOS_DRIVEN.of(Mark.PASS) > QOS_DRIVEN_TRIES) { // unless a case failed or one was run alone
      reached(QOS_DRIVEN, Mark.PASS_PLACING, 0.2);
      reached(QOS_DRIVEN, Mark.PASS_PREEMPTING, 0.1);
      reached(QOS_DRIVEN, Mark.PREEMPTION_BY_RULE_A, 0.05);
      reached(QOS_DRIVEN, Mark.PREEMPTION_BY_RULE_B, 0.03);
      reached(QOS_DRIVEN, Mark.PREEMPTION_BY_RULE_C, 0.05);
      reached(QOS_DRIVEN, Mark.REFUSAL_BY_OVERHEAD_LIMIT, 0.05);
      reached(QOS_DRIVEN, Mark.TIE_IN_QUEUE, 0.3);
      reachedByBoth(QOS_DRIVEN, 0.001);
    }
    if (PRIORITY.of(Mark.PASS) > PRIORITY_TRIES) {
      reached(PRIORITY, Mark.PASS_PLACING, 0.2);
      reached(PRIORITY, Mark.PASS_PREEMPTING, 0.02);
      reached(PRIORITY, Mark.PREEMPTION_BY_PRIORITY, 0.02);
      reachedByBoth(PRIORITY, 0.0005);
    }
  }

  private static void reachedByBoth(Tally tally, double share) {
    reached(tally, Mark.PREEMPTION_OF_STARTING, share);
    reached(tally, Mark.PREEMPTION_OF_SEVERAL, share);
    reached(tally, Mark.VICTIM_SPARED, share);
    reached(tally, Mark.TIE_AMONG_CANDIDATES, share);
    reached(tally, Mark.TIE_AMONG_HOSTS, share);
    reached(tally, Mark.TIE_AMONG_HOSTS_WITH_PREEMPTION, share);
    reached(tally, Mark.DECISION_BY_COST, share);
    reached(tally, Mark.DECISION_BY_SCORE_AFTER_COST, share);
    reached(tally, Mark.REFUSAL_BY_CONSTRAINT, share);
    reached(tally, Mark.REFUSAL_BY_ANTI_AFFINITY, share);
    reached(tally, Mark.LEFT_PENDING, share);
  }

  private static void reached(Tally tally, Mark mark, double perPass) {
    assertThat((double) tally.of(mark) / tally.of(Mark.PASS))
        .as("%s per pass, of%n%s", mark, tally)
        .isGreaterThan(perPass);
  }
}

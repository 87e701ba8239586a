package dev.berth.testkit.asserting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Instance;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.plan.Action;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** P25: a verdict that closes a class holds for all later victims of the class. */
class ClosedClassesTest {

  private static final VictimOrder OLDEST_FIRST = Stage.victimsBy(each -> -each.admittedAt());
  private static final Verdict ALLOWED = Verdict.allow("any", "any victim");
  private static final Verdict REFUSED = Verdict.refuse("no", "not this victim");
  private static final Verdict CLOSED = Verdict.refuseRest("enough", "no more victims");

  @Test
  void detectsAClassClosedTooEarly() {
    Stage stage = stage(pair -> is(pair, "b3") ? ALLOWED : CLOSED);
    stage.host("h1", 4).running(4).submit("g1", "gold", 1);
    stage.findsInPass(
        Rule.P25,
        "for g1, the verdict \"enough\" on b1 closes class bronze, RUNNING, but b3, later there, is"
            + " allowed: \"any\"");
  }

  @Test
  void detectsAClassClosedTooEarlyInAnExplanation() {
    boolean[] honest = {true};
    Stage stage = stage(pair -> !honest[0] && is(pair, "b2") ? ALLOWED : CLOSED);
    stage.host("h1", 2).running(2).submit("g1", "gold", 1).pass();
    honest[0] = false;
    stage.finds(
        Rule.P25,
        "for g1, the verdict \"enough\" on b1 closes class bronze, RUNNING, but b2, later there, is"
            + " allowed: \"any\"",
        () -> stage.scheduler.explain().whyPending("g1", stage.scheduler.now()));
  }

  @Test
  void acceptsAClassClosedForAllLaterVictims() {
    Stage stage = stage(pair -> is(pair, "b1") ? ALLOWED : CLOSED);
    stage.host("h1", 3).running(3).submit("g1", "gold", 2);
    assertThat(stage.pass().actions()).isEmpty();
    stage.findsNothing();
  }

  /** The engine judges chosen victims again, to record the verdict in its log. */
  @Test
  void closingAClassDoesNotConcernEarlierVictims() {
    PreemptionRule rule = pair -> is(pair, "b1") || isGold(pair.victim()) ? ALLOWED : CLOSED;
    Stage stage = stage(rule);
    stage.host("h1", 3).running(2).submit("g1", "gold", 1).pass();
    stage.started("g1").submit("g2", "gold", 2);
    assertThat(stage.pass().preemptions())
        .extracting(Action.Preempt::instance)
        .containsExactlyInAnyOrder("b1", "g1");
    stage.findsNothing();
  }

  @Test
  void closesAClassForOneHostAndBeneficiaryOnly() {
    PreemptionRule rule =
        pair -> isOn(pair, "h1") || pair.beneficiary().id().equals("g1") ? CLOSED : ALLOWED;
    Stage stage = stage(rule).host("h1", 1).host("h2", 1).running(2);
    stage.submit("g1", "gold", 1).submit("g2", "gold", 1);
    assertThat(stage.pass().placements()).extracting(Action.Place::instance).containsExactly("g2");
    stage.findsNothing();
  }

  /** Starting instances form their own group with its own order. */
  @Test
  void closesRunningAndStartingInstancesApart() {
    PreemptionRule rule =
        pair -> pair.victim().state().toString().equals("RUNNING") ? CLOSED : ALLOWED;
    Stage stage =
        new Stage(
            context ->
                context.pipeline().preemption(OLDEST_FIRST, rule).preemptStarting(true).build());
    stage.host("h1", 2).running(1).submit("b2", "bronze", 1).pass();
    stage.submit("g1", "gold", 1);
    assertThat(stage.pass().preemptions())
        .extracting(Action.Preempt::instance)
        .containsExactly("b2");
    stage.findsNothing();
  }

  /** An instance that is back on its host may precede the others in victim order. */
  @Test
  void newRunOfAPipelineReopensClasses() {
    Stage stage =
        new Stage(
            context -> {
              Policy pipeline =
                  context
                      .pipeline()
                      .preemption(OLDEST_FIRST, pair -> is(pair, "b1") ? ALLOWED : CLOSED)
                      .build();
              return pass -> {
                if (pass.number() > 1) {
                  try (Fork fork = pass.fork()) {
                    Instance b1 = fork.instance("b1").orElseThrow();
                    Instance g2 = fork.instance("g2").orElseThrow();
                    fork.place(g2, b1.host().orElseThrow(), List.of(b1));
                    pipeline.schedule(fork);
                  }
                }
                pipeline.schedule(pass);
              };
            });
    stage.host("h1", 2).running(2).submit("g1", "gold", 1).submit("g2", "gold", 1);
    assertThat(stage.pass().placements()).extracting(Action.Place::instance).containsExactly("g1");
    stage.findsNothing();
  }

  /** A new instance may precede the others in victim order. */
  @Test
  void changeOfVictimOrderReopensClasses() {
    Stage stage =
        new Stage(
            context ->
                context
                    .pipeline()
                    .preemption(
                        Stage.victimsBy(Instance::admittedAt),
                        pair -> is(pair, "b2") ? ALLOWED : CLOSED)
                    .build());
    stage.host("h1", 2).running(1).submit("b2", "bronze", 1).pass();
    stage.submit("g1", "gold", 1);
    assertThat(stage.scheduler.explain().whyPending("g1", 100).contestedHosts()).isZero();
    stage.started("b2");
    assertThat(stage.scheduler.explain().whyPending("g1", 100).contestedHosts()).isOne();
    stage.findsNothing();
  }

  /** The engine alone would not ask these questions. */
  @Test
  void questionsAboutClosedClassesDoNotCount() {
    List<String> asked = new ArrayList<>();
    PreemptionRule rule =
        pair -> {
          asked.add(pair.victim().id());
          return CLOSED;
        };
    Stage stage = stage(rule).host("h1", 3).running(3).submit("g1", "gold", 1);
    stage.pass();
    assertThat(asked).containsExactly("b1", "b1", "b2", "b2", "b3", "b3");
    long drifts = 2 + 2; // of two classes, running and pending
    assertThat(stage.asserting.questions()).isEqualTo(drifts + 3);
  }

  @Test
  void allowingVerdictClosesNothing() {
    Verdict odd = new Verdict(true, true, "odd", "odd");
    Stage stage = stage(pair -> is(pair, "b1") ? odd : REFUSED);
    stage.host("h1", 2).running(2).submit("g1", "gold", 1);
    assertThat(stage.pass().preemptions()).hasSize(1);
    stage.findsNothing();
  }

  // ---- Monotone rules

  /**
   * Two gold requests want one host; the second, admitted at a later time, has the greater value.
   */
  private static Stage twoWait(boolean claims, String favoured) {
    PreemptionRule plain = pair -> pair.beneficiary().id().equals(favoured) ? ALLOWED : REFUSED;
    MonotonePreemptionRule monotone = plain::judge;
    PreemptionRule rule = claims ? monotone : plain;
    VictimOrder latestFirst = Stage.victimsBy(each -> each.admittedAt());
    return new Stage(
            Asserting.askingAll(),
            context -> context.pipeline().preemption(latestFirst, rule).build())
        .host("h1", 1)
        .running(1)
        .submit("g1", "gold", 1)
        .submit("g2", "gold", 1);
  }

  @Test
  void detectsARuleThatIsNotMonotone() {
    twoWait(true, "g2")
        .findsInPass(
            Rule.P25,
            "a MonotonePreemptionRule refuses g1, with value 4, the victim b1, but allows it g2,"
                + " with value 5: \"any\"");
  }

  @Test
  void otherRulesNeedNotBeMonotone() {
    Stage stage = twoWait(false, "g2");
    assertThat(stage.pass().preemptions()).hasSize(1);
    stage.findsNothing();
  }

  @Test
  void acceptsAMonotoneRule() {
    Stage stage = twoWait(true, "g1");
    assertThat(stage.pass().preemptions()).hasSize(1);
    stage.findsNothing();
  }

  // ---- Shorthand

  private static Stage stage(PreemptionRule rule) {
    return new Stage(context -> context.pipeline().preemption(OLDEST_FIRST, rule).build());
  }

  private static boolean is(PreemptionPair pair, String victim) {
    return pair.victim().id().equals(victim);
  }

  private static boolean isOn(PreemptionPair pair, String host) {
    return pair.victim().host().orElseThrow().id().equals(host);
  }

  private static boolean isGold(Instance instance) {
    return instance.serviceClass().name().equals("gold");
  }
}

package dev.berth.testkit.asserting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.api.Dimension;
import dev.berth.api.Instance;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** P24: keys are constant while an instance stays in its state. */
class ConstantKeysTest {

  private static final PreemptionRule NEVER = pair -> Verdict.refuse("never", "never preempts");

  private final long[] world = new long[1]; // state that a key must not depend on

  @Test
  void detectsAQueueKeyThatChangedBetweenPasses() {
    Stage stage = new Stage(context -> context.pipeline().queue(each -> world[0]).build());
    stage.submit("b1", "bronze", 1).pass();
    world[0] = 5;
    stage.findsInPass(Rule.P24, "QueueOrder.key of b1, PENDING since 0 ns, was 0 and is 5 now");
  }

  @Test
  void detectsAKeyThatChangesDuringAPass() {
    Stage stage =
        new Stage(
            context -> {
              Policy pipeline = context.pipeline().queue(each -> world[0]).build();
              return pass -> {
                world[0] = pass.now();
                pipeline.schedule(pass);
              };
            });
    stage.submit("b1", "bronze", 1);
    stage.findsInPass(Rule.P24, "QueueOrder.key of b1, PENDING since 0 ns, was 0 and is 1 now");
    assertThat(stage.scheduler.passes()).isZero();
  }

  @Test
  void detectsAVictimKeyThatDependsOnTheHost() {
    ToLongFunction<Instance> key =
        each -> each.host().map(host -> host.free(Dimension.CPU)).orElse(0L);
    Stage stage = stage(key).host("h1", 9);
    stage.submit("b1", "bronze", 1);
    // The engine reads the key before the instance holds its demand.
    stage.findsInPass(Rule.P24, "VictimOrder.key of b1, STARTING since 2 ns, was 9 and is 8 now");
  }

  @Test
  void detectsAKeyThatChangedAfterTheLastPass() {
    Stage stage = new Stage(context -> context.pipeline().queue(each -> world[0]).build());
    stage.submit("b1", "bronze", 1).pass();
    stage.asserting.checkKeys();
    world[0] = 5;
    stage.finds(
        Rule.P24,
        "QueueOrder.key of b1, PENDING since 0 ns, was 0 and is 5 now",
        stage.asserting::checkKeys);
  }

  /** Every stay in a state has another key, which is constant. */
  @Test
  void keyMayChangeWithTheState() {
    Map<String, Long> keys = new HashMap<>();
    ToLongFunction<Instance> key =
        each ->
            keys.computeIfAbsent(
                each.id() + each.state() + each.stateSince(), stay -> (long) keys.size());
    Stage stage =
        new Stage(
            context ->
                context
                    .pipeline()
                    .queue(key::applyAsLong)
                    .preemption(
                        Stage.victimsBy(key),
                        pair ->
                            pair.victimClassRank() > pair.beneficiaryClassRank()
                                ? Verdict.allow("less", "less important")
                                : Verdict.refuse("as", "as important"))
                    .build());
    stage.host("h1", 2).running(2).submit("g1", "gold", 1).submit("b9", "bronze", 1);
    assertThat(stage.pass().preemptions()).hasSize(1);
    stage.started("g1").pass();
    stage.completed("g1").pass();
    stage.findsNothing();
  }

  @Test
  void keyMayChangeIfAStateRecursAtOnce() {
    Stage stage = new Stage(context -> context.pipeline().queue(each -> each.placements()).build());
    stage.host("h1", 1).submit("b1", "bronze", 1);
    long now = stage.scheduler.now();
    assertThat(stage.scheduler.schedule(now).placements()).hasSize(1);
    stage.scheduler.failed("b1", now);
    stage.findsNothing();
  }

  @Test
  void ignoresChangesThatAForkUndid() {
    ToLongFunction<Instance> key = each -> 100L * each.placements() + each.preemptions();
    Stage stage =
        new Stage(
            context -> {
              Policy pipeline =
                  context
                      .pipeline()
                      .queue(key::applyAsLong)
                      .preemption(Stage.victimsBy(key), NEVER)
                      .build();
              return pass -> {
                pipeline.schedule(pass);
                placeInDiscardedFork(pass);
                placeInDiscardedFork(pass);
                pass.fork().fork(); // left open
                pass.number();
              };
            });
    stage.host("h1", 2).running(2).submit("g1", "gold", 1);
    stage.pass();
    stage.pass();
    assertThat(stage.scheduler.instance("g1").orElseThrow().placements()).isZero();
    stage.findsNothing();
  }

  /** Places g1 for b1 in a fork that is discarded. */
  private static void placeInDiscardedFork(SchedulingPass pass) {
    pass.instance("g1")
        .ifPresent(
            g1 -> {
              Instance b1 = pass.instance("b1").orElseThrow();
              try (Fork fork = pass.fork()) {
                assertThat(fork.place(g1, b1.host().orElseThrow(), List.of(b1)).accepted())
                    .isTrue();
              }
            });
  }

  @Test
  void ignoresChangesOfAFailedPass() {
    boolean[] fails = new boolean[1];
    Stage stage =
        new Stage(
            context -> {
              Policy pipeline =
                  context
                      .pipeline()
                      .preemption(Stage.victimsBy(each -> each.placements()), NEVER)
                      .build();
              return pass -> {
                pipeline.schedule(pass);
                if (fails[0]) {
                  throw new IllegalStateException("on purpose");
                }
              };
            });
    stage.host("h1", 2).running(1).submit("b2", "bronze", 1);
    fails[0] = true;
    assertThat(catchThrowable(stage::pass)).hasMessageContaining("on purpose");
    fails[0] = false;
    assertThat(stage.pass().placements()).hasSize(1);
    stage.findsNothing();
  }

  @Test
  void doesNotAskAboutDoneInstances() {
    List<String> asked = new ArrayList<>();
    ToLongFunction<Instance> key =
        each -> {
          asked.add(each.id());
          return 0;
        };
    Stage stage = stage(key).host("h1", 2).running(2).completed("b1");
    asked.clear();
    stage.pass();
    stage.asserting.checkKeys();
    assertThat(asked).containsExactly("b2", "b2", "b2");
  }

  @Test
  void doesNotAskAboutRefusedRequests() {
    List<String> asked = new ArrayList<>();
    Stage stage =
        new Stage(
            context ->
                context
                    .pipeline()
                    .queue(
                        each -> {
                          asked.add(each.id());
                          return 0;
                        })
                    .preemption(
                        Stage.victimsBy(
                            each -> {
                              throw new IllegalStateException("on purpose");
                            }),
                        NEVER)
                    .build());
    assertThatIllegalStateException().isThrownBy(() -> stage.submit("b1", "bronze", 1));
    assertThat(asked).isNotEmpty();
    asked.clear();
    stage.pass();
    assertThat(asked).isEmpty();
    stage.findsNothing();
  }

  private static Stage stage(ToLongFunction<Instance> victimKey) {
    return new Stage(
        context -> context.pipeline().preemption(Stage.victimsBy(victimKey), NEVER).build());
  }
}

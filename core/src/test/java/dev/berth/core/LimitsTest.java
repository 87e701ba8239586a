package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Drain;
import dev.berth.api.History;
import dev.berth.api.InstanceState;
import dev.berth.api.Limit;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.event.Event;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Counted limits of the cluster, such as licences. */
class LimitsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "for a test");

  private static Request.Builder each(String id, String serviceClass, double cores, long amount) {
    return request(id, serviceClass, cores)
        .placement(PlacementSpec.builder().use("matlab", amount).build());
  }

  private static Request.Builder each(String id, double cores) {
    return each(id, "gold", cores, 1);
  }

  private static Request.Builder perHost(String id, String serviceClass, double cores) {
    return request(id, serviceClass, cores)
        .placement(PlacementSpec.builder().usePerHost("matlab", 1).build());
  }

  private static Request.Builder perHost(String id, double cores) {
    return perHost(id, "gold", cores);
  }

  private static Cluster set(Cluster cluster, long amount) {
    cluster.scheduler().setLimit("matlab", amount, cluster.now());
    return cluster;
  }

  private static long used(Cluster cluster) {
    return cluster.scheduler().limits().stream().mapToLong(Limit::used).sum();
  }

  private static String why(Cluster cluster, String id) {
    return cluster.scheduler().explain().whyPending(id, cluster.now()).describe();
  }

  private static List<String> words(Plan plan) {
    return plan.actions().stream().map(Action::describe).toList();
  }

  private static Cluster preempting() {
    return Cluster.of(parts -> parts.preemption(TestParts.latestFirst(), TestParts.LESS_IMPORTANT));
  }

  @Nested
  class OfInstances {

    @ParameterizedTest
    @MethodSource("dev.berth.core.CordonTest#pipelines")
    void soManyRunAtATime(UnaryOperator<PipelineBuilder> parts) {
      Cluster cluster = set(Cluster.of(parts).host("h1", 4).host("h2", 4), 2);
      cluster.pending(each("a", 1)).pending(each("b", 1)).pending(each("c", 1));

      assertThat(Plans.instances(cluster.pass())).containsExactly("a", "b");
      assertThat(cluster.scheduler().limits()).containsExactly(new Limit("matlab", 2, 2));
      cluster.started("a").at(1);
      assertThat(cluster.pass().actions()).isEmpty();

      cluster.completed("a");

      assertThat(Plans.instances(cluster.pass())).containsExactly("c");
      assertThat(used(cluster)).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("dev.berth.core.CordonTest#pipelines")
    void aLimitThatWasNeverSetIsZero(UnaryOperator<PipelineBuilder> parts) {
      Cluster cluster = Cluster.of(parts).host("h1", 4).pending(each("a", 1)).pending("b", 1);

      assertThat(Plans.instances(cluster.pass())).as("blocks nothing").containsExactly("b");
      assertThat(cluster.scheduler().limits()).isEmpty();
      assertThat(why(cluster, "a"))
          .startsWith(
              "0 of 1 hosts: 1 waiting for 1 more of matlab (the limit is 0 unless it is set)");

      Plan plan = set(cluster, 1).pass();

      assertThat(plan.triggers()).containsExactly(Trigger.LIMIT_CHANGED);
      assertThat(Plans.instances(plan)).containsExactly("a");
    }

    @Test
    void waitingIsExplainedWithTheNearestCure() {
      Cluster cluster = set(Cluster.of(UnaryOperator.identity()), 5).host("h1", 4).host("h2", 1);
      cluster.running(each("a", "gold", 1, 3), "h1").pending(each("b", "gold", 1, 4)).pass();

      assertThat(why(cluster, "b")).startsWith("0 of 2 hosts: 2 waiting for 2 more of matlab");
    }

    @Test
    void pausedAndSuspendedInstancesUseIt() {
      Cluster cluster = set(Cluster.byHand().host("h1", 4), 1).running(each("a", 1), "h1");
      cluster.pending(each("b", 1));
      cluster.pass(pass -> pass.suspend(cluster.instance("a"), WHY));

      cluster.pass(
          pass ->
              assertThat(pass.place(cluster.instance("b"), cluster.host("h1")).refusal())
                  .contains(new Reason.LimitReached("matlab", 1, 1)));
      cluster.pass(
          pass ->
              assertThat(pass.resume(cluster.instance("a"), cores(1), WHY).refusal()).isEmpty());
    }

    @Test
    void failuresAndRemovedHostsGiveItBack() {
      Cluster cluster = set(Cluster.byHand().host("h1", 4).host("h2", 4), 9);
      cluster.running(each("a", "gold", 1, 4), "h1").running(each("b", "gold", 1, 2), "h2");
      assertThat(used(cluster)).isEqualTo(6);
      cluster.failed("a");
      assertThat(used(cluster)).isEqualTo(2);
      cluster.removed("h2");
      assertThat(used(cluster)).isZero();
    }
  }

  @Nested
  class OfHosts {

    @ParameterizedTest
    @MethodSource("dev.berth.core.CordonTest#pipelines")
    void soManyHostsHoldInstances(UnaryOperator<PipelineBuilder> parts) {
      Cluster cluster = set(Cluster.of(parts), 1).host("h1", 2).host("h2", 9);
      cluster.running(perHost("a", 1), "h1").pending(perHost("b", 1)).pending(perHost("c", 1));

      assertThat(Plans.placements(cluster.pass())).containsExactly("b on h1");
      assertThat(used(cluster)).isEqualTo(1);
      assertThat(why(cluster, "c")).contains("1 full (cpu short by 1)");
      assertThat(why(cluster, "c")).contains("1 waiting for 1 more of matlab");

      set(cluster, 2);

      assertThat(Plans.placements(cluster.pass())).containsExactly("c on h2");
      assertThat(used(cluster)).isEqualTo(2);
    }

    @Test
    void theLastOneGivesItBack() {
      Cluster cluster = set(Cluster.byHand().host("h1", 4), 3);
      cluster.running(perHost("a", 1), "h1").running(perHost("b", 1), "h1");
      cluster.completed("a");
      assertThat(used(cluster)).isEqualTo(1);
      cluster.completed("b");
      assertThat(used(cluster)).isZero();
    }

    @Test
    void ofDifferentAmountsTheGreatestCounts() {
      Cluster cluster = set(Cluster.byHand().host("h1", 9), 9);
      PlacementSpec three = PlacementSpec.builder().usePerHost("matlab", 3).build();
      cluster.running(perHost("a", 1), "h1");
      cluster.running(request("b", 1).placement(three), "h1");
      cluster.running(request("c", 1).placement(three), "h1");
      cluster.running(each("d", "gold", 1, 2), "h1");
      assertThat(used(cluster)).isEqualTo(5);
      cluster.completed("b");
      assertThat(used(cluster)).isEqualTo(5);
      cluster.completed("c");
      assertThat(used(cluster)).isEqualTo(3);
      cluster.completed("a");
      assertThat(used(cluster)).isEqualTo(2);
    }
  }

  @Nested
  class Victims {

    @Test
    void giveItBack() {
      Cluster cluster = set(preempting(), 1).host("h1", 4).host("h2", 4);
      cluster.running(each("a", "bronze", 1, 1), "h1").running("b", "bronze", 4, "h2").at(1);
      cluster.pending(each("c", "gold", 1, 1));

      assertThat(words(cluster.pass())).containsExactly("preempt a on h1 for c", "place c on h1");
      assertThat(used(cluster)).isEqualTo(1);
    }

    @Test
    void areTakenUntilTheLimitIsCoveredAndSparedIfNot() {
      Cluster cluster = set(preempting(), 2).host("h1", 4);
      cluster.running(each("a", "bronze", 1, 1), "h1").at(1).running("b", "bronze", 1, "h1");
      cluster.at(2).running(each("c", "bronze", 1, 1), "h1").at(3).running("d", "bronze", 1, "h1");
      cluster.at(4).pending(each("e", "gold", 2, 2));

      assertThat(Plans.victims(cluster.pass())).containsExactly("c", "a");
    }

    @Test
    void demandAndLimitTogetherDecide() {
      Cluster cluster = set(preempting(), 1).host("h1", 2);
      cluster.running(each("a", "bronze", 1, 1), "h1").at(1).running("b", "bronze", 1, "h1");
      cluster.at(2).pending(each("c", "gold", 2, 1));

      assertThat(Plans.victims(cluster.pass())).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void onAnotherHostDoNotHelp() {
      Cluster cluster = set(preempting(), 2).host("h1", 4).host("h2", 4);
      cluster.running(each("a", "bronze", 1, 1), "h1").running(each("b", "bronze", 1, 1), "h2");
      cluster.at(1).pending(each("c", "gold", 1, 2));

      assertThat(cluster.pass().actions()).isEmpty();
      assertThat(why(cluster, "c")).contains("2 waiting for 2 more of matlab");
    }

    @Test
    void ofOneHostFreeItForAnother() {
      Cluster cluster = set(preempting(), 1).host("h1", 2).host("h2", 9);
      cluster.running(perHost("a", "bronze", 1), "h1").running(perHost("b", "bronze", 1), "h1");
      cluster.at(1).pending(perHost("c", "gold", 2)).pending(perHost("d", "gold", 9));

      assertThat(words(cluster.pass()))
          .containsExactly("preempt b on h1 for c", "preempt a on h1 for c", "place c on h1");
      assertThat(cluster.pass().actions()).isEmpty();
    }

    @Test
    void areFoundForEachOfManyRequestsThatAreAlike() {
      Cluster cluster = set(preempting(), 6).host("h1", 8).host("h2", 8);
      for (int i = 0; i < 6; i++) {
        cluster.running(each("a" + i, "bronze", 1, 1), i % 2 == 0 ? "h1" : "h2");
      }
      cluster.at(1);
      for (int i = 0; i < 8; i++) {
        cluster.pending(each("b" + i, "gold", 1, 1));
      }

      assertThat(cluster.pass().placements()).hasSize(6);
      assertThat(used(cluster)).isEqualTo(6);
      assertThat(cluster.pass().actions()).isEmpty();
    }

    @Test
    void theGuardCountsThem() {
      Cluster cluster = set(Cluster.byHand(), 2).host("h1", 9);
      cluster.running(each("a", "gold", 1, 2), "h1").running("b", 1, "h1");
      cluster.pending(each("c", "gold", 1, 2)).pending(each("d", "gold", 1, 3));

      cluster.pass(
          pass -> {
            assertThat(place(cluster, pass, "c", "b"))
                .isEqualTo(new Reason.LimitReached("matlab", 2, 2));
            assertThat(place(cluster, pass, "d", "a"))
                .isEqualTo(new Reason.LimitReached("matlab", 1, 2));
            assertThat(place(cluster, pass, "c", "a")).isNull();
          });
      assertThat(used(cluster)).isEqualTo(2);
    }

    private Reason place(
        Cluster cluster, dev.berth.api.policy.SchedulingPass pass, String id, String victim) {
      return pass.place(cluster.instance(id), cluster.host("h1"), List.of(cluster.instance(victim)))
          .refusal()
          .orElse(null);
    }
  }

  @Nested
  class Exceeding {

    @Test
    void aLoweredLimitEvictsNothing() {
      Cluster cluster = set(Cluster.of(UnaryOperator.identity()), 3).host("h1", 9);
      cluster.running(each("a", 1), "h1").running(each("b", 1), "h1");
      set(cluster, 1).pending(each("c", 1));

      assertThat(cluster.pass().actions()).isEmpty();
      assertThat(cluster.scheduler().limits()).containsExactly(new Limit("matlab", 1, 2));
      assertThat(cluster.scheduler().limits().get(0).free()).isEqualTo(-1);
      cluster.completed("a");
      assertThat(cluster.pass().actions()).isEmpty();
      cluster.completed("b");
      assertThat(Plans.instances(cluster.pass())).containsExactly("c");
    }

    @Test
    void nothingComesEvenToAHostThatUsesIt() {
      Cluster cluster = set(Cluster.byHand(), 2).host("h1", 9).host("h2", 9);
      cluster.running(perHost("a", 1), "h1").running(perHost("b", 1), "h2");
      set(cluster, 1).pending(perHost("c", 1));

      cluster.pass(
          pass ->
              assertThat(pass.place(cluster.instance("c"), cluster.host("h1")).refusal())
                  .contains(new Reason.LimitReached("matlab", 1, 1)));
    }

    @Test
    void adoptionsMayExceedIt() {
      Cluster cluster = set(Cluster.of(UnaryOperator.identity()), 1).host("h1", 9);
      cluster.running(each("a", 1), "h1");
      cluster
          .scheduler()
          .adopt(
              new Adoption(each("b", 1).build(), History.since(0)),
              new ObservedInstance(
                  "b",
                  "h1",
                  InstanceState.RUNNING,
                  OptionalInt.empty(),
                  OptionalLong.empty(),
                  Resources.none()),
              0);

      assertThat(used(cluster)).isEqualTo(2);
    }

    @Test
    void aRejectedPreemptionMayExceedIt() {
      Cluster cluster = set(preempting(), 1).host("h1", 4);
      cluster.running(each("a", "bronze", 1, 1), "h1").at(1).pending(each("b", "gold", 1, 1));
      Plan plan = cluster.pass();
      cluster.started("b");

      cluster.scheduler().rejected(plan.id(0), "for a test", cluster.now());

      assertThat(used(cluster)).isEqualTo(2);
      assertThat(cluster.pass().actions()).isEmpty();
    }

    @Test
    void impossibleAmountsAreRefused() {
      Cluster cluster = Cluster.byHand().at(5).host("h1", 1);

      assertThatThrownBy(() -> cluster.scheduler().setLimit("matlab", -1, 5 * Cluster.SECOND))
          .isInstanceOf(EventRefusedException.class)
          .hasMessage("limit matlab is set to -1, must not be negative.");
      assertThatThrownBy(() -> cluster.scheduler().setLimit(" ", 1, 5 * Cluster.SECOND))
          .isInstanceOf(EventRefusedException.class)
          .hasMessage("a limit is set, but its name is blank.");
      assertThatThrownBy(() -> cluster.scheduler().setLimit("matlab", 1, 0))
          .isInstanceOf(EventRefusedException.class)
          .hasMessageStartingWith("limit matlab is set at 0 ns, but time has reached");
      assertThat(cluster.scheduler().limits()).isEmpty();
    }

    @Test
    void settingItAgainMakesNoPassDue() {
      Cluster cluster = set(Cluster.byHand(), 1);
      cluster.pass();
      set(cluster, 1);
      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
      set(cluster, 0);
      assertThat(cluster.scheduler().nextPassAt()).hasValue(0);
      assertThat(cluster.scheduler().limits()).isEmpty();
    }
  }

  @Nested
  class Moving {

    @Test
    void anInstanceTakesItsUseAlong() {
      Cluster cluster = set(Cluster.byHand(), 1).host("h1", 9).host("h2", 9);
      cluster.running(each("a", 1), "h1");

      assertThat(migrate(cluster, "a")).isNull();
      assertThat(used(cluster)).isEqualTo(1);
      assertThat(cluster.instance("a").host()).contains(cluster.host("h2"));
    }

    @Test
    void theUseOfAHostStaysWithOthers() {
      Cluster cluster = set(Cluster.byHand(), 1).host("h1", 9).host("h2", 9);
      cluster.running(perHost("a", 1), "h1").running(perHost("b", 1), "h1");

      assertThat(migrate(cluster, "a")).isEqualTo(new Reason.LimitReached("matlab", 1, 1));
      cluster.completed("b");
      assertThat(migrate(cluster, "a")).isNull();
    }

    @Test
    void anExceededLimitForbidsNoMoveThatUsesNoMore() {
      Cluster cluster = set(Cluster.byHand(), 2).host("h1", 9).host("h2", 9);
      cluster.running(each("a", 1), "h1").running(each("b", 1), "h1");

      assertThat(migrate(set(cluster, 1), "a")).isNull();
    }

    @Test
    void aDrainMovesWhatMayMove() {
      Cluster cluster = set(Cluster.byHand(), 1).host("h1", 9).host("h2", 9);
      cluster.running(perHost("a", 1), "h1").running(perHost("b", 1), "h1").running("c", 1, "h1");
      cluster.drained("h1", Drain.moving());

      assertThat(words(cluster.pass())).containsExactly("migrate c from h1 to h2 with cpu 1");
      assertThat(cluster.pass().actions()).isEmpty();

      set(cluster, 2);

      assertThat(words(cluster.pass())).hasSize(2);
      assertThat(used(cluster)).isEqualTo(1);
    }

    private Reason migrate(Cluster cluster, String id) {
      Reason[] refusal = new Reason[1];
      cluster.pass(
          pass ->
              refusal[0] =
                  pass.migrate(cluster.instance(id), cluster.host("h2"), cores(1), WHY)
                      .refusal()
                      .orElse(null));
      if (refusal[0] == null) {
        cluster.started(id);
      }
      return refusal[0];
    }
  }

  @Nested
  class InAQueue {

    @ParameterizedTest
    @MethodSource("dev.berth.core.CordonTest#pipelines")
    void othersOvertakeUnlessTheDisciplineForbids(UnaryOperator<PipelineBuilder> parts) {
      Cluster cluster = set(Cluster.of(parts), 1).host("h1", 4).running(each("a", 1), "h1");
      cluster.pending(each("b", 1)).pending("c", 1);

      boolean overtakes = !Plans.instances(cluster.pass()).isEmpty();

      assertThat(overtakes || why(cluster, "c").contains("waits its turn behind b")).isTrue();
    }

    @Test
    void inStrictOrderAllWait() {
      Cluster cluster = set(Cluster.of(parts -> parts.backfill(Backfill.NONE)), 1).host("h1", 4);
      cluster.running(each("a", 1), "h1").pending(each("b", 1)).pending("c", 1);

      assertThat(cluster.pass().actions()).isEmpty();
      cluster.completed("a");
      assertThat(Plans.instances(cluster.pass())).containsExactly("b", "c");
    }
  }

  @Nested
  class Supposing {

    @Test
    void aLimitThatIsSupposedIsTakenBack() {
      Cluster cluster = set(Cluster.of(UnaryOperator.identity()), 1).host("h1", 4);
      cluster.running(each("a", 1), "h1").pending(each("b", 1)).pass();
      long before = cluster.scheduler().digest();

      Plan plan =
          cluster.scheduler().whatIf().suppose(new Event.LimitSet("matlab", 2)).plan(0).plan();

      assertThat(plan.triggers()).containsExactly(Trigger.LIMIT_CHANGED);
      assertThat(Plans.instances(plan)).containsExactly("b");
      assertThat(cluster.scheduler().digest()).isEqualTo(before);
      assertThat(cluster.scheduler().limits()).containsExactly(new Limit("matlab", 1, 1));
      assertThat(
              cluster
                  .scheduler()
                  .whatIf()
                  .suppose(new Event.LimitSet("other", 2))
                  .suppose(new Event.Cancelled("a"))
                  .plan(0)
                  .plan()
                  .placements())
          .hasSize(1);
      assertThat(cluster.scheduler().limits()).hasSize(1);
      assertThat(cluster.scheduler().digest()).isEqualTo(before);
    }

    @Test
    void aRestoredSchedulerKnowsIt() {
      UnaryOperator<PipelineBuilder> parts = UnaryOperator.identity();
      Cluster cluster = set(Cluster.of(parts), 2).host("h1", 4).running(each("a", 1), "h1");
      cluster.pending(each("b", "gold", 1, 2)).pending(perHost("c", 1));
      long digest = cluster.scheduler().digest();
      Scheduler restored =
          Scheduler.builder()
              .policy("test", context -> context.pipeline().build())
              .restore(cluster.snapshotData())
              .build();

      assertThat(restored.digest()).isEqualTo(digest);
      assertThat(restored.limits()).containsExactly(new Limit("matlab", 2, 1));
      assertThat(Plans.instances(restored.schedule(0))).containsExactly("c");
      set(cluster, 3);
      assertThat(cluster.scheduler().digest()).isNotEqualTo(digest);
    }
  }
}

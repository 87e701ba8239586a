package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Reason;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.explain.WhyPending;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CordonTest {

  static Stream<UnaryOperator<PipelineBuilder>> pipelines() {
    return Stream.of(
        UnaryOperator.identity(),
        parts -> parts.backfill(Backfill.NONE),
        parts -> parts.backfill(Backfill.EASY),
        parts -> parts.backfill(Backfill.CONSERVATIVE),
        parts -> parts.filter((instance, host, now) -> Optional.empty()),
        parts -> parts.preemption(TestParts.latestFirst(), TestParts.LESS_IMPORTANT));
  }

  @ParameterizedTest
  @MethodSource("pipelines")
  void aCordonedHostTakesNothingUntilItIsOpened(UnaryOperator<PipelineBuilder> parts) {
    Cluster cluster = Cluster.of(parts).host("h1", 4).host("h2", 1).cordoned("h1");
    cluster.pending("a", 1).pending("b", 1);

    assertThat(Plans.hosts(cluster.pass())).containsExactly("h2");
    assertThat(cluster.pass().actions()).isEmpty();

    cluster.uncordoned("h1");

    assertThat(Plans.hosts(cluster.pass())).containsExactly("h1");
  }

  @ParameterizedTest
  @MethodSource("pipelines")
  void instancesOnACordonedHostStayAndEnd(UnaryOperator<PipelineBuilder> parts) {
    Cluster cluster = Cluster.of(parts).host("h1", 2).running("a", 2, "h1").cordoned("h1");
    cluster.at(1).pending("b", 1);

    assertThat(cluster.pass().actions()).isEmpty();
    assertThat(cluster.at(2).completed("a").serviceTime()).isEqualTo(2 * Cluster.SECOND);
    assertThat(cluster.pass().actions()).isEmpty();

    cluster.uncordoned("h1");

    assertThat(Plans.instances(cluster.pass())).containsExactly("b");
  }

  @Test
  void noVictimLeavesACordonedHost() {
    Cluster cluster =
        Cluster.of(parts -> parts.preemption(TestParts.latestFirst(), TestParts.LESS_IMPORTANT))
            .host("h1", 1)
            .running("a", "bronze", 1, "h1")
            .pending("b", "gold", 1)
            .cordoned("h1");

    assertThat(cluster.pass().actions()).isEmpty();

    cluster.uncordoned("h1");

    assertThat(Plans.victims(cluster.pass())).containsExactly("a");
  }

  @Test
  void aHeadThatFitsOnlyOnACordonedHostBlocksNoOther() {
    Cluster cluster =
        Cluster.of(parts -> parts.backfill(Backfill.NONE))
            .host("big", 4)
            .host("small", 1)
            .cordoned("big")
            .pending("large", 4)
            .pending("little", 1);

    assertThat(Plans.instances(cluster.pass())).containsExactly("little");

    cluster.uncordoned("big");

    assertThat(Plans.instances(cluster.pass())).containsExactly("large");
  }

  @Test
  void theGuardRefusesWhatWouldStartThere() {
    Cluster cluster = Cluster.byHand().host("h1", 4).host("h2", 4);
    cluster.running("a", 1, "h1").running("b", 1, "h2").pending("c", 1);
    Reason why = new Reason.PolicyChoice("test", "for a test");
    cluster.pass(pass -> pass.pause(cluster.instance("a"), why));
    cluster.cordoned("h1");

    cluster.pass(
        pass -> {
          assertThat(pass.obstacle(cluster.instance("c"), cluster.host("h1"), List.of()))
              .contains(new Reason.Cordoned());
          assertThat(
                  List.of(
                      pass.place(cluster.instance("c"), cluster.host("h1")),
                      pass.resume(cluster.instance("a"), Cluster.cores(1), why),
                      pass.migrate(
                          cluster.instance("b"), cluster.host("h1"), Cluster.cores(1), why)))
              .extracting(Outcome::refusal)
              .containsOnly(Optional.of(new Reason.Cordoned()));
          assertThat(
                  pass.migrate(cluster.instance("a"), cluster.host("h2"), Cluster.cores(1), why)
                      .accepted())
              .isTrue();
        });
    assertThat(cluster.pass().policyErrors()).isEmpty();
  }

  @Test
  void theExplanationCountsClosedHosts() {
    Cluster cluster =
        Cluster.of(parts -> parts).host("h1", 4).host("h2", 4).host("h3", 1).pending("a", 2);
    cluster.cordoned("h1").cordoned("h2").cordoned("h3").pass();

    WhyPending why = cluster.scheduler().explain().whyPending("a", cluster.now());

    assertThat(why.describe())
        .isEqualTo("0 of 3 hosts: 2 cordoned, 1 too small (cpu exceeds them by 1)");
  }

  @Test
  void cordoningTwiceChangesNothing() {
    Cluster cluster = Cluster.of(parts -> parts).host("h1", 1).cordoned("h1");
    assertThat(cluster.pass().triggers()).contains(Trigger.HOST_CHANGED);
    assertThat(cluster.host("h1").closed()).contains(new Reason.Cordoned());
    long version = cluster.host("h1").version();

    cluster.at(1).cordoned("h1");

    assertThat(cluster.scheduler().now()).isEqualTo(Cluster.SECOND);
    assertThat(cluster.host("h1").version()).isEqualTo(version);
    assertThat(cluster.scheduler().nextPassAt()).isEmpty();

    cluster.uncordoned("h1");

    assertThat(cluster.host("h1").closed()).isEmpty();
    assertThat(cluster.host("h1").version()).isNotEqualTo(version);
    assertThat(cluster.scheduler().nextPassAt()).hasValue(Cluster.SECOND);
    assertThat(cluster.pass().triggers()).containsExactly(Trigger.HOST_CHANGED);

    cluster.uncordoned("h1");

    assertThat(cluster.scheduler().nextPassAt()).isEmpty();
  }

  @Test
  void aHostThatReturnsIsOpen() {
    Cluster cluster = Cluster.of(parts -> parts).host("h1", 1).cordoned("h1").removed("h1");

    cluster.host("h1", 1).pending("a", 1);

    assertThat(cluster.host("h1").closed()).isEmpty();
    assertThat(Plans.instances(cluster.pass())).containsExactly("a");
  }

  @Test
  void badEventsAreRefused() {
    Cluster cluster = Cluster.byHand().at(5).host("h1", 1);
    Snapshot before = cluster.snapshot();

    assertThatThrownBy(() -> cluster.cordoned("h2"))
        .isInstanceOf(EventRefusedException.class)
        .hasMessage("host h2 is cordoned, but no such host is up.");
    assertThatThrownBy(() -> cluster.uncordoned("h2"))
        .isInstanceOf(EventRefusedException.class)
        .hasMessage("host h2 is uncordoned, but no such host is up.");
    assertThatThrownBy(() -> cluster.at(4).cordoned("h1"))
        .isInstanceOf(EventRefusedException.class)
        .hasMessageContaining("host h1 is cordoned at 4000000000 ns, but time has reached");

    assertThat(cluster.snapshot()).isEqualTo(before);
    assertThat(cluster.host("h1").closed()).isEmpty();
  }
}

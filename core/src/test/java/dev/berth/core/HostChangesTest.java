package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Drain;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.core.error.EventRefusedException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Hosts whose capacity, attributes or foreign load change while instances are on them. */
class HostChangesTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "for a test");

  private static Reason over(double cores) {
    return new Reason.OverCapacity(Dimension.CPU, Math.round(cores * 1e9));
  }

  static Stream<UnaryOperator<PipelineBuilder>> pipelines() {
    return CordonTest.pipelines();
  }

  @Nested
  class Capacity {

    @ParameterizedTest
    @MethodSource("dev.berth.core.HostChangesTest#pipelines")
    void aHostThatGrowsHasRoomForMore(UnaryOperator<PipelineBuilder> parts) {
      Cluster cluster = Cluster.of(parts).host("h1", 1).pending("a", 2);
      assertThat(cluster.pass().actions()).isEmpty();

      cluster.changed("h1", 2);

      assertThat(cluster.host("h1").capacity()).isEqualTo(Cluster.cores(2));
      assertThat(cluster.pass().triggers()).contains(Trigger.HOST_CHANGED);
      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.STARTING);
      assertThat(cluster.host("h1").free()).isEqualTo(Resources.none());
    }

    @ParameterizedTest
    @MethodSource("dev.berth.core.HostChangesTest#pipelines")
    void aShrunkHostTakesNothingUntilEverythingFitsAgain(UnaryOperator<PipelineBuilder> parts) {
      Cluster cluster = Cluster.of(parts).host("h1", 4).running("a", 2, "h1").running("b", 1, "h1");

      cluster.at(1).changed("h1", 2).pending(Cluster.request("c", 0));

      assertThat(cluster.host("h1").closed()).contains(over(1));
      assertThat(cluster.host("h1").free(Dimension.CPU)).isZero();
      assertThat(cluster.host("h1").free()).isEqualTo(Resources.none());
      assertThat(cluster.pass().actions()).isEmpty();
      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.RUNNING);

      cluster.at(2).completed("b");

      assertThat(cluster.host("h1").closed()).isEmpty();
      assertThat(Plans.instances(cluster.pass())).containsExactly("c");
    }

    @Test
    void aPolicyMayFreeAShrunkHost() {
      Cluster cluster = Cluster.byHand().host("h1", 4).host("h2", 4);
      cluster.running("a", 2, "h1").running("b", 2, "h1").pending("c", 1).changed("h1", 2);

      cluster.pass(
          pass -> {
            try (var fork = pass.fork()) {
              assertThat(fork.suspend(cluster.instance("a"), WHY).accepted()).isTrue();
              assertThat(cluster.host("h1").closed()).isEmpty();
            }
            assertThat(cluster.host("h1").closed()).contains(over(2));
            assertThat(
                    pass.migrate(cluster.instance("a"), cluster.host("h2"), Cluster.cores(2), WHY)
                        .accepted())
                .isTrue();
            assertThat(cluster.host("h1").closed()).isEmpty();
            assertThat(pass.place(cluster.instance("c"), cluster.host("h1")).refusal())
                .contains(new Reason.ShortOfCapacity(Dimension.CPU, 1_000_000_000));
          });

      cluster.completed("b");
      cluster.place("c", "h1");
    }

    @Test
    void anInstanceMayShrinkOnAShrunkHostButNotGrow() {
      Cluster byHand = Cluster.byHand().host("h1", Cluster.cores(4, 4));
      byHand.running(Cluster.request("a", 0).demand(Cluster.cores(1, 1)), "h1");
      byHand.pass(pass -> pass.resize(byHand.instance("a"), Cluster.cores(3, 3), WHY));
      byHand.running(Cluster.request("b", 0).demand(Cluster.cores(1, 1)), "h1");
      byHand
          .scheduler()
          .changeHost(new HostSpec("h1", Cluster.cores(2, 4), Map.of("name", "h1")), 0);

      byHand.pass(
          pass -> {
            assertThat(pass.resize(byHand.instance("a"), Cluster.cores(3.5, 3), WHY).refusal())
                .contains(new Reason.LargerThanHost(Dimension.CPU, 1_500_000_000));
            assertThat(pass.resize(byHand.instance("b"), Cluster.cores(1.5, 1), WHY).refusal())
                .containsInstanceOf(Reason.ShortOfCapacity.class);
            assertThat(pass.resize(byHand.instance("a"), Cluster.cores(2.5, 3), WHY).accepted())
                .isTrue();
            assertThat(byHand.host("h1").closed()).contains(over(1.5));
          });
      byHand.pass(pass -> pass.resize(byHand.instance("a"), Cluster.cores(1, 3), WHY));

      assertThat(byHand.host("h1").closed()).isEmpty();
    }

    @Test
    void aNewDimensionAndALostOneCount() {
      Cluster cluster = Cluster.of(parts -> parts).host("h1", Cluster.cores(2, 2));
      cluster.running(Cluster.request("a", 0).demand(Cluster.cores(1, 1)), "h1");
      Dimension gpu = new Dimension("gpu", 1);

      cluster
          .scheduler()
          .changeHost(
              new HostSpec("h1", Resources.of(Dimension.CPU, 2_000_000_000L, gpu, 1), Map.of()), 0);

      assertThat(cluster.host("h1").closed())
          .contains(new Reason.OverCapacity(Dimension.MEMORY, 1_000_000_000));
      assertThat(cluster.host("h1").free())
          .isEqualTo(Resources.of(Dimension.CPU, 1_000_000_000L, gpu, 1));
      cluster.completed("a");
      cluster.pending(Cluster.request("b", 1).demand(Resources.of(gpu, 1)));
      assertThat(Plans.instances(cluster.pass())).containsExactly("b");
    }

    @Test
    void theExplanationCountsHostsOverTheirCapacity() {
      Cluster cluster = Cluster.of(parts -> parts).host("h1", 4).running("a", 4, "h1");
      cluster.changed("h1", 2).pending("b", 1).pass();

      assertThat(cluster.scheduler().explain().whyPending("b", cluster.now()).describe())
          .isEqualTo("0 of 1 hosts: 1 over their capacity");
    }
  }

  @Nested
  class Attributes {

    @ParameterizedTest
    @MethodSource("dev.berth.core.HostChangesTest#pipelines")
    void constraintsHoldForNewPlacementsOnly(UnaryOperator<PipelineBuilder> parts) {
      Constraint red = new Constraint.Equal("colour", "red");
      Cluster cluster = Cluster.of(parts).host("h1", 4, "colour", "red");
      cluster.pending(Cluster.request("a", 1).constraint(red)).pass();
      cluster.started("a").changed("h1", 4, "colour", "blue");
      cluster.pending(Cluster.request("b", 1).constraint(red));

      assertThat(cluster.pass().actions()).isEmpty();
      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.RUNNING);
      assertThat(cluster.host("h1").closed()).isEmpty();
      assertThat(cluster.scheduler().explain().whyPending("b", cluster.now()).describe())
          .contains("1 where colour == red does not hold");

      cluster.changed("h1", 4, "colour", "red");

      assertThat(Plans.instances(cluster.pass())).containsExactly("b");
      assertThat(cluster.host("h1").attribute("colour")).contains("red");
    }

    @Test
    void aReservationIsMadeAnewWhenHostsChange() {
      Cluster cluster =
          Cluster.of(parts -> parts.backfill(Backfill.CONSERVATIVE))
              .host("h1", 4)
              .running(estimated("a", 4, 10), "h1")
              .pending(estimated("b", 4, 10))
              .pending(estimated("c", 2, 100));
      assertThat(cluster.pass().actions()).isEmpty();

      cluster.at(1).changed("h1", 6);

      assertThat(Plans.instances(cluster.pass())).containsExactly("c");
    }

    private dev.berth.api.Request.Builder estimated(String id, double cores, int seconds) {
      return Cluster.request(id, cores).estimatedRunTime(java.time.Duration.ofSeconds(seconds));
    }
  }

  @Nested
  class ForeignLoad {

    @ParameterizedTest
    @MethodSource("dev.berth.core.HostChangesTest#pipelines")
    void foreignLoadTakesRoomAndGivesItBack(UnaryOperator<PipelineBuilder> parts) {
      Cluster cluster = Cluster.of(parts).host("h1", 4).foreign("h1", 3).pending("a", 2);

      assertThat(cluster.host("h1").free()).isEqualTo(Cluster.cores(1));
      assertThat(cluster.host("h1").foreign()).isEqualTo(Cluster.cores(3));
      assertThat(cluster.host("h1").capacity()).isEqualTo(Cluster.cores(4));
      assertThat(cluster.pass().actions()).isEmpty();
      assertThat(cluster.scheduler().explain().whyPending("a", cluster.now()).describe())
          .contains("1 beside foreign load (cpu short by 1)");

      cluster.foreign("h1", 2);

      assertThat(Plans.instances(cluster.pass())).containsExactly("a");
      assertThat(cluster.host("h1").free()).isEqualTo(Resources.none());
    }

    @Test
    void noPreemptionFreesForeignLoad() {
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(TestParts.latestFirst(), TestParts.LESS_IMPORTANT))
              .host("h1", 4)
              .running("a", "bronze", 2, "h1")
              .foreign("h1", 2)
              .pending("b", "gold", 3)
              .pending("c", "gold", 2);

      assertThat(Plans.placements(cluster.pass())).containsExactly("c on h1");
      assertThat(cluster.instance("b").state()).isEqualTo(InstanceState.PENDING);
    }

    @Test
    void foreignLoadMayExceedTheHost() {
      Cluster cluster = Cluster.of(parts -> parts).host("h1", 4).foreign("h1", 5);

      assertThat(cluster.host("h1").closed()).contains(over(1));

      cluster.foreign("h1", 0).pending("a", 4);

      assertThat(cluster.host("h1").closed()).isEmpty();
      assertThat(cluster.host("h1").foreign()).isEqualTo(Resources.none());
      assertThat(Plans.instances(cluster.pass())).containsExactly("a");
    }

    @Test
    void foreignLoadCountsAsUsedInScores() {
      Cluster cluster = Cluster.of(parts -> parts).host("h1", 4).host("h2", 4).foreign("h1", 1);
      cluster.pending("a", 1);

      assertThat(Plans.hosts(cluster.pass())).containsExactly("h2"); // least requested
    }

    @Test
    void aReportOfTheSameAmountsMakesNoPassDue() {
      Cluster cluster = Cluster.of(parts -> parts).host("h1", 4).foreign("h1", 1);
      cluster.pass();
      long version = cluster.host("h1").version();

      cluster.at(1).foreign("h1", 1);

      assertThat(cluster.scheduler().nextPassAt()).isEmpty();
      assertThat(cluster.host("h1").version()).isEqualTo(version);
      assertThat(cluster.scheduler().now()).isEqualTo(Cluster.SECOND);

      cluster.foreign("h1", 2);

      assertThat(cluster.scheduler().nextPassAt()).hasValue(Cluster.SECOND);
    }

    @Test
    void cpuIsSharedWithOthersOnATimeSharedHost() {
      Cluster cluster = Cluster.of(parts -> parts);
      cluster.scheduler().addHost(new HostSpec("h1", Cluster.cores(2, 2), Map.of(), true), 0);

      cluster.scheduler().foreignLoad("h1", Cluster.cores(9, 1), 0);

      assertThat(cluster.host("h1").closed()).isEmpty();
      assertThat(cluster.host("h1").free()).isEqualTo(Cluster.cores(2, 1));
      assertThat(cluster.host("h1").foreign()).isEqualTo(Cluster.cores(9, 1));
    }

    @Test
    void foreignLoadStaysWhenTheCapacityChanges() {
      Cluster cluster = Cluster.byHand().host("h1", 4).foreign("h1", 1).running("a", 2, "h1");

      cluster.changed("h1", 8);

      assertThat(cluster.host("h1").free()).isEqualTo(Cluster.cores(5));

      cluster.changed("h1", 2.5);

      assertThat(cluster.host("h1").closed()).contains(over(0.5));
    }
  }

  @Nested
  class BadEvents {

    private final Cluster cluster =
        Cluster.byHand().at(5).host("h1", Cluster.cores(4, 4)).running("a", 2, "h1");

    private void refused(ThrowingCallable event, String message) {
      Snapshot before = cluster.snapshot();
      String host = describe();
      assertThatThrownBy(event)
          .isInstanceOf(EventRefusedException.class)
          .hasMessageContaining(message);
      assertThat(cluster.snapshot()).isEqualTo(before);
      assertThat(describe()).isEqualTo(host);
      assertThat(cluster.scheduler().now()).isEqualTo(5 * Cluster.SECOND);
    }

    private String describe() {
      var host = cluster.host("h1");
      return List.of(
              host.capacity(),
              host.free(),
              host.foreign(),
              host.attributes(),
              host.version(),
              host.closed())
          .toString();
    }

    @Test
    void unknownHosts() {
      refused(() -> cluster.changed("h2", 1), "host h2 changes, but no such host is up.");
      refused(() -> cluster.foreign("h2", 1), "host h2 reports foreign load, but no such host");
    }

    @Test
    void thePast() {
      refused(() -> cluster.at(4).changed("h1", 1), "host h1 changes at 4000000000 ns");
      refused(() -> cluster.at(4).foreign("h1", 1), "host h1 reports foreign load at 4000000000");
    }

    @Test
    void timeSharing() {
      HostSpec shared = new HostSpec("h1", Cluster.cores(4, 4), Map.of(), true);
      refused(
          () -> cluster.scheduler().changeHost(shared, cluster.now()),
          "whether its CPU is time-shared must stay false");
    }

    @Test
    void otherScales() {
      Resources cpu = Resources.of(new Dimension("cpu", 1000), 1000);
      refused(
          () -> cluster.scheduler().changeHost(new HostSpec("h1", cpu), cluster.now()),
          "counts cpu on another scale");
      refused(
          () -> cluster.scheduler().foreignLoad("h1", cpu, cluster.now()),
          "foreign load of host h1 counts cpu on another scale");
    }

    @Test
    void negativeAmounts() {
      assertThatThrownBy(() -> Resources.of(Dimension.CPU, -1))
          .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void hugeForeignLoad() {
      Cluster full =
          Cluster.byHand()
              .host("h1", Resources.of(Dimension.MEMORY, Long.MAX_VALUE))
              .running(
                  Cluster.request("a", 0).demand(Resources.of(Dimension.MEMORY, Long.MAX_VALUE)),
                  "h1");
      full.scheduler().changeHost(new HostSpec("h1", Resources.none()), 0);
      String before = full.host("h1").closed().toString();

      assertThatThrownBy(
              () -> full.scheduler().foreignLoad("h1", Resources.of(Dimension.MEMORY, 2), 0))
          .isInstanceOf(EventRefusedException.class)
          .hasMessageContaining("more than 2^63 units together");

      assertThat(full.host("h1").closed().toString()).isEqualTo(before);
      full.completed("a");
      assertThat(full.host("h1").closed()).isEqualTo(Optional.empty());
    }
  }

  /** Also if it changes nothing else. */
  @Test
  void eachEventAboutAHostAdvancesTheTime() {
    Cluster cluster = Cluster.byHand().host("h1", 4);
    int second = 0;
    for (Consumer<Cluster> event :
        List.<Consumer<Cluster>>of(
            it -> it.changed("h1", 2),
            it -> it.foreign("h1", 1),
            it -> it.cordoned("h1"),
            it -> it.uncordoned("h1"),
            it -> it.drained("h1", Drain.waiting()))) {
      for (int times = 0; times < 2; times++) {
        event.accept(cluster.at(++second));
        assertThat(cluster.scheduler().now()).isEqualTo(second * Cluster.SECOND);
      }
    }
  }
}

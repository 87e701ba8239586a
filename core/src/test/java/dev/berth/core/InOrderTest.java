package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static dev.berth.core.Jobs.job;
import static dev.berth.core.Jobs.moldable;
import static dev.berth.core.Plans.instances;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.Dimension;
import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.snapshot.LatestPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A queue that is served in order skips no request that fits, and keeps its head and reservations.
 */
class InOrderTest {

  private static PipelineBuilder fifo(PipelineBuilder parts, Backfill backfill) {
    return parts.queue(QueueDiscipline.FIFO).backfill(backfill);
  }

  @Test
  void isNotSkippedIfItIsGrantedLessThanItDemands() {
    Cluster cluster =
        Cluster.of(parts -> fifo(parts, Backfill.AGGRESSIVE).grants((instance, host) -> cores(2)))
            .host("h1", 4)
            .running("r", 2, "h1");

    Plan plan = cluster.pending(moldable("wide", 4, 10)).pass();

    assertThat(instances(plan)).containsExactly("wide");
    assertThat(cluster.instance("wide").granted()).isEqualTo(cores(2));
  }

  @Test
  void isNotSkippedIfWhatItLacksIsOversubscribed() {
    Cluster cluster =
        Cluster.of(
                parts ->
                    fifo(parts, Backfill.AGGRESSIVE)
                        .grants((instance, host) -> cores(1, 0.5))
                        .oversubscribe(Set.of(Dimension.MEMORY)))
            .host("h1", cores(4, 1));

    Plan plan =
        cluster
            .pending(request("large", 0).demand(cores(1, 2)).guaranteed(cores(1, 0.5)))
            .pending(request("wide", 0).demand(cores(5, 2)).guaranteed(cores(1, 0.5)))
            .pass();

    assertThat(instances(plan)).containsExactly("large");
  }

  @Test
  void comesBeforeReservationsOfThoseBehindIt() {
    Cluster cluster =
        Cluster.of(
                parts ->
                    parts
                        .queue(instance -> instance.serviceClass().importance())
                        .backfill(Backfill.CONSERVATIVE))
            .host("h1", 4)
            .running(job("r", 4, 10), "h1");
    cluster.at(1).pending(request("later", "bronze", 4)).pass();
    cluster.at(2).pending(request("first", "gold", 4)).pass();

    cluster.at(10).completed("r");

    assertThat(instances(cluster.pass())).containsExactly("first");
  }

  @Test
  void reservationOfARequestThatIsCancelledIsFree() {
    Cluster cluster =
        Cluster.of(parts -> fifo(parts, Backfill.CONSERVATIVE))
            .host("h1", 4)
            .running(job("r", 2, 10), "h1");
    cluster.at(1).pending(job("wide", 4, 10)).at(2).pending(job("long", 2, 15));
    assertThat(cluster.pass().actions()).isEmpty();

    cluster.at(3).cancel("wide");

    assertThat(instances(cluster.pass())).containsExactly("long");
  }

  @Test
  void requestThatIsCancelledIsNotRejectedWhenItIsLate() {
    Cluster cluster =
        Cluster.of(parts -> fifo(parts, Backfill.NONE).admission(Admission.IN_TIME))
            .host("h1", 1)
            .running("r", 1, "h1");
    cluster.pending(job("late", 1, 5).deadline(Duration.ofSeconds(6))).pass();
    cluster.cancel("late");

    assertThat(cluster.at(2).pass().actions()).isEmpty();
  }

  @Test
  void headOfThePassIsKeptForExplanations() {
    Cluster cluster =
        Cluster.of(parts -> fifo(parts, Backfill.EASY)).host("h1", 4).running("r", 2, "h1");
    cluster.pending("head", 4).pending("other", 4);

    Plan plan = cluster.pass();

    LatestPlan kept = cluster.snapshotData().latestPlan();
    assertThat(kept.head().map(LatestPlan.HeadData::id)).contains("head");
    assertThat(kept.queuePass()).isEqualTo(plan.pass());
  }

  /** In each of its loops: before the head, behind it, and while it reserves. */
  @ParameterizedTest
  @CsvSource({
    "NONE, first",
    "AGGRESSIVE, first",
    "EASY, behind",
    "CONSERVATIVE, first",
    "CONSERVATIVE, behind"
  })
  void interruptionEndsThePass(Backfill backfill, String at) {
    List<String> asked = new ArrayList<>();
    Cluster cluster =
        Cluster.of(
            parts ->
                fifo(parts, backfill)
                    .filter(
                        (instance, host, now) -> {
                          asked.add(instance.id());
                          if (instance.id().equals(at)) {
                            Thread.currentThread().interrupt();
                          }
                          return Optional.empty();
                        }));
    cluster.host("h1", 4).pending(job("first", 1, 5)).pending(job("second", 1, 5));
    if (at.equals("behind")) {
      cluster.at(1).pending(job("head", 4, 5));
      cluster.at(2).pending(job("behind", 1, 2)).pending(job("last", 1, 2));
    }
    try {
      assertThatExceptionOfType(PolicyFailedException.class)
          .isThrownBy(cluster::pass)
          .withCauseInstanceOf(CancellationException.class);
    } finally {
      Thread.interrupted(); // for the tests that follow
    }
    assertThat(asked).endsWith(at);
    assertThat(cluster.instance("first").host()).isEmpty();
  }

  @Test
  void placesAsManyAsAPassMayInOrder() {
    Cluster cluster =
        Cluster.of(
                Scheduler.builder().maxPlacements(1), parts -> fifo(parts, Backfill.CONSERVATIVE))
            .host("h1", 2);
    cluster.pending(job("a", 1, 5)).pending(job("b", 1, 5));

    assertThat(cluster.pass().actions())
        .containsExactly(new Action.Place("a", "h1", List.of(), Optional.empty()));
    assertThat(cluster.scheduler().nextPassAt()).isEqualTo(OptionalLong.of(0));
    assertThat(instances(cluster.pass())).containsExactly("b");
  }

  /** A request that certainly finds no room costs no question to the policy. */
  @Test
  void asksForNoGrantIfWhatCannotVaryIsLarger() {
    List<String> asked = new ArrayList<>();
    Cluster cluster =
        Cluster.of(
            parts ->
                fifo(parts, Backfill.AGGRESSIVE)
                    .grants(
                        (instance, host) -> {
                          asked.add(instance.id());
                          return instance.request().demand();
                        }));
    cluster.host("h1", cores(4, 4)).host("h2", cores(4, 4));
    cluster.running(request("r", 0).demand(cores(1, 3)), "h1").removed("h2");
    cluster.pending(moldable("wide", 4, 10).demand(cores(4, 2)));
    cluster.pending(request("rigid", 0).demand(cores(1, 2)));
    asked.clear();

    assertThat(cluster.pass().actions()).isEmpty();

    assertThat(asked).isEmpty();
  }

  @Test
  void requestThatCameAfterThePassDoesNotWaitForItsHead() {
    Cluster cluster =
        Cluster.of(parts -> fifo(parts, Backfill.NONE)).host("h1", 1).running("r", 1, "h1");
    cluster.pending("head", 1).at(1).pending("before", 1).pass();
    cluster.at(2).pending("after", 1);

    assertThat(cluster.reasonsToWait()).containsKey("before").doesNotContainKey("after");
  }
}

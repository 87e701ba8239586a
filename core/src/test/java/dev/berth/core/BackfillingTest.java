package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static dev.berth.core.Jobs.behind;
import static dev.berth.core.Jobs.job;
import static dev.berth.core.Plans.instances;
import static dev.berth.core.Plans.placements;
import static dev.berth.core.TestParts.ALLOW_ALL;
import static dev.berth.core.TestParts.LESS_IMPORTANT;
import static dev.berth.core.TestParts.latestFirst;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Domain;
import dev.berth.api.Peers;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Aggressive, EASY and conservative backfilling. */
class BackfillingTest {

  @Test
  void noneMakesTheQueueWaitForItsHead() {
    Cluster cluster = with(Backfill.NONE).host("h1", 4).running(job("r", 2, 10), "h1");
    cluster.at(1).pending("first", 1).at(2).pending("big", 4);
    cluster.at(3).pending("small", 1).pending("tiny", 0.1);

    Plan plan = cluster.pass();

    assertThat(instances(plan)).containsExactly("first");
    assertThat(cluster.reasonsToWait())
        .isEqualTo(Map.of("small", behind("big"), "tiny", behind("big")));
  }

  @ParameterizedTest
  @EnumSource(Backfill.class)
  void requestThatFitsNoHostBlocksNoOther(Backfill backfill) {
    Cluster cluster = with(backfill).host("h1", cores(4, 4)).host("h2", 9, "zone", "b");
    cluster.pending(job("giant", 9.1, 5));
    cluster.pending(job("nowhere", 1, 5).constraint(new Constraint.Equal("zone", "c")));
    cluster.pending(job("small-zone", 5, 5).constraint(new Constraint.NotEqual("zone", "b")));
    cluster.pending(job("no-gpu", 0, 5).demand(Resources.of(new Dimension("gpu", 1), 1)));
    cluster.pending(job("split", 0, 5).demand(cores(5, 1)));
    cluster.at(1).pending(job("normal", 2, 5)).pending(job("other", 2, 5));

    Plan plan = cluster.pass();

    assertThat(instances(plan)).containsExactly("normal", "other");
    assertThat(plan.deferrals()).isEmpty();
  }

  @Test
  void aggressiveStartsEveryJobThatFits() {
    Cluster cluster = with(Backfill.AGGRESSIVE).host("h1", 4).running(job("r", 2, 10), "h1");
    cluster.at(1).pending(job("big", 4, 1)).pending(job("small", 1, 999)).pending("tiny", 1);

    Plan plan = cluster.pass();

    assertThat(instances(plan)).containsExactly("small", "tiny");
    assertThat(plan.deferrals()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"EASY", "CONSERVATIVE"})
  void backfillsJobThatEndsBeforeTheHeadStarts(Backfill backfill) {
    Cluster cluster = with(backfill).host("h1", 4).running(job("r", 2, 10), "h1");
    cluster.at(1).pending(job("head", 4, 5)).at(3);
    cluster.pending(job("long", 1, 0).estimatedRunTime(Duration.ofNanos(7 * SECOND + 1)));
    cluster.pending(job("unknown", 1, 0)).pending(job("short", 1, 7));

    Plan plan = cluster.pass();

    assertThat(instances(plan)).containsExactly("short");
    assertThat(cluster.reasonsToWait())
        .isEqualTo(Map.of("long", behind("head"), "unknown", behind("head")));
  }

  /** An instance ends at the latest when its longest run time is over, whatever it estimates. */
  @ParameterizedTest
  @CsvSource({"EASY", "CONSERVATIVE"})
  void reservationsCountOnLongestRunTimes(Backfill backfill) {
    Cluster cluster =
        with(backfill)
            .host("h1", 4)
            .running(job("r", 2, 99).maxRunTime(Duration.ofSeconds(10)), "h1");
    cluster.at(1).pending(job("head", 4, 5)).at(3);
    cluster.pending(job("long", 1, 8));
    cluster.pending(job("limited", 1, 0).maxRunTime(Duration.ofSeconds(7)));

    Plan plan = cluster.pass();

    assertThat(instances(plan)).containsExactly("limited");
    assertThat(cluster.reasonsToWait()).isEqualTo(Map.of("long", behind("head")));
  }

  @ParameterizedTest
  @CsvSource({"EASY", "CONSERVATIVE"})
  void backfillsLongJobThatLeavesTheHeadItsRoom(Backfill backfill) {
    Cluster cluster = with(backfill).host("h1", 4).running(job("r", 2, 10), "h1");
    cluster.at(1).pending(job("head", 3, 5)).at(2);
    cluster.pending(job("one", 1, 0)).pending(job("two", 1, 100));

    Plan plan = cluster.pass();

    assertThat(instances(plan)).containsExactly("one");
    assertThat(cluster.reasonsToWait()).isEqualTo(Map.of("two", behind("head")));
  }

  /** It would have room on h1 if it did not delay the head. */
  @ParameterizedTest
  @CsvSource({"EASY", "CONSERVATIVE"})
  void jobWaitsForTheHeadAlthoughAFilterRefusesAnotherHost(Backfill backfill) {
    Reason no = new Reason.PolicyChoice("no", "not there");
    Cluster cluster =
        Cluster.of(
            parts ->
                parts
                    .backfill(backfill)
                    .filter(
                        (job, host, now) ->
                            job.id().equals("x") && host.id().equals("h2")
                                ? Optional.of(no)
                                : Optional.empty()));
    cluster.host("h1", 4).host("h2", 4);
    cluster.running(job("r1", 2, 10), "h1").running(job("r2", 2, 10), "h2");
    cluster.at(1).pending(job("head", 4, 5)).at(2).pending(job("x", 1, 0));
    cluster.pass();

    assertThat(cluster.reasonsToWait()).containsEntry("x", behind("head"));
  }

  @Test
  void easyProtectsTheHeadAndConservativeEveryJob() {
    for (Backfill backfill : List.of(Backfill.EASY, Backfill.CONSERVATIVE)) {
      Cluster cluster = with(backfill).host("h1", 4).running(job("r", 2, 10), "h1");
      cluster.at(0).pending(job("head", 3, 5)); // from 10 to 15
      cluster.at(1).pending(job("next", 4, 10)); // from 15
      cluster.at(2).pending(job("x", 1, 20)); // beside the head, until 22
      cluster.at(3).pending(job("y", 1, 12)); // until 15, when the next one begins

      assertThat(instances(cluster.pass())).containsExactly(backfill == Backfill.EASY ? "x" : "y");
    }
  }

  @Test
  void conservativeUsesTheReservedHostDespiteScores() {
    Cluster cluster =
        Cluster.of(
            parts ->
                parts
                    .backfill(Backfill.CONSERVATIVE)
                    .allocationScore(fit -> fit.host().id().equals("h2") ? 1 : 0));
    cluster.host("h1", 4).host("h2", 4);
    cluster.running(job("r1", 4, 10), "h1").running(job("r2", 4, 10), "h2");
    cluster.pending(job("a", 4, 5)); // on h1 at 10, which joined first
    cluster.pending(job("b", 4, 5).constraint(new Constraint.Equal("name", "h2")));
    cluster.pass();

    cluster.at(10).completed("r1");
    cluster.completed("r2");

    assertThat(placements(cluster.pass())).containsExactly("a on h1", "b on h2");
  }

  @Test
  void conservativeUsesTheReservedHostIfAnotherIsFreeEarly() {
    Cluster cluster =
        Cluster.of(
            parts ->
                parts
                    .backfill(Backfill.CONSERVATIVE)
                    .allocationScore(fit -> fit.host().id().equals("h1") ? 1 : 0));
    cluster.host("h1", 4).host("h2", 4);
    cluster.running(job("r1", 4, 20), "h1").running(job("r2", 4, 10), "h2");
    cluster.pending(job("a", 4, 5)); // on h2 at 10
    cluster.pending(job("b", 4, 5).constraint(new Constraint.Equal("name", "h1")));
    cluster.pass();

    cluster.at(10).completed("r1");
    cluster.completed("r2");

    assertThat(placements(cluster.pass())).containsExactly("a on h2", "b on h1");
  }

  @Test
  void reservesAtKnownEndsDespiteJobsWithoutEstimate() {
    Cluster cluster = with(Backfill.EASY).host("h1", 4).running(job("r", 1, 0), "h1");
    cluster.running(job("s", 2, 10), "h1");
    cluster.pending(job("head", 3, 5)).at(4).pending(job("x", 1, 7)).pending(job("y", 1, 6));

    assertThat(instances(cluster.pass())).containsExactly("y");
  }

  /** It needs four cores, and one of memory: of h1 it could use all cores, of h2 nothing. */
  @ParameterizedTest
  @CsvSource({"EASY", "CONSERVATIVE"})
  void headWithoutStartTimeLeavesWhatItCouldNotUse(Backfill backfill) {
    Cluster cluster = with(backfill).host("h1", cores(4, 4)).host("h2", 2);
    cluster.running(job("r", 2, 0), "h1");
    cluster.pending(job("head", 0, 5).demand(cores(4, 1))).at(1);
    cluster.pending(job("core", 1, 1)).pending(job("small", 1, 1)).pending(job("tiny", 1, 1));
    cluster.pending(job("memory", 0, 0).demand(cores(0, 3)));
    cluster.pending(job("memory-2", 0, 0).demand(cores(0, 1)));

    assertThat(placements(cluster.pass()))
        .containsExactly("core on h2", "memory on h1", "small on h2");
    assertThat(cluster.reasonsToWait())
        .isEqualTo(Map.of("tiny", behind("head"), "memory-2", behind("head")));
  }

  /** A rule refuses it the one host with room, for how long is not known. */
  @ParameterizedTest
  @CsvSource({"EASY", "CONSERVATIVE"})
  void headThatARuleRefusesKeepsItsRoomOnEachHost(Backfill backfill) {
    Cluster cluster = with(backfill).host("h1", 4).host("h2", 4);
    cluster.running(job("peer", 1, 10).label("kind", "x"), "h1");
    cluster.running(job("r", 2, 0), "h2").running(job("s", 1, 0), "h2");
    cluster.pending(
        job("head", 2, 5)
            .placement(
                PlacementSpec.builder().apart(Peers.labelled("kind", "x"), Domain.HOST).build()));
    cluster.at(1).pending(job("a", 1, 0)).pending(job("b", 1, 0));

    assertThat(placements(cluster.pass())).containsExactly("a on h1");
    cluster.at(2).completed("peer");
    assertThat(placements(cluster.pass())).containsExactly("head on h1", "b on h1");
  }

  @ParameterizedTest
  @CsvSource({"EASY", "CONSERVATIVE"})
  void jobThatRulesOrLimitsSetAgainstTheHeadDoesNotOvertakeIt(Backfill backfill) {
    Cluster cluster = with(backfill).host("h1", 5).host("h2", 5);
    cluster.scheduler().setLimit("licence", 2, 0);
    cluster.running(job("r", 3, 10), "h1").running(job("s", 3, 10), "h2");
    cluster.pending(
        job("head", 3, 5)
            .label("kind", "x")
            .placement(PlacementSpec.builder().use("licence", 2).build()));
    Domain host = Domain.HOST;
    cluster.at(1);
    cluster.pending(
        job("apart", 1, 1)
            .placement(PlacementSpec.builder().apart(Peers.labelled("kind", "x"), host).build()));
    cluster.pending(
        job("licensed", 1, 1).placement(PlacementSpec.builder().use("licence", 1).build()));
    cluster.pending(job("other", 1, 1));

    assertThat(instances(cluster.pass())).containsExactly("other");
  }

  @Test
  void overdueJobMayEndAtAnyMoment() {
    Cluster cluster = with(Backfill.EASY).host("h1", 4).running(job("r", 2, 10), "h1");
    cluster.at(1).pending(job("head", 4, 5)).at(12).pending(job("x", 1, 1));
    cluster.pending(job("instant", 1, 0).estimatedRunTime(Duration.ofNanos(1)));

    assertThat(instances(cluster.pass())).containsExactly("instant");
    assertThat(instances(cluster.at(13).pass())).as("the head still waits").isEmpty();
  }

  @Test
  void startingJobHasItsWholeRunLeft() {
    Cluster cluster = with(Backfill.EASY).host("h1", 4).starting(job("r", 2, 10), "h1");
    cluster.at(6).pending(job("head", 4, 5)).at(7);
    cluster.pending(job("eleven", 1, 11)).pending(job("ten", 1, 10));

    assertThat(instances(cluster.pass())).containsExactly("ten");
  }

  @Test
  void failedJobKeepsItsServedTime() {
    Cluster cluster = with(Backfill.EASY).host("h1", 4).running(job("r", 2, 10), "h1");
    cluster.at(6).failed("r").pass();
    cluster.started("r").pending(job("head", 4, 5)); // r has four seconds left
    cluster.at(7).pending(job("four", 1, 4)).pending(job("three", 1, 3));

    assertThat(instances(cluster.pass())).containsExactly("three");
  }

  @Test
  void waitingJobNeedsOnlyItsRemainingTime() {
    Cluster cluster = Cluster.of(parts -> parts.backfill(Backfill.EASY).queue(QueueDiscipline.SJF));
    cluster.host("h1", 4).running(job("r", 2, 100), "h1").at(95).running(job("t", 2, 10), "h1");
    cluster.pending(job("head", 4, 5)).failed("r"); // it has five seconds left

    assertThat(instances(cluster.pass())).containsExactly("r");
  }

  @Test
  void headReservesTheEarliestHostAndOthersBackfill() {
    Cluster cluster = with(Backfill.EASY).host("h1", 4).host("h2", 4).host("h3", 4);
    cluster.running(job("r1", 3, 20), "h1").running(job("r2", 3, 10), "h2");
    cluster.running(job("r3", 3, 10), "h3");
    cluster.pending(job("head", 4, 50)).at(1); // on h2 at 10, which joined before h3
    cluster.pending(job("a", 1, 0)).pending(job("b", 1, 0)).pending(job("c", 1, 0));

    Plan plan = cluster.pass();

    assertThat(placements(plan)).containsExactlyInAnyOrder("a on h1", "b on h3");
    assertThat(cluster.reasonsToWait()).isEqualTo(Map.of("c", behind("head")));
  }

  /** A host that joins later may take the place of one that left. */
  @Test
  void headReservesTheHostThatJoinedFirstAmongEquals() {
    Cluster cluster = with(Backfill.EASY).host("h1", 4).host("h2", 4).removed("h1").host("h3", 4);
    cluster.running(job("r2", 3, 10), "h2").running(job("r3", 3, 10), "h3");
    cluster.pending(job("head", 4, 50)).at(1).pending(job("a", 1, 0));

    assertThat(placements(cluster.pass())).containsExactly("a on h3");
  }

  @Test
  void reservationEndsWithThePlacement() {
    Cluster cluster =
        Cluster.of(
            parts ->
                parts
                    .backfill(Backfill.CONSERVATIVE)
                    .allocationScore(fit -> fit.host().id().equals("h1") ? 1 : 0));
    cluster.host("h1", 4).host("h2", 4);
    cluster.running(job("r1", 4, 20), "h1").running(job("r2", 4, 10), "h2");
    cluster.pending(job("a", 4, 5)).pass(); // on h2 at 10
    cluster.at(10).completed("r2");
    assertThat(placements(cluster.pass())).containsExactly("a on h2");
    cluster.at(11).failed("a").completed("r1");

    assertThat(placements(cluster.pass())).as("the best host").containsExactly("a on h1");
  }

  @Test
  void headReservesOnlyItsScarceDimension() {
    Cluster cluster = with(Backfill.EASY).host("h1", cores(8, 8));
    cluster.running(job("r", 0, 10).demand(cores(1, 6)), "h1");
    cluster.running(job("s", 0, 20).demand(cores(4, 1)), "h1");
    cluster.pending(job("head", 0, 30).demand(cores(2, 5))).at(1); // at 10
    cluster.pending(job("memory", 0, 50).demand(cores(0, 1)));
    cluster.pending(job("core", 0, 50).demand(cores(1, 0)));
    cluster.pending(job("two", 0, 50).demand(cores(2, 0)));

    // After 10, 7 of memory less 5 are free, enough for all; of the cores, 4 less 2.
    assertThat(instances(cluster.pass())).containsExactly("core", "memory");
  }

  @Test
  void reservationObeysConstraintsOfTheHead() {
    Cluster cluster = with(Backfill.EASY).host("h1", 4, "zone", "a").host("h2", 4, "zone", "b");
    cluster.running(job("r1", 3, 30), "h1").running(job("r2", 3, 10), "h2");
    cluster.pending(job("head", 4, 50).constraint(new Constraint.Equal("zone", "a"))).at(1);
    cluster.pending(job("a", 1, 0)).pending(job("b", 1, 30)).pending(job("c", 1, 29));

    assertThat(placements(cluster.pass())).containsExactlyInAnyOrder("a on h2", "c on h1");
  }

  @Test
  void placementInThePassCountsForLaterJobs() {
    Cluster cluster = with(Backfill.EASY).host("h1", 4);
    cluster.pending(job("a", 2, 10)).at(1).pending(job("head", 4, 5));
    cluster.at(2).pending(job("b", 2, 11)).pending(job("c", 1, 10)).pending(job("d", 1, 10));

    assertThat(instances(cluster.pass())).containsExactly("a", "c", "d");
  }

  @Test
  void longRunTimesDoNotOverflow() {
    Cluster cluster = with(Backfill.CONSERVATIVE).host("h1", 4).at(1_000_000);
    Duration longest = Duration.ofNanos(Long.MAX_VALUE);
    cluster.running(request("r", 2).estimatedRunTime(longest), "h1");
    cluster.pending(request("head", 4).estimatedRunTime(longest));
    cluster.pending(request("x", 1).estimatedRunTime(longest));
    cluster.pending(request("y", 1).estimatedRunTime(Duration.ofNanos(1)));

    assertThat(instances(cluster.pass())).as("they may last for ever").isEmpty();
  }

  @Test
  void reservationsExcludePreemption() {
    for (Backfill backfill : List.of(Backfill.EASY, Backfill.CONSERVATIVE)) {
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  Cluster.of(
                      parts -> parts.preemption(latestFirst(), ALLOW_ALL).backfill(backfill)))
          .withMessage(
              "a pipeline that preempts cannot backfill by reservations (%s). Maybe use aggressive."
                  .formatted(backfill));
    }
  }

  @Test
  void headMayPreemptWithoutBackfilling() {
    Cluster cluster =
        Cluster.of(
                parts ->
                    parts
                        .backfill(Backfill.NONE)
                        .preemption(latestFirst(), LESS_IMPORTANT)
                        .ties(TieBreak.BY_ID))
            .host("h1", 2)
            .running("b", "bronze", 2, "h1");
    cluster.at(1).pending("a", "gold", 1).pending("big", "bronze", 2).pending("c", "bronze", 1);

    Plan plan = cluster.pass();

    assertThat(instances(plan)).containsExactly("a");
    assertThat(plan.preemptions()).extracting(Action.Preempt::instance).containsExactly("b");
    assertThat(cluster.reasonsToWait()).isEqualTo(Map.of("c", behind("big")));
  }

  private static Cluster with(Backfill backfill) {
    return Cluster.of(parts -> parts.backfill(backfill).ties(TieBreak.BY_ID));
  }
}

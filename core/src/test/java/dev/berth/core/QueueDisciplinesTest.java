package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static dev.berth.core.TestParts.ALLOW_ALL;
import static dev.berth.core.TestParts.LESS_IMPORTANT;
import static dev.berth.core.TestParts.latestFirst;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.Action;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.InstanceState;
import dev.berth.api.Moldability;
import dev.berth.api.Plan;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.core.error.PolicyFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Batch scheduling: disciplines, backfilling, molding, admission, filters, grants, tie-breaks. */
class QueueDisciplinesTest {

  private static final Molding TWICE = new Molding(2);

  @Nested
  class Order {

    @ParameterizedTest
    @CsvSource({"FIFO, abcd", "EDF, cdab", "SGF, dcab", "SJF, bacd", "FCF, dbca"})
    void everyDisciplineSortsAsDefined(QueueDiscipline discipline, String order) {
      Cluster cluster = Cluster.of(parts -> parts.queue(discipline)).host("h1", 20);
      cluster.pending(job("a", 5, 8).deadline(Duration.ofSeconds(100)));
      cluster.at(1).pending(job("b", 2, 3));
      cluster.at(2).pending(job("c", 4, 10).deadline(Duration.ofSeconds(50)));
      cluster.at(3).pending(job("d", 1, 40).deadline(Duration.ofSeconds(60)));

      assertThat(String.join("", ids(cluster.pass()))).isEqualTo(order);
    }

    @Test
    void shortestJobFirstDiffersFromFifo() {
      for (boolean shortest : new boolean[] {true, false}) {
        Cluster cluster =
            Cluster.of(
                    parts ->
                        parts
                            .queue(shortest ? QueueDiscipline.SJF : QueueDiscipline.FIFO)
                            .backfill(Backfill.NONE))
                .host("h1", 1);
        cluster.pending(job("long", 1, 100)).pending(job("unknown", 1, 0));
        cluster.at(1).pending(job("short", 1, 5)).pending(job("middle", 1, 50));
        List<String> started = new ArrayList<>();
        for (int i = 2; i < 6; i++) {
          started.addAll(ids(cluster.at(i).pass()));
          cluster.started(started.get(started.size() - 1));
          cluster.completed(started.get(started.size() - 1));
        }

        assertThat(started)
            .containsExactlyElementsOf(
                shortest
                    ? List.of("short", "middle", "long", "unknown")
                    : List.of("long", "unknown", "middle", "short"));
      }
    }
  }

  @Nested
  class Backfilling {

    @Test
    void noneMakesTheQueueWaitForItsHead() {
      Cluster cluster = with(Backfill.NONE).host("h1", 4).running(job("r", 2, 10), "h1");
      cluster.at(1).pending("first", 1).at(2).pending("big", 4);
      cluster.at(3).pending("small", 1).pending("tiny", 0.1);

      Plan plan = cluster.pass();

      assertThat(ids(plan)).containsExactly("first");
      assertThat(plan.deferrals()).isEqualTo(Map.of("small", behind("big"), "tiny", behind("big")));
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

      assertThat(ids(plan)).containsExactly("normal", "other");
      assertThat(plan.deferrals()).isEmpty();
    }

    @Test
    void aggressiveStartsEveryJobThatFits() {
      Cluster cluster = with(Backfill.AGGRESSIVE).host("h1", 4).running(job("r", 2, 10), "h1");
      cluster.at(1).pending(job("big", 4, 1)).pending(job("small", 1, 999)).pending("tiny", 1);

      Plan plan = cluster.pass();

      assertThat(ids(plan)).containsExactly("small", "tiny");
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

      assertThat(ids(plan)).containsExactly("short");
      assertThat(plan.deferrals())
          .isEqualTo(Map.of("long", behind("head"), "unknown", behind("head")));
    }

    @ParameterizedTest
    @CsvSource({"EASY", "CONSERVATIVE"})
    void backfillsLongJobThatLeavesTheHeadItsRoom(Backfill backfill) {
      Cluster cluster = with(backfill).host("h1", 4).running(job("r", 2, 10), "h1");
      cluster.at(1).pending(job("head", 3, 5)).at(2);
      cluster.pending(job("one", 1, 0)).pending(job("two", 1, 100));

      Plan plan = cluster.pass();

      assertThat(ids(plan)).containsExactly("one");
      assertThat(plan.deferrals()).isEqualTo(Map.of("two", behind("head")));
    }

    @Test
    void easyProtectsTheHeadAndConservativeEveryJob() {
      for (Backfill backfill : List.of(Backfill.EASY, Backfill.CONSERVATIVE)) {
        Cluster cluster = with(backfill).host("h1", 4).running(job("r", 2, 10), "h1");
        cluster.at(0).pending(job("head", 3, 5)); // from 10 to 15
        cluster.at(1).pending(job("next", 4, 10)); // from 15
        cluster.at(2).pending(job("x", 1, 20)); // beside the head, until 22
        cluster.at(3).pending(job("y", 1, 12)); // until 15, when the next one begins

        assertThat(ids(cluster.pass())).containsExactly(backfill == Backfill.EASY ? "x" : "y");
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

      assertThat(hosts(cluster.pass())).containsExactly("a on h1", "b on h2");
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

      assertThat(hosts(cluster.pass())).containsExactly("a on h2", "b on h1");
    }

    @Test
    void reservesAtKnownEndsDespiteJobsWithoutEstimate() {
      Cluster cluster = with(Backfill.EASY).host("h1", 4).running(job("r", 1, 0), "h1");
      cluster.running(job("s", 2, 10), "h1");
      cluster.pending(job("head", 3, 5)).at(4).pending(job("x", 1, 7)).pending(job("y", 1, 6));

      assertThat(ids(cluster.pass())).containsExactly("y");
    }

    @Test
    void headWithoutStartTimeBlocksNoJob() {
      Cluster cluster = with(Backfill.EASY).host("h1", 4).running(job("r", 2, 0), "h1");
      cluster.pending(job("head", 4, 5)).at(1).pending(job("x", 1, 1_000_000));

      assertThat(ids(cluster.pass())).containsExactly("x");
    }

    @Test
    void overdueJobMayEndAtAnyMoment() {
      Cluster cluster = with(Backfill.EASY).host("h1", 4).running(job("r", 2, 10), "h1");
      cluster.at(1).pending(job("head", 4, 5)).at(12).pending(job("x", 1, 1));
      cluster.pending(job("instant", 1, 0).estimatedRunTime(Duration.ofNanos(1)));

      assertThat(ids(cluster.pass())).containsExactly("instant");
      assertThat(ids(cluster.at(13).pass())).as("the head still waits").isEmpty();
    }

    @Test
    void startingJobHasItsWholeRunLeft() {
      Cluster cluster = with(Backfill.EASY).host("h1", 4).starting(job("r", 2, 10), "h1");
      cluster.at(6).pending(job("head", 4, 5)).at(7);
      cluster.pending(job("eleven", 1, 11)).pending(job("ten", 1, 10));

      assertThat(ids(cluster.pass())).containsExactly("ten");
    }

    @Test
    void failedJobKeepsItsServedTime() {
      Cluster cluster = with(Backfill.EASY).host("h1", 4).running(job("r", 2, 10), "h1");
      cluster.at(6).failed("r").pass();
      cluster.started("r").pending(job("head", 4, 5)); // r has four seconds left
      cluster.at(7).pending(job("four", 1, 4)).pending(job("three", 1, 3));

      assertThat(ids(cluster.pass())).containsExactly("three");
    }

    @Test
    void waitingJobNeedsOnlyItsRemainingTime() {
      Cluster cluster =
          Cluster.of(parts -> parts.backfill(Backfill.EASY).queue(QueueDiscipline.SJF));
      cluster.host("h1", 4).running(job("r", 2, 100), "h1").at(95).running(job("t", 2, 10), "h1");
      cluster.pending(job("head", 4, 5)).failed("r"); // it has five seconds left

      assertThat(ids(cluster.pass())).containsExactly("r");
    }

    @Test
    void headReservesTheEarliestHostAndOthersBackfill() {
      Cluster cluster = with(Backfill.EASY).host("h1", 4).host("h2", 4).host("h3", 4);
      cluster.running(job("r1", 3, 20), "h1").running(job("r2", 3, 10), "h2");
      cluster.running(job("r3", 3, 10), "h3");
      cluster.pending(job("head", 4, 50)).at(1); // on h2 at 10, which joined before h3
      cluster.pending(job("a", 1, 0)).pending(job("b", 1, 0)).pending(job("c", 1, 0));

      Plan plan = cluster.pass();

      assertThat(hosts(plan)).containsExactlyInAnyOrder("a on h1", "b on h3");
      assertThat(plan.deferrals()).isEqualTo(Map.of("c", behind("head")));
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
      assertThat(ids(cluster.pass())).containsExactly("core", "memory");
    }

    @Test
    void reservationObeysConstraintsOfTheHead() {
      Cluster cluster = with(Backfill.EASY).host("h1", 4, "zone", "a").host("h2", 4, "zone", "b");
      cluster.running(job("r1", 3, 30), "h1").running(job("r2", 3, 10), "h2");
      cluster.pending(job("head", 4, 50).constraint(new Constraint.Equal("zone", "a"))).at(1);
      cluster.pending(job("a", 1, 0)).pending(job("b", 1, 30)).pending(job("c", 1, 29));

      assertThat(hosts(cluster.pass())).containsExactlyInAnyOrder("a on h2", "c on h1");
    }

    @Test
    void placementInThePassCountsForLaterJobs() {
      Cluster cluster = with(Backfill.EASY).host("h1", 4);
      cluster.pending(job("a", 2, 10)).at(1).pending(job("head", 4, 5));
      cluster.at(2).pending(job("b", 2, 11)).pending(job("c", 1, 10)).pending(job("d", 1, 10));

      assertThat(ids(cluster.pass())).containsExactly("a", "c", "d");
    }

    @Test
    void longRunTimesDoNotOverflow() {
      Cluster cluster = with(Backfill.CONSERVATIVE).host("h1", 4).at(1_000_000);
      Duration longest = Duration.ofNanos(Long.MAX_VALUE);
      cluster.running(request("r", 2).estimatedRunTime(longest), "h1");
      cluster.pending(request("head", 4).estimatedRunTime(longest));
      cluster.pending(request("x", 1).estimatedRunTime(longest)).pending(job("y", 1, 0));

      assertThat(ids(cluster.pass())).containsExactly("x", "y");
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
                "a pipeline that preempts cannot backfill by reservations (%s). Maybe take aggressive."
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

      assertThat(ids(plan)).containsExactly("a");
      assertThat(plan.preemptions()).extracting(Action.Preempt::instance).containsExactly("b");
      assertThat(plan.deferrals()).isEqualTo(Map.of("c", behind("big")));
    }
  }

  @Nested
  class MoldingTheHead {

    @Test
    void takesAllFreeWholeCores() {
      Cluster cluster = molding(Backfill.NONE).host("h1", 10).running(job("r", 3.5, 10), "h1");
      cluster.pending(moldable("a", 10, 10));

      Plan plan = cluster.pass();

      assertThat(plan.actions())
          .containsExactly(new Action.Place("a", "h1", List.of(), Optional.of(cores(6))));
      assertThat(cluster.instance("a").granted()).isEqualTo(cores(6));
      assertThat(cluster.host("h1").free()).isEqualTo(cores(0.5));
    }

    @Test
    void keepsOtherDimensions() {
      Cluster cluster = molding(Backfill.NONE).host("h1", cores(10, 10));
      cluster.running(job("r", 4, 10), "h1");
      cluster.pending(moldable("a", 10, 10).demand(cores(10, 7)));

      assertThat(cluster.pass().placements())
          .extracting(Action.Place::grant)
          .containsExactly(Optional.of(cores(6, 7)));
    }

    @ParameterizedTest
    @CsvSource({
      "15, 8, true",
      "15, 7.9, false",
      "10, 6, true",
      "10, 5.9, false",
      "30, 16, true",
      "30, 15, false",
      "3, 2, true",
      "2, 1, false",
      "2.5, 2, true",
      "45, 24, true",
      "75, 40, true"
    })
    void shrinksUntilTheMaximumSlowdown(double demand, double free, boolean molded) {
      Cluster cluster = molding(Backfill.NONE).host("h1", 100);
      cluster.running(job("r", 100 - free, 10), "h1").pending(moldable("a", demand, 10));

      assertThat(cluster.pass().placements()).hasSize(molded ? 1 : 0);
    }

    @Test
    void skipsRigidJobs() {
      Cluster cluster = molding(Backfill.NONE).host("h1", 10).running(job("r", 2, 10), "h1");

      assertThat(cluster.pending(job("a", 10, 10)).pass().actions()).isEmpty();
    }

    @Test
    void skipsJobsThatLackAnotherDimension() {
      Cluster cluster = molding(Backfill.NONE).host("h1", cores(10, 10));
      cluster.running(job("r", 0, 10).demand(cores(2, 9)), "h1");
      cluster.pending(moldable("a", 10, 10).demand(cores(10, 2)));

      assertThat(cluster.pass().actions()).isEmpty();
    }

    @Test
    void prefersMostCoresThenScoreThenTieBreak() {
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts
                          .molding(TWICE)
                          .ties(TieBreak.BY_ID)
                          .allocationScore(fit -> fit.host().id().compareTo("h4") >= 0 ? 1 : 0))
              .host("h1", 7)
              .host("h2", 8)
              .host("h5", 8)
              .host("h4", 8)
              .host("h6", 7.9);

      assertThat(hosts(cluster.pending(moldable("a", 10, 10)).pass())).containsExactly("a on h4");
    }

    @Test
    void moldsOnlyTheHead() {
      Cluster cluster = molding(Backfill.AGGRESSIVE).host("h1", 10).running(job("r", 4, 9), "h1");
      cluster.pending(job("head", 7, 10)).at(1).pending(moldable("a", 10, 10));

      assertThat(cluster.pass().actions()).isEmpty();
    }

    @Test
    void precedesBackfilling() {
      Cluster cluster = molding(Backfill.AGGRESSIVE).host("h1", 10).running(job("r", 3, 9), "h1");
      cluster.pending(moldable("head", 10, 10)).at(1).pending(job("small", 1, 1));

      assertThat(ids(cluster.pass())).containsExactly("head");
    }

    @Test
    void nextJobBecomesTheHead() {
      Cluster cluster = molding(Backfill.NONE).host("h1", 10).host("h2", 6);
      cluster.pending(moldable("a", 12, 10)).at(1).pending(moldable("b", 10, 10));
      cluster.at(2).pending(job("c", 1, 10));

      Plan plan = cluster.pass();

      assertThat(plan.placements())
          .containsExactly(
              new Action.Place("a", "h1", List.of(), Optional.of(cores(10))),
              new Action.Place("b", "h2", List.of(), Optional.of(cores(6))));
      assertThat(plan.deferrals()).as("no head is left, but no room either").isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"EASY", "CONSERVATIVE"})
    void reservesTheLongerRunOfAMoldedJob(Backfill backfill) {
      Cluster cluster = molding(backfill).host("h1", 10).running(job("r", 4, 100), "h1");
      cluster.pending(moldable("a", 10, 10)).pass(); // on 6 cores, until 18
      cluster.started("a").at(1).pending(job("head", 7, 5)).cancel("r");
      cluster.at(2).pending(job("x", 4, 17)).pending(job("y", 4, 16));

      assertThat(ids(cluster.pass())).containsExactly("y");
    }

    @Test
    void insufficientVictimsAreNotTakenForAMoldedHead() {
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts
                          .molding(TWICE)
                          .preemption(latestFirst(), LESS_IMPORTANT)
                          .ties(TieBreak.BY_ID))
              .host("h1", 10)
              .host("h2", 10);
      cluster.running("g", "gold", 4, "h1").running("h", "gold", 5, "h2");
      cluster.running("b", "bronze", 1, "h2");

      Plan plan = cluster.at(1).pending(moldable("a", 10, 10)).pass();

      assertThat(plan.actions())
          .containsExactly(new Action.Place("a", "h1", List.of(), Optional.of(cores(6))));
    }

    @Test
    void jobTooLargeEvenIfMoldedIsNoHead() {
      // 2.5 cores are more than the 2.13 it needs, but only two of them are whole.
      Cluster cluster = molding(Backfill.NONE).host("h1", 2.5);
      cluster.pending(moldable("a", 4, 10)).pending(job("b", 1, 1));

      assertThat(ids(cluster.pass())).containsExactly("b");
    }

    @ParameterizedTest
    @CsvSource({"EASY", "CONSERVATIVE"})
    void headThatFitsOnlyIfMoldedHasAReservation(Backfill backfill) {
      Cluster cluster = molding(backfill).host("h1", 8).running(job("r", 4, 10), "h1");
      cluster.pending(moldable("head", 10, 10)).at(1); // on all 8 cores, at 10
      cluster.pending(job("x", 1, 10)).pending(job("y", 1, 9));

      Plan plan = cluster.pass();

      assertThat(ids(plan)).containsExactly("y");
      assertThat(plan.deferrals()).isEqualTo(Map.of("x", behind("head")));
      cluster.at(10).started("y").completed("r");
      cluster.completed("y");
      assertThat(cluster.pass().placements())
          .contains(new Action.Place("head", "h1", List.of(), Optional.of(cores(8))));
    }

    @Test
    void acceptsAnyScaleOfCores() {
      Dimension cpu = new Dimension("cpu", 1000);
      Cluster cluster = molding(Backfill.NONE).host("h1", Resources.of(cpu, 6_500));
      cluster.pending(moldable("a", 0, 10).demand(Resources.of(cpu, 10_000)));

      assertThat(cluster.pass().placements())
          .containsExactly(
              new Action.Place("a", "h1", List.of(), Optional.of(Resources.of(cpu, 6_000))));
    }
  }

  @Nested
  class DeadlineAdmission {

    private final Cluster cluster = Cluster.of(parts -> parts.admission(Admission.IN_TIME));

    @Test
    void rejectsJobThatWillMissItsDeadline() {
      cluster.pending(job("a", 1, 4).deadline(Duration.ofSeconds(10)));

      assertThat(cluster.at(6).pass().actions()).as("could just be in time").isEmpty();

      Reason why = new Reason.DeadlineUnreachable(1);
      Plan plan = cluster.atNanos(6 * SECOND + 1).host("h1", 4).pass();
      assertThat(plan.actions()).containsExactly(new Action.Reject("a", why));
      assertThat(plan.deferrals()).isEmpty();
      assertThat(cluster.scheduler().instances()).isEmpty();
      assertThat(cluster.scheduler().pendingCount()).isZero();
      assertThat(cluster.scheduler().explain().whyAdjusted("a").orElseThrow().describe())
          .isEqualTo(
              "reject a at 6.000000001s, in pass 2: would miss its deadline by 0.000000001s even if it started now");
    }

    @Test
    void rejectsHopelessJobAtOnce() {
      cluster.host("h1", 4).pending(job("a", 1, 10).deadline(Duration.ofSeconds(7)));

      assertThat(cluster.pass().actions())
          .containsExactly(new Action.Reject("a", new Reason.DeadlineUnreachable(3 * SECOND)));
    }

    @Test
    void keepsJobsWithoutDeadlineOrEstimate() {
      cluster.pending(job("a", 1, 10)).pending(request("b", 1).deadline(Duration.ofSeconds(1)));

      assertThat(cluster.at(1_000_000).pass().actions()).isEmpty();
    }

    @Test
    void keepsJobsPlacedBefore() {
      cluster.host("h1", 4).running(job("a", 1, 4).deadline(Duration.ofSeconds(10)), "h1");
      cluster.starting(job("b", 1, 4).deadline(Duration.ofSeconds(10)), "h1");
      cluster.at(1).failed("a").failed("b").removed("h1");

      assertThat(cluster.at(100).pass().actions()).isEmpty();
      assertThat(cluster.scheduler().pendingCount()).isEqualTo(2);
    }

    @Test
    void rejectedJobBlocksNoOther() {
      Cluster strict =
          Cluster.of(parts -> parts.admission(Admission.IN_TIME).backfill(Backfill.NONE));
      strict.host("h1", 4).running(job("r", 2, 0), "h1");
      strict.pending(job("late", 4, 10).deadline(Duration.ofSeconds(9)));

      assertThat(ids(strict.at(1).pending(job("b", 1, 1)).pass())).containsExactly("b");
    }

    @Test
    void rejectsVeryLongRuns() {
      cluster.pending(
          request("a", 1)
              .estimatedRunTime(Duration.ofNanos(Long.MAX_VALUE))
              .deadline(Duration.ofNanos(1)));

      assertThat(cluster.atNanos(500).pass().actions())
          .containsExactly(new Action.Reject("a", new Reason.DeadlineUnreachable(Long.MAX_VALUE)));
    }

    @Test
    void idOfARejectedJobIsFree() {
      cluster.pending(job("a", 1, 10).deadline(Duration.ofSeconds(7))).pass();

      assertThat(cluster.pending(job("a", 1, 10)).pass().actions()).isEmpty();
      assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.PENDING);
    }

    @Test
    void admitsEveryJobByDefault() {
      Cluster any = Cluster.of(parts -> parts).host("h1", 4);

      assertThat(ids(any.pending(job("a", 1, 10).deadline(Duration.ofSeconds(7))).pass()))
          .containsExactly("a");
    }
  }

  @Nested
  class Filters {

    @Test
    void excludeHosts() {
      Cluster cluster =
          Cluster.of(parts -> parts.filter((instance, host, now) -> not(host.id().equals("h1"))))
              .host("h1", 4)
              .host("h2", 4);

      assertThat(hosts(cluster.pending("a", 3).pending("b", 3).pass())).containsExactly("a on h2");
    }

    @Test
    void giveTheReasonForWaiting() {
      Cluster cluster =
          Cluster.of(parts -> parts.filter((instance, host, now) -> not(host.id().equals("h1"))))
              .host("h1", 4)
              .host("h2", 1);

      assertThat(cluster.pending("a", 3).pass().deferrals()).isEqualTo(Map.of("a", NO));
      assertThat(cluster.cancel("a")).isNotNull();
      assertThat(cluster.pending("b", 5).pass().deferrals()).as("no room anyway").isEmpty();
    }

    @Test
    void mustAllHold() {
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts
                          .filter((instance, host, now) -> not(host.id().equals("h1")))
                          .filter((instance, host, now) -> not(host.id().equals("h2"))))
              .host("h1", 4)
              .host("h2", 4)
              .host("h3", 1);

      assertThat(hosts(cluster.pending("a", 1).pending("b", 1).pass())).containsExactly("a on h3");
    }

    @Test
    void seeActionsOfThePass() {
      Cluster cluster =
          Cluster.of(parts -> parts.filter((i, host, now) -> not(host.instances().size() == 2)))
              .host("h1", 9);

      assertThat(ids(cluster.pending("a", 1).pending("b", 1).pending("c", 1).pass()))
          .containsExactly("a", "b");
    }

    @Test
    void protectVictims() {
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts
                          .preemption(latestFirst(), ALLOW_ALL)
                          .filter(
                              (i, host, now) -> not(!i.id().equals("b") && host.id().equals("h1"))))
              .host("h1", 1)
              .running("b", 1, "h1");

      assertThat(cluster.pending("a", 1).pass().actions()).isEmpty();
    }

    @Test
    void excludeHostsForAMoldedHead() {
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts
                          .molding(TWICE)
                          .filter((instance, host, now) -> not(host.id().equals("h1"))))
              .host("h1", 9)
              .host("h2", 8);

      assertThat(cluster.pending(moldable("a", 10, 1)).pass().placements())
          .containsExactly(new Action.Place("a", "h2", List.of(), Optional.of(cores(8))));
    }

    private static final Reason NO = new Reason.PolicyChoice("no", "not there");

    private static Optional<Reason> not(boolean condition) {
      return condition ? Optional.of(NO) : Optional.empty();
    }
  }

  @Nested
  class Grants {

    @Test
    void mayExceedTheDemand() {
      Cluster cluster =
          Cluster.of(parts -> parts.grants((instance, host) -> cores(3))).host("h1", 4);

      Plan plan = cluster.pending("a", 1).pending("b", 1).pass();

      assertThat(plan.actions())
          .containsExactly(new Action.Place("a", "h1", List.of(), Optional.of(cores(3))));
      assertThat(cluster.instance("a").granted()).isEqualTo(cores(3));
      assertThat(cluster.host("h1").free()).isEqualTo(cores(1));
    }

    @Test
    void equalToTheDemandAreOmittedFromThePlan() {
      Cluster cluster =
          Cluster.of(parts -> parts.grants((instance, host) -> cores(1))).host("h1", 4);

      assertThat(cluster.pending("a", 1).pass().placements())
          .containsExactly(new Action.Place("a", "h1", List.of()));
    }

    @Test
    void areBelowDemandOnlyIfOversubscribed() {
      for (boolean oversubscribes : new boolean[] {true, false}) {
        Cluster cluster =
            Cluster.of(
                    parts ->
                        parts
                            .grants((instance, host) -> cores(1, 0.5))
                            .oversubscribe(oversubscribes ? Set.of(Dimension.MEMORY) : Set.of()))
                .host("h1", cores(4, 4));
        cluster.pending(request("a", 0).demand(cores(1, 6)).guaranteed(cores(1, 0.5)));

        assertThat(cluster.pass().placements()).hasSize(oversubscribes ? 1 : 0);
      }
    }

    @Test
    void areNeverBelowGuaranteed() {
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts
                          .grants((instance, host) -> cores(1, 0.5))
                          .oversubscribe(Set.of(Dimension.MEMORY)))
              .host("h1", cores(4, 4));
      cluster.pending(request("a", 0).demand(cores(1, 2)).guaranteed(cores(1, 0.6)));

      assertThat(cluster.pass().actions()).isEmpty();
    }

    @Test
    void ofAnUnknownDimensionMakeAHostInfeasible() {
      Resources odd = Resources.of(new Dimension("gpu", 1), 1);
      Resources scaled = Resources.of(new Dimension("cpu", 7), 7);
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts.grants(
                          (instance, host) ->
                              switch (host.id()) {
                                case "h1" -> odd;
                                case "h2" -> scaled;
                                default -> cores(1);
                              }))
              .host("h1", 9)
              .host("h2", 9)
              .host("h3", 1);

      assertThat(hosts(cluster.pending("a", 1).pass())).containsExactly("a on h3");
    }

    @Test
    void differPerHost() {
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts
                          .allocationScore(fit -> fit.capacity(0) - fit.used(0))
                          .grants((instance, host) -> host.id().equals("h1") ? cores(4) : cores(1)))
              .host("h1", 4)
              .host("h2", 3);

      // A grant of 4 fills h1; a grant of 1 leaves two cores of h2.
      assertThat(hosts(cluster.pending("a", 1).pass())).containsExactly("a on h2");
      assertThat(cluster.instance("a").granted()).isEqualTo(cores(1));
    }

    @Test
    void determineTheVictimsNeeded() {
      Cluster cluster =
          Cluster.of(
              parts ->
                  parts
                      .preemption(latestFirst(), ALLOW_ALL)
                      .grants((i, host) -> i.id().equals("a") ? cores(2) : i.request().demand()));
      cluster.host("h1", 2).running("b", 1, "h1").at(1).running("c", 1, "h1");

      Plan plan = cluster.at(2).pending("a", 1).pass();

      assertThat(plan.preemptions())
          .extracting(Action.Preempt::instance)
          .containsExactlyInAnyOrder("b", "c");
    }

    @Test
    void areReservedForTheHead() {
      Cluster cluster =
          Cluster.of(
              parts ->
                  parts
                      .backfill(Backfill.EASY)
                      .grants(
                          (i, host) -> i.id().equals("head") ? cores(4) : i.request().demand()));
      cluster.host("h1", 5).running(job("r", 2, 10), "h1").pending(job("head", 3, 5)).at(1);
      cluster.pending(job("x", 2, 10)).pending(job("y", 1, 0));

      assertThat(ids(cluster.pass())).containsExactly("y");
    }

    @Test
    void belowGuaranteedStillReserveForTheHead() {
      Cluster cluster =
          Cluster.of(
              parts ->
                  parts
                      .backfill(Backfill.EASY)
                      .oversubscribe(Set.of(Dimension.MEMORY))
                      .grants(
                          (i, host) ->
                              Resources.of(
                                  Dimension.CPU,
                                  i.request().demand().amount(Dimension.CPU),
                                  Dimension.MEMORY,
                                  Math.min(
                                      i.request().demand().amount(Dimension.MEMORY),
                                      host.free(Dimension.MEMORY)))));
      cluster.host("h1", cores(4, 4));
      cluster.running(job("r", 0, 10).demand(cores(1, 3)), "h1");
      // It takes the free memory, at least 3. At present 1 is free.
      cluster.pending(job("head", 0, 5).demand(cores(1, 9)).guaranteed(cores(1, 3))).at(1);
      cluster.pending(job("x", 0, 10).demand(cores(1, 1)));
      cluster.pending(job("y", 0, 9).demand(cores(1, 1)));

      Plan plan = cluster.pass();

      assertThat(ids(plan)).containsExactly("y");
      assertThat(plan.deferrals()).isEqualTo(Map.of("x", behind("head")));
    }

    @Test
    void beyondEveryHostMakeNoHead() {
      Cluster cluster =
          Cluster.of(
              parts ->
                  parts
                      .backfill(Backfill.NONE)
                      .grants((i, host) -> i.id().equals("a") ? cores(5) : i.request().demand()));

      assertThat(ids(cluster.host("h1", 4).pending("a", 3).pending("b", 1).pass()))
          .containsExactly("b");
    }

    @Test
    void demandBeyondEveryHostMakesNoHead() {
      Cluster cluster =
          Cluster.of(parts -> parts.backfill(Backfill.NONE).oversubscribe(Set.of(Dimension.CPU)));
      cluster.host("h1", 4).pending(request("a", 5).guaranteed(cores(1))).pending("b", 1);

      assertThat(ids(cluster.pass())).containsExactly("b");
    }
  }

  @Nested
  class TieBreaks {

    @Test
    void byIdChoosesTheFirstHost() {
      Cluster cluster = withEqualScores(TieBreak.BY_ID).host("h3", 2).host("h1", 2).host("h2", 2);

      assertThat(hosts(five(cluster).pass()))
          .containsExactly("a on h1", "b on h1", "c on h2", "d on h2", "e on h3");
    }

    @Test
    void inTurnChoosesTheNextHostCyclically() {
      Cluster cluster = withEqualScores(TieBreak.IN_TURN).host("h3", 2).host("h1", 2).host("h2", 2);

      assertThat(hosts(five(cluster).pass()))
          .containsExactly("a on h1", "b on h2", "c on h3", "d on h1", "e on h2");
    }

    @Test
    void turnContinuesInTheNextPassAndSkipsFullOrRemovedHosts() {
      Cluster cluster = withEqualScores(TieBreak.IN_TURN).host("h1", 9).host("h2", 9).host("h3", 0.5);
      cluster.host("h4", 9).pending("a", 1).pending("b", 1).pass();

      assertThat(hosts(cluster.pending("c", 1).pass())).containsExactly("c on h4");
      cluster.removed("h4");
      assertThat(hosts(cluster.pending("d", 1).pass())).containsExactly("c on h1", "d on h2");
    }

    @Test
    void scorePrecedesTurn() {
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts
                          .ties(TieBreak.IN_TURN)
                          .allocationScore(fit -> fit.host().id().equals("h1") ? 1 : 0))
              .host("h1", 9)
              .host("h2", 9);

      assertThat(hosts(cluster.pending("a", 1).pending("b", 1).pass()))
          .containsExactly("a on h1", "b on h1");
    }

    @Test
    void discardedForkTakesNoTurn() {
      Cluster cluster =
          Cluster.withPolicy(
                  Scheduler.builder(),
                  context -> {
                    Policy inner =
                        context.pipeline().ties(TieBreak.IN_TURN).allocationScore(fit -> 0).build();
                    return pass -> {
                      try (Fork fork = pass.fork()) {
                        inner.schedule(fork);
                      }
                      inner.schedule(pass);
                    };
                  })
              .host("h1", 9)
              .host("h2", 9)
              .host("h3", 9);

      assertThat(hosts(cluster.pending("a", 1).pass())).containsExactly("a on h1");
      assertThat(hosts(cluster.pending("b", 1).pass())).containsExactly("b on h2");
    }

    @Test
    void failedPassTakesNoTurn() {
      boolean[] fails = new boolean[1];
      Cluster cluster =
          Cluster.withPolicy(
                  Scheduler.builder(),
                  context -> {
                    Policy inner =
                        context.pipeline().ties(TieBreak.IN_TURN).allocationScore(fit -> 0).build();
                    return pass -> {
                      inner.schedule(pass);
                      if (fails[0]) {
                        throw new IllegalArgumentException("no");
                      }
                    };
                  })
              .host("h1", 9)
              .host("h2", 9);
      fails[0] = true;
      assertThatExceptionOfType(PolicyFailedException.class)
          .isThrownBy(() -> cluster.pending("a", 1).pass());
      fails[0] = false;

      assertThat(hosts(cluster.pass())).containsExactly("a on h1");
    }

    private static Cluster withEqualScores(TieBreak tieBreak) {
      return Cluster.of(parts -> parts.ties(tieBreak).allocationScore(fit -> 0));
    }

    private static Cluster five(Cluster cluster) {
      List.of("a", "b", "c", "d", "e").forEach(id -> cluster.pending(id, 1));
      return cluster;
    }
  }

  // ---- Helpers

  private static Cluster with(Backfill backfill) {
    return Cluster.of(parts -> parts.backfill(backfill).ties(TieBreak.BY_ID));
  }

  private static Cluster molding(Backfill backfill) {
    return Cluster.of(parts -> parts.backfill(backfill).molding(TWICE));
  }

  /** Returns a job with this estimated run time; zero means no estimate. */
  private static Request.Builder job(String id, double cores, int seconds) {
    Request.Builder job = request(id, cores);
    return seconds == 0 ? job : job.estimatedRunTime(Duration.ofSeconds(seconds));
  }

  private static Request.Builder moldable(String id, double cores, int seconds) {
    return job(id, cores, seconds).moldability(Moldability.LINPACK);
  }

  private static Reason behind(String head) {
    return new Reason.QueuedBehind(head);
  }

  private static List<String> ids(Plan plan) {
    return plan.placements().stream().map(Action.Place::instance).toList();
  }

  private static List<String> hosts(Plan plan) {
    return plan.placements().stream().map(each -> each.instance() + " on " + each.host()).toList();
  }
}

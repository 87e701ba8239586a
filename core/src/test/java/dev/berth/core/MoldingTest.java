package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Jobs.behind;
import static dev.berth.core.Jobs.job;
import static dev.berth.core.Jobs.moldable;
import static dev.berth.core.Plans.instances;
import static dev.berth.core.Plans.placements;
import static dev.berth.core.TestParts.LESS_IMPORTANT;
import static dev.berth.core.TestParts.latestFirst;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.decision.Decision;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Molding the head of the queue to the free cores. */
class MoldingTest {

  private static final Molding TWICE = new Molding(2);

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

  /** The best host is neither the first nor the last, and those of fewer cores score more. */
  @Test
  void prefersMostCoresThenScoreThenTieBreak() {
    Map<String, Double> scores =
        Map.of("h1", 9.0, "h2", 0.0, "h3", 0.0, "h4", 1.0, "h5", 1.0, "h6", 1.0, "h7", 5.0);
    Cluster cluster =
        Cluster.of(
                parts ->
                    parts
                        .molding(TWICE)
                        .ties(TieBreak.BY_ID)
                        .allocationScore(fit -> scores.get(fit.host().id())))
            .host("h1", 7)
            .host("h2", 8)
            .host("h5", 8)
            .host("h4", 8)
            .host("h6", 8)
            .host("h3", 8)
            .host("h7", 7.9);

    assertThat(placements(cluster.pending(moldable("a", 10, 10)).pass()))
        .containsExactly("a on h4");
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

    assertThat(instances(cluster.pass())).containsExactly("head");
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

    assertThat(instances(cluster.pass())).containsExactly("y");
  }

  @Test
  void moldedHeadIsRecordedWithoutTheFailedPreemption() {
    Cluster cluster =
        Cluster.of(
                Scheduler.builder().topScores(1),
                parts -> parts.molding(TWICE).preemption(latestFirst(), LESS_IMPORTANT))
            .host("h1", 10)
            .running("g", "gold", 4, "h1");

    cluster.at(1).pending(moldable("a", 10, 10)).pass();

    Decision decision = cluster.scheduler().decisions().latest(any -> true).orElseThrow();
    assertThat(decision.instance()).isEqualTo("a");
    assertThat(decision.roomyHosts()).isEqualTo(1);
    assertThat(decision.contestedHosts()).as("not counted").isEqualTo(-1);
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

    assertThat(instances(cluster.pass())).containsExactly("b");
  }

  @ParameterizedTest
  @CsvSource({"EASY", "CONSERVATIVE"})
  void headThatFitsOnlyIfMoldedHasAReservation(Backfill backfill) {
    Cluster cluster = molding(backfill).host("h1", 8).running(job("r", 4, 10), "h1");
    cluster.pending(moldable("head", 10, 10)).at(1); // on all 8 cores, at 10
    cluster.pending(job("x", 1, 10)).pending(job("y", 1, 9));

    Plan plan = cluster.pass();

    assertThat(instances(plan)).containsExactly("y");
    assertThat(cluster.reasonsToWait()).isEqualTo(Map.of("x", behind("head")));
    cluster.at(10).started("y").completed("r");
    cluster.completed("y");
    assertThat(cluster.pass().placements())
        .contains(new Action.Place("head", "h1", List.of(), Optional.of(cores(8))));
  }

  /** Memory is the first dimension that the cluster knows. */
  @Test
  void moldsCoresThatAreNotTheFirstDimension() {
    Cluster cluster = molding(Backfill.NONE).host("h1", Resources.of(Dimension.MEMORY, 8));
    cluster.host("h2", 6).pending(moldable("a", 10, 10));

    assertThat(cluster.pass().placements())
        .containsExactly(new Action.Place("a", "h2", List.of(), Optional.of(cores(6))));
  }

  @Test
  void skipsJobsThatDemandNoCores() {
    Cluster cluster = molding(Backfill.NONE).host("h1", Resources.of(Dimension.MEMORY, 1));
    cluster.pending(moldable("a", 0, 10).demand(Resources.of(Dimension.MEMORY, 2)));

    assertThat(cluster.host("h2", 6).pass().actions()).isEmpty();
  }

  @Test
  void recordsTheNumberOfHostsWithRoom() {
    Cluster cluster = Cluster.of(Scheduler.builder().topScores(1), parts -> parts.molding(TWICE));
    cluster.host("h1", 6).host("h2", 6).host("h3", 5).pending(moldable("a", 10, 10)).pass();

    assertThat(cluster.scheduler().decisions().all())
        .extracting(Decision::roomyHosts)
        .containsExactly(2);
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

  private static Cluster molding(Backfill backfill) {
    return Cluster.of(parts -> parts.backfill(backfill).molding(TWICE));
  }
}

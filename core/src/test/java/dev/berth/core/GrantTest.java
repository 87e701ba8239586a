package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static dev.berth.core.Jobs.job;
import static dev.berth.core.Plans.instances;
import static dev.berth.core.Plans.placements;
import static dev.berth.core.TestParts.ALLOW_ALL;
import static dev.berth.core.TestParts.latestFirst;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Grants that differ from the demand. */
class GrantTest {

  @Test
  void mayExceedTheDemand() {
    Cluster cluster = Cluster.of(parts -> parts.grants((instance, host) -> cores(3))).host("h1", 4);

    Plan plan = cluster.pending("a", 1).pending("b", 1).pass();

    assertThat(plan.actions())
        .containsExactly(new Action.Place("a", "h1", List.of(), Optional.of(cores(3))));
    assertThat(cluster.instance("a").granted()).isEqualTo(cores(3));
    assertThat(cluster.host("h1").free()).isEqualTo(cores(1));
  }

  @Test
  void equalToTheDemandAreOmittedFromThePlan() {
    Cluster cluster = Cluster.of(parts -> parts.grants((instance, host) -> cores(1))).host("h1", 4);

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
  void tooSmallAreAnObstacleOfAPlacement() {
    Cluster cluster = Cluster.byHand().host("h1", 4).pending("a", 2);
    Reason tooSmall = new Reason.GrantTooSmall(Dimension.CPU, 1_000_000_000, 2_000_000_000);

    cluster.pass(
        pass -> {
          Instance a = cluster.instance("a");
          Host h1 = cluster.host("h1");
          assertThat(pass.obstacle(a, h1, List.of(), cores(1))).contains(tooSmall);
          assertThat(pass.place(a, h1, List.of(), cores(1)).refusal()).contains(tooSmall);
          assertThat(pass.obstacle(a, h1, List.of(), cores(2))).isEmpty();
        });
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

    assertThat(placements(cluster.pending("a", 1).pass())).containsExactly("a on h3");
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
    assertThat(placements(cluster.pending("a", 1).pass())).containsExactly("a on h2");
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
                    .grants((i, host) -> i.id().equals("head") ? cores(4) : i.request().demand()));
    cluster.host("h1", 5).running(job("r", 2, 10), "h1").pending(job("head", 3, 5)).at(1);
    cluster.pending(job("x", 2, 10)).pending(job("y", 1, 0));

    assertThat(instances(cluster.pass())).containsExactly("y");
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

    assertThat(instances(plan)).containsExactly("y");
    assertThat(plan.blockedHead()).contains("head");
  }

  @Test
  void beyondEveryHostMakeNoHead() {
    Cluster cluster =
        Cluster.of(
            parts ->
                parts
                    .backfill(Backfill.NONE)
                    .grants((i, host) -> i.id().equals("a") ? cores(5) : i.request().demand()));

    assertThat(instances(cluster.host("h1", 4).pending("a", 3).pending("b", 1).pass()))
        .containsExactly("b");
  }

  @Test
  void demandBeyondEveryHostMakesNoHead() {
    Cluster cluster =
        Cluster.of(parts -> parts.backfill(Backfill.NONE).oversubscribe(Set.of(Dimension.CPU)));
    cluster.host("h1", 4).pending(request("a", 5).guaranteed(cores(1))).pending("b", 1);

    assertThat(instances(cluster.pass())).containsExactly("b");
  }
}

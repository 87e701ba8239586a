package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Jobs.moldable;
import static dev.berth.core.Plans.instances;
import static dev.berth.core.Plans.placements;
import static dev.berth.core.TestParts.ALLOW_ALL;
import static dev.berth.core.TestParts.latestFirst;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Reason;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.plan.Action;
import dev.berth.core.explain.WhyPending;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Filters that exclude hosts for an instance. */
class FilterTest {

  private static final Molding TWICE = new Molding(2);

  @Test
  void reasonIsThatOfTheHostThatJoinedFirstWhateverItsSlot() {
    Cluster cluster =
        Cluster.of(
            parts ->
                parts.filter(
                    (instance, host, now) ->
                        Optional.of(new Reason.PolicyChoice("no", "not on " + host.id()))));
    cluster.host("h1", 4).host("h2", 4).removed("h1").host("h1", 4); // in its former slot
    cluster.host("h3", 4);
    cluster.pending("a", 1).pass();

    assertThat(cluster.reasonsToWait().get("a").describe()).contains("not on h2");
  }

  @Test
  void excludeHosts() {
    Cluster cluster =
        Cluster.of(parts -> parts.filter((instance, host, now) -> not(host.id().equals("h1"))))
            .host("h1", 4)
            .host("h2", 4);

    assertThat(placements(cluster.pending("a", 3).pending("b", 3).pass()))
        .containsExactly("a on h2");
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

    assertThat(placements(cluster.pending("a", 1).pending("b", 1).pass()))
        .containsExactly("a on h3");
  }

  @Test
  void seeActionsOfThePass() {
    Cluster cluster =
        Cluster.of(parts -> parts.filter((i, host, now) -> not(host.instances().size() == 2)))
            .host("h1", 9);

    assertThat(instances(cluster.pending("a", 1).pending("b", 1).pending("c", 1).pass()))
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

  @Test
  void explainEachHostByItselfAtTheTimeAsked() {
    Set<Long> asked = new TreeSet<>();
    Cluster cluster =
        Cluster.of(
                parts ->
                    parts.filter(
                        (instance, host, now) -> {
                          asked.add(now);
                          return Optional.of(new Reason.PolicyChoice(host.id(), "busy " + host));
                        }))
            .host("h1", 4)
            .host("h2", 4)
            .pending("a", 1);

    WhyPending why = cluster.scheduler().explain().whyPending("a", 7);

    assertThat(why.obstacles()).extracting(WhyPending.Obstacle::code).containsExactly("h1", "h2");
    assertThat(asked).containsExactly(7L);
  }

  private static final Reason NO = new Reason.PolicyChoice("no", "not there");

  private static Optional<Reason> not(boolean condition) {
    return condition ? Optional.of(NO) : Optional.empty();
  }
}

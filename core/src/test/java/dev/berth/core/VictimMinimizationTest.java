package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static dev.berth.core.Plans.victims;
import static dev.berth.core.TestParts.ALLOW_ALL;
import static dev.berth.core.TestParts.cost;
import static dev.berth.core.TestParts.latestFirst;
import static dev.berth.core.TestParts.victimsBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Victims that a placement does not need are spared. */
class VictimMinimizationTest {

  @Test
  void keepsOnlyTheVictimThatFreesEnoughAlone() {
    // a needs 2 and 2; v1 gives (2, 0), v2 (0, 1), v3 (2, 2): v3 makes the others unneeded.
    assertThat(victimsTaken(true)).containsExactly("v3");
  }

  @Test
  void takesAllVictimsIfMinimizationIsOff() {
    assertThat(victimsTaken(false)).containsExactly("v1", "v2", "v3");
  }

  private List<String> victimsTaken(boolean spare) {
    Cluster cluster =
        Cluster.of(
                parts ->
                    parts
                        .preemption(victimsBy(Map.of("v1", 3L, "v2", 2L, "v3", 1L)), ALLOW_ALL)
                        .minimizeVictims(spare))
            .host("h1", cores(4, 3));
    cluster.running(request("v1", 0).demand(cores(2, 0)), "h1");
    cluster.running(request("v2", 0).demand(cores(0, 1)), "h1");
    cluster.running(request("v3", 0).demand(cores(2, 2)), "h1");
    return victims(cluster.pending(request("a", 0).demand(cores(2, 2))).pass());
  }

  @Test
  void sparesFromTheLastTakenToTheFirst() {
    // a needs 2 and 1; v1 and v2 give (1, 0), v3 (1, 1): v3 and one other suffice. v2 is spared.
    Cluster cluster =
        Cluster.of(
                parts ->
                    parts.preemption(victimsBy(Map.of("v1", 3L, "v2", 2L, "v3", 1L)), ALLOW_ALL))
            .host("h1", cores(3, 1));
    cluster.running("v1", 1, "h1").running("v2", 1, "h1");
    cluster.running(request("v3", 0).demand(cores(1, 1)), "h1");

    assertThat(victims(cluster.pending(request("a", 0).demand(cores(2, 1))).pass()))
        .containsExactly("v1", "v3");
  }

  @Test
  void sparesNoneIfDemandsAreEqual() {
    Cluster cluster = Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL)).host("h1", 3);
    Stream.of("v1", "v2", "v3").forEach(id -> cluster.running(id, 1, "h1"));

    assertThat(victims(cluster.pending("a", 3).pass())).hasSize(3);
  }

  @Test
  void sparesEveryUnneededVictim() {
    // a needs 1 and 1; v0 to v29 give (1, 0), v30 (1, 1): v30 makes all others unneeded.
    Cluster cluster =
        Cluster.of(parts -> parts.preemption(victimsBy(Map.of("v30", -1L)), ALLOW_ALL)) // the last
            .host("h1", cores(31, 1));
    IntStream.range(0, 30).forEach(i -> cluster.running("v" + i, 1, "h1"));
    cluster.running(request("v30", 0).demand(cores(1, 1)), "h1");

    assertThat(victims(cluster.pending(request("a", 0).demand(cores(1, 1))).pass()))
        .containsExactly("v30");
  }

  @Test
  void sparedVictimsCostNothing() {
    // On h1, v1 to v3 as above cost 1 each and only v3 is needed; w on h2 costs 2.
    Cluster cluster =
        Cluster.of(
                parts ->
                    parts
                        .preemption(victimsBy(Map.of("v1", 3L, "v2", 2L, "v3", 1L)), ALLOW_ALL)
                        .preemptionCost(cost(v -> v.id().equals("w") ? 2 : 1)))
            .host("h1", cores(4, 3))
            .host("h2", cores(4, 3));
    cluster.running(request("v1", 0).demand(cores(2, 0)), "h1");
    cluster.running(request("v2", 0).demand(cores(0, 1)), "h1");
    cluster.running(request("v3", 0).demand(cores(2, 2)), "h1");
    cluster.running(request("w", 0).demand(cores(4, 3)), "h2");

    assertThat(victims(cluster.pending(request("a", 0).demand(cores(2, 2))).pass()))
        .containsExactly("v3");
  }
}

package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.ResourceScore;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.pipeline.VictimCost;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How often a search asks parts of the policy. */
class SearchWorkTest {

  private static final int HOSTS = 70; // so many that equal requests share the costs of victims

  private final Asked asked = new Asked();
  private int added; // victims, to the cost of a host

  @Test
  void equalRequestsShareAFailure() {
    Cluster cluster = Cluster.of(parts -> parts.allocationScore(asked));
    cluster.host("h1", cores(4, 4)).running(request("cpu", 1).demand(cores(3, 0)), "h1");
    cluster.host("h2", cores(4, 4)).running(request("memory", 1).demand(cores(0, 3)), "h2");
    asked.bounds = 0;
    for (int i = 0; i < 3; i++) {
      cluster.pending(request("p" + i, 1).demand(cores(2, 2)));
    }

    assertThat(cluster.pass().placements()).isEmpty();
    assertThat(asked.bounds).isEqualTo(1); // no host has both, but the bound cannot tell
  }

  @Test
  void rareConstraintsLeaveOnlyTheHostsOnWhichTheyHold() {
    Cluster cluster = Cluster.of(parts -> parts.allocationScore(asked));
    for (int i = 0; i < HOSTS; i++) {
      cluster.host("h" + i, 10 + i); // each would be scored without the constraint
    }
    cluster.pending(request("bound", 1).constraint(new Constraint.Equal("name", "h5")));

    assertThat(Plans.placements(cluster.pass())).containsExactly("bound on h5");
    assertThat(asked.scores).isEqualTo(1);
  }

  @Test
  void commonConstraintsUseTheIndex() {
    Cluster cluster = Cluster.of(parts -> parts.allocationScore(asked));
    for (int i = 0; i < HOSTS; i++) {
      cluster.host("h" + i, 10, "zone", "a");
    }
    cluster.pending(request("zoned", 1).constraint(new Constraint.Equal("zone", "a")));

    assertThat(Plans.instances(cluster.pass())).containsExactly("zoned");
    assertThat(asked.scores).isEqualTo(1); // for all hosts, which are alike
  }

  @Test
  void closedHostsAreNotScored() {
    Cluster cluster = Cluster.of(parts -> parts.allocationScore(asked)).host("large", 20);
    for (int i = 0; i < HOSTS; i++) {
      cluster.host("h" + i, 10);
    }
    cluster.pending("first", 1).pass();
    cluster.cordoned("large").pending("second", 1);
    asked.scores = 0;

    assertThat(Plans.instances(cluster.pass())).containsExactly("second");
    assertThat(asked.scores).isEqualTo(2); // the first one's, and all others, which are alike
  }

  /** The costs on all hosts are computed once, then again on each host that was taken. */
  @Test
  void equalRequestsShareTheCostsOfVictims() {
    Cluster cluster = full(TieBreak.SEEDED);

    assertThat(cluster.pass().placements()).hasSize(8);
    assertThat(added).isLessThanOrEqualTo(HOSTS + 2 * 8);
  }

  /** Shared costs are in the order of seeded ties, so no other tie may use them. */
  @Test
  void equalRequestsTakeHostsInOrderOfIdIfTiesAreBrokenById() {
    Cluster cluster = full(TieBreak.BY_ID);

    assertThat(Plans.hosts(cluster.pass()))
        .isEqualTo(IntStream.range(10, 18).mapToObj(i -> "h" + i).toList());
  }

  /** Returns a cluster in which every host has one victim, and eight equal requests wait. */
  private Cluster full(TieBreak ties) {
    Cluster cluster =
        Cluster.of(
            parts ->
                parts
                    .allocationScore(asked)
                    .ties(ties)
                    .preemption(TestParts.latestFirst(), new BronzeOnly())
                    .preemptionCost(new Counted()));
    for (int i = 10; i < 10 + HOSTS; i++) {
      cluster.host("h" + i, 1);
    }
    for (int i = 10; i < 10 + HOSTS; i++) {
      cluster.running("v" + i, "bronze", 1, "h" + i);
    }
    cluster.at(1);
    for (int i = 0; i < 8; i++) {
      cluster.pending("p" + i, 1);
    }
    added = 0;
    return cluster;
  }

  private static final class BronzeOnly implements MonotonePreemptionRule {
    @Override
    public Verdict judge(PreemptionPair pair) {
      return pair.victim().serviceClass().equals(Cluster.BRONZE)
          ? Verdict.allow("bronze", "it is bronze")
          : Verdict.refuse("better", "it is better than bronze");
    }
  }

  private final class Counted implements VictimCost {
    @Override
    public int width(int classes) {
      return 1;
    }

    @Override
    public void add(PreemptionPair pair, double[] tuple) {
      added++;
      tuple[0]++;
    }
  }

  /** Prefers the emptiest host. */
  private static final class Asked implements ResourceScore {

    private int scores;
    private int bounds;

    @Override
    public double score(Fit fit) {
      scores++;
      return -fit.used(0);
    }

    @Override
    public double upperBound(Fit least, Fit most) {
      bounds++;
      return -least.used(0);
    }
  }
}

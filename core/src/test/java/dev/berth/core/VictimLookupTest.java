package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static dev.berth.core.Plans.victims;
import static dev.berth.core.TestParts.ALLOW_ALL;
import static dev.berth.core.TestParts.latestFirst;
import static dev.berth.core.TestParts.victimsBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a search for victims knows without looking up each instance agrees with the instance. */
class VictimLookupTest {

  private static final Dimension GPU = new Dimension("gpu", 1);
  private static final long CORE = 1_000_000_000;

  private static Resources withGpus(long cores, long gpus) {
    return Resources.of(Dimension.CPU, cores * CORE, GPU, gpus);
  }

  /** The search keeps the amounts of two dimensions at first. */
  @Test
  void victimsFreeAmountsOfEachDimensionThatCameLater() {
    Cluster cluster =
        Cluster.of(
            parts -> parts.preemption(victimsBy(Map.of("v1", 3L, "v2", 2L, "v3", 1L)), ALLOW_ALL));
    cluster.host("h1", cores(2, 2)).running(request("v0", 0).demand(cores(2, 2)), "h1");
    cluster.host("h2", withGpus(4, 2));
    cluster.running("v1", 1, "h2");
    cluster.running(request("v2", 0).demand(withGpus(1, 1)), "h2");
    cluster.running(request("v3", 0).demand(withGpus(1, 1)), "h2");

    Plan forGpus = cluster.pending(request("a", 0).demand(withGpus(1, 2))).pass();

    assertThat(victims(forGpus)).containsExactly("v2", "v3"); // v1 gives no GPU
    cluster.started("a").cancel("v2");
    cluster.cancel("v3");
    Plan forMemory = cluster.pending(request("b", 0).demand(cores(1, 2))).pass();
    assertThat(victims(forMemory)).containsExactly("v0"); // which came before the GPUs
  }

  @Test
  void preemptionOverheadIsThatOfTheVictim() {
    List<Double> overheads = new ArrayList<>();
    Cluster cluster =
        Cluster.of(
                parts ->
                    parts.preemption(
                        latestFirst(),
                        pair -> {
                          double overhead = pair.victimPreemptionOverhead();
                          assertThat(overhead)
                              .isEqualTo(pair.victim().preemptionOverhead(pair.now()));
                          overheads.add(overhead);
                          return pair.victimClassRank() > 0
                              ? Verdict.allow("any", "any bronze victim")
                              : Verdict.refuse("gold", "gold");
                        }))
            .host("h1", 2);
    cluster.running("v1", "bronze", 1, "h1").at(1).running("v2", "bronze", 1, "h1");
    cluster.at(2).pending("a", 2).pass();
    cluster.started("a").at(3).completed("a");
    cluster.pass();
    cluster.at(5).started("v1").started("v2"); // both lost 2 s to the restart
    overheads.clear();

    cluster.at(9).pending("b", 2).pass();

    assertThat(overheads).isNotEmpty().allMatch(each -> each > 0);
    assertThat(cluster.instance("v1").host()).isEmpty();
  }
}

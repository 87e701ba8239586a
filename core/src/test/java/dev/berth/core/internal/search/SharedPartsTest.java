package dev.berth.core.internal.search;

import static dev.berth.core.internal.search.SearchedCluster.classOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.pipeline.AllocationRule;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.HostFilter;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.core.internal.cluster.InstanceRecord;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Alike requests share what a search finds only if the parts of the policy declare it valid. */
class SharedPartsTest {

  private static final HostFilter IDLE = (instance, host, now) -> Optional.empty();
  private static final AllocationRule DEMAND = (instance, host) -> instance.request().demand();

  @Test
  void failuresAreSharedIfRoomAndMonotoneVictimsDecide() {
    assertThat(new SearchedCluster(true).feasibility.sharesFailures()).isTrue();
    assertThat(new SearchedCluster(false).feasibility.sharesFailures()).isTrue();
    assertThat(sharesFailures(parts -> with(parts, pair -> parts.rule().judge(pair)))).isFalse();
    assertThat(sharesFailures(parts -> with(parts, List.of(IDLE), null))).isFalse();
    assertThat(sharesFailures(parts -> with(parts, List.of(), DEMAND))).isFalse();
  }

  private static boolean sharesFailures(UnaryOperator<PipelineParts> refined) {
    return new SearchedCluster(true, refined).feasibility.sharesFailures();
  }

  @Test
  void candidatesAreSharedIfTheirCostAndScoreAreTheSameForAll() {
    assertThat(sharesCandidates(parts -> parts)).isTrue();
    assertThat(sharesCandidates(parts -> with(parts, parts.score(), TieBreak.BY_ID))).isFalse();
    assertThat(
            sharesCandidates(
                parts -> with(parts, fit -> parts.score().score(fit), TieBreak.SEEDED)))
        .isFalse();
    assertThat(sharesCandidates(parts -> with(parts, new OfBeneficiary(parts.cost())))).isFalse();
  }

  private static boolean sharesCandidates(UnaryOperator<PipelineParts> refined) {
    SearchedCluster cluster = new SearchedCluster(true, refined).hosts(70, 70);
    InstanceRecord request = cluster.alike(4).get(0);
    assertThat(cluster.search(request)).isEqualTo("h0");
    return classOf(request).candidates() != null;
  }

  private static PipelineParts with(PipelineParts parts, PreemptionRule rule) {
    return with(parts, rule, parts.score(), parts.cost(), List.of(), null, TieBreak.SEEDED);
  }

  private static PipelineParts with(PipelineParts parts, PreemptionCost cost) {
    return with(parts, parts.rule(), parts.score(), cost, List.of(), null, TieBreak.SEEDED);
  }

  private static PipelineParts with(PipelineParts parts, AllocationScore score, TieBreak ties) {
    return with(parts, parts.rule(), score, parts.cost(), List.of(), null, ties);
  }

  private static PipelineParts with(
      PipelineParts parts, List<HostFilter> filters, @Nullable AllocationRule grants) {
    return with(parts, parts.rule(), parts.score(), parts.cost(), filters, grants, TieBreak.SEEDED);
  }

  private static PipelineParts with(
      PipelineParts parts,
      @Nullable PreemptionRule rule,
      AllocationScore score,
      PreemptionCost cost,
      List<HostFilter> filters,
      @Nullable AllocationRule grants,
      TieBreak ties) {
    return new PipelineParts(
        parts.state(),
        parts.victims(),
        rule,
        score,
        cost,
        parts.preemptStarting(),
        parts.minimizeVictims(),
        filters,
        grants,
        ties,
        parts.oversubscribed());
  }

  /** The same cost without the hint. */
  private record OfBeneficiary(PreemptionCost cost) implements PreemptionCost {

    @Override
    public int width(int classes) {
      return cost.width(classes);
    }

    @Override
    public void add(PreemptionPair pair, double[] tuple) {
      cost.add(pair, tuple);
    }
  }
}

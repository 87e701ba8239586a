package dev.berth.core.internal.search;

import dev.berth.api.pipeline.AllocationScores;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.core.internal.state.ClusterState;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parts of a policy for tests of searches. */
final class SearchParts {

  private SearchParts() {}

  /** Returns the default parts, with preemption of starting and running instances. */
  static PipelineParts preempting(
      ClusterState state, @Nullable VictimOrder order, @Nullable PreemptionRule rule) {
    return preempting(state, order, rule, true);
  }

  static PipelineParts preempting(
      ClusterState state,
      @Nullable VictimOrder order,
      @Nullable PreemptionRule rule,
      boolean minimizeVictims) {
    return new PipelineParts(
        state,
        order,
        rule,
        AllocationScores.leastRequested(),
        PreemptionCost.fewestVictims(),
        true,
        minimizeVictims,
        List.of(),
        null,
        TieBreak.SEEDED,
        Set.of());
  }

  /** Returns the default parts without preemption. */
  static PipelineParts plain(ClusterState state) {
    return preempting(state, null, null);
  }
}

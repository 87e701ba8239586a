package dev.berth.core.internal.search;

import dev.berth.api.Dimension;
import dev.berth.api.pipeline.AllocationRule;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.HostFilter;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.core.internal.state.ClusterState;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a policy that choose a host and its victims.
 *
 * @param state the cluster that the policy runs on
 * @param victims null if the policy does not preempt
 * @param rule null if the policy does not preempt
 * @param grants null if every instance is granted its demand
 */
public record PipelineParts(
    ClusterState state,
    @Nullable VictimOrder victims,
    @Nullable PreemptionRule rule,
    AllocationScore score,
    PreemptionCost cost,
    boolean preemptStarting,
    boolean minimizeVictims,
    List<HostFilter> filters,
    @Nullable AllocationRule grants,
    TieBreak ties,
    Set<Dimension> oversubscribed) {

  /** Copies the collections. */
  public PipelineParts {
    filters = List.copyOf(filters);
    oversubscribed = Set.copyOf(oversubscribed);
  }
}

package dev.berth.core.internal.pipeline;

import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.PlacementRules;
import dev.berth.core.internal.rule.Limits;
import dev.berth.core.internal.rule.PeerRules;
import dev.berth.core.internal.state.ClusterState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Evaluates every host for one instance as a pass would, without changing anything. */
public final class HostDiagnosis {

  private static final InstanceRecord[] NO_VICTIMS = {};

  private final ClusterState state;
  private final PeerRules peers;
  private final @Nullable Pipeline pipeline;

  /** Diagnoses a cluster by the pipeline of its policy, if it has one. */
  public HostDiagnosis(ClusterState state) {
    this.state = state;
    this.peers = new PeerRules(state.peers());
    this.pipeline = state.follower() instanceof Pipeline it ? it : null;
  }

  /**
   * Returns whether the policy is known to preempt. Otherwise {@link HostFinding#candidates} have
   * no meaning.
   */
  public boolean preempts() {
    return pipeline != null && pipeline.feasibility().preempts();
  }

  /**
   * Returns why the latest pass made a pending instance wait although a host had room, or null.
   *
   * @param hasRoom whether a host has room for the instance
   */
  public Reason.@Nullable QueuedBehind waitsFor(Instance instance, boolean hasRoom) {
    InstanceRecord record = state.record(instance);
    return pipeline == null || record == null ? null : pipeline.queue().waitsFor(record, hasRoom);
  }

  /** Returns a finding for each host, in order of joining. Cost O(hosts · candidates). */
  public List<HostFinding> examine(Instance instance, long time) {
    InstanceRecord record = state.record(instance);
    List<HostFinding> findings = new ArrayList<>();
    if (record != null) {
      for (HostRecord host : state.hostRecords()) {
        findings.add(examine(record, host, time));
      }
    }
    return findings;
  }

  private HostFinding examine(InstanceRecord instance, HostRecord host, long time) {
    Grant grant =
        pipeline == null ? instance.wholeDemand : pipeline.feasibility().grantFor(instance, host);
    long[] need = grant == null ? instance.demand : grant.amounts();
    Reason obstacle = PlacementRules.misfit(instance, host, need, state.table());
    if (obstacle == null) {
      obstacle = host.closedBy();
    }
    if (obstacle == null) {
      obstacle = PlacementRules.antiAffinity(instance, host, NO_VICTIMS, 0);
    }
    if (obstacle == null) {
      obstacle = peers.obstacle(instance, host);
    }
    if (obstacle != null) {
      return new HostFinding(host.id(), Optional.of(obstacle), List.of(), false);
    }
    int dimension = state.shortDimension(need, host);
    Reason filtered =
        pipeline == null ? null : pipeline.feasibility().filteredFrom(instance, host, time);
    Reason limited = dimension < 0 ? Limits.obstacle(instance, host, NO_VICTIMS, 0) : null;
    if (dimension < 0 && limited == null) {
      Reason why =
          pipeline == null || grant != null
              ? filtered
              : pipeline.feasibility().grantRefusal(instance, host);
      return new HostFinding(host.id(), Optional.ofNullable(why), List.of(), why == null);
    }
    if (filtered != null && preempts()) {
      return new HostFinding(host.id(), Optional.of(filtered), List.of(), false);
    }
    HostTable table = state.table();
    Reason full =
        limited != null
            ? limited
            : new Reason.ShortOfCapacity(
                table.dimension(dimension), need[dimension] - table.free(host.slot(), dimension));
    List<Verdict> judgements = new ArrayList<>();
    boolean feasible =
        pipeline != null && pipeline.feasibility().wouldFit(instance, host, time, judgements);
    return new HostFinding(host.id(), Optional.of(full), judgements, feasible);
  }

  /**
   * The diagnosis of one host.
   *
   * @param host its id
   * @param obstacle why the instance cannot be placed there now; empty if it can
   * @param candidates judgements of the instances that might be preempted, in victim order; empty
   *     if preemption was not evaluated
   * @param feasible whether it could be placed, with preemption if there is an obstacle
   */
  public record HostFinding(
      String host, Optional<Reason> obstacle, List<Verdict> candidates, boolean feasible) {}
}

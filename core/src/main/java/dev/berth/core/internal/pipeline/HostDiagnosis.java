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

  /**
   * Returns why there is no free room for an instance on a host, or null if there is.
   *
   * @param opened whether to disregard what closes the host
   */
  public @Nullable Reason obstacle(
      InstanceRecord instance, HostRecord host, long time, boolean opened) {
    Grant grant = grant(instance, host);
    long[] need = grant == null ? instance.demand : grant.amounts();
    Reason obstacle = ruledOut(instance, host, need, opened);
    if (obstacle == null) {
      obstacle = peers.obstacle(instance, host);
    }
    if (obstacle == null) {
      obstacle = full(instance, host, need);
    }
    if (obstacle != null) {
      return obstacle;
    }
    return grant == null ? refusal(instance, host) : filtered(instance, host, time);
  }

  /** Returns what an instance would hold on a host, by dimension. */
  public long[] heldBy(InstanceRecord instance, HostRecord host) {
    Grant grant = grant(instance, host);
    return host.taken(grant == null ? instance.demand : grant.amounts());
  }

  /** Returns whether an instance fits no host, even if all were open, empty and without rules. */
  public boolean fitsNone(InstanceRecord instance) {
    for (HostRecord each : state.hostRecords()) {
      if (PlacementRules.misfit(instance, each, instance.demand, state.table()) == null) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the policy neither filters hosts nor grants anything but the demand. */
  public boolean roomAndVictimsDecide() {
    return pipeline == null || pipeline.feasibility().roomAndVictimsDecide();
  }

  private HostFinding examine(InstanceRecord instance, HostRecord host, long time) {
    Grant grant = grant(instance, host);
    long[] need = grant == null ? instance.demand : grant.amounts();
    Reason ruled = ruledOut(instance, host, need, false);
    if (ruled != null) {
      return new HostFinding(host.id(), Optional.of(ruled), List.of(), false);
    }
    Reason crowded = peers.obstacle(instance, host);
    Reason filtered = filtered(instance, host, time);
    if (crowded != null && (filtered != null || !preempts())) {
      return new HostFinding(host.id(), Optional.of(crowded), List.of(), false);
    }
    Reason full = crowded == null ? full(instance, host, need) : crowded;
    if (full == null) {
      Reason why = grant == null ? refusal(instance, host) : filtered;
      return new HostFinding(host.id(), Optional.ofNullable(why), List.of(), why == null);
    }
    if (filtered != null && preempts()) {
      return new HostFinding(host.id(), Optional.of(filtered), List.of(), false);
    }
    List<Verdict> judgements = new ArrayList<>();
    boolean feasible =
        pipeline != null && pipeline.feasibility().wouldFit(instance, host, time, judgements);
    return new HostFinding(host.id(), Optional.of(full), judgements, feasible);
  }

  private @Nullable Grant grant(InstanceRecord instance, HostRecord host) {
    return pipeline == null
        ? instance.wholeDemand
        : pipeline.feasibility().grantFor(instance, host);
  }

  private @Nullable Reason refusal(InstanceRecord instance, HostRecord host) {
    return pipeline == null ? null : pipeline.feasibility().grantRefusal(instance, host);
  }

  private @Nullable Reason filtered(InstanceRecord instance, HostRecord host, long time) {
    return pipeline == null ? null : pipeline.feasibility().filteredFrom(instance, host, time);
  }

  /** Returns why an instance may not come to a host, whatever leaves it, or null. */
  private @Nullable Reason ruledOut(
      InstanceRecord instance, HostRecord host, long[] need, boolean opened) {
    Reason obstacle = PlacementRules.misfit(instance, host, need, state.table());
    if (obstacle == null && !opened) {
      obstacle = host.closedBy();
    }
    return obstacle == null ? PlacementRules.antiAffinity(instance, host, NO_VICTIMS, 0) : obstacle;
  }

  private @Nullable Reason full(InstanceRecord instance, HostRecord host, long[] need) {
    int dimension = state.shortDimension(need, host);
    HostTable table = state.table();
    return dimension < 0
        ? Limits.obstacle(instance, host, NO_VICTIMS, 0)
        : new Reason.ShortOfCapacity(
            table.dimension(dimension), need[dimension] - table.free(host.slot(), dimension));
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

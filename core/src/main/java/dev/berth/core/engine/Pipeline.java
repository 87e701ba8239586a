package dev.berth.core.engine;

import dev.berth.api.AllocationScore;
import dev.berth.api.AllocationScores;
import dev.berth.api.InstanceState;
import dev.berth.api.PipelineBuilder;
import dev.berth.api.Policy;
import dev.berth.api.PreemptionCost;
import dev.berth.api.PreemptionRule;
import dev.berth.api.QueueOrder;
import dev.berth.api.Reason;
import dev.berth.api.SchedulingPass;
import dev.berth.api.ServiceClass;
import dev.berth.api.VictimOrder;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A policy assembled from parts, run as Algorithm 1 of QoS-driven scheduling (section 3.4).
 *
 * <p>It keeps the pending instances in queue order and, on each host, the possible victims in
 * victim order, by following the transitions of the cluster. Both orders stand as time goes by, so
 * a pass sorts nothing.
 */
public final class Pipeline implements Policy, PlacementIndex {

  private final ClusterState state;
  private final QueueOrder queueOrder;
  private final @Nullable VictimOrder victimOrder;
  private final boolean preemptStarting;
  private final Optional<Duration> watchdog;
  private final List<ServiceClass> classes;
  private final int[] queueTiers;
  private final TreeSet<InstanceRecord> queue;
  private final Feasibility feasibility;

  private Pipeline(Builder parts) {
    this.state = parts.state;
    this.queueOrder = parts.queue;
    this.victimOrder = parts.victims;
    this.preemptStarting = parts.preemptStarting;
    this.watchdog = Optional.ofNullable(parts.watchdog);
    this.classes = parts.state.serviceClasses();
    this.queueTiers = classes.stream().mapToInt(queueOrder::tier).toArray();
    this.queue =
        new TreeSet<>(
            Comparator.<InstanceRecord>comparingInt(each -> queueTiers[each.classRecord.rank()])
                .thenComparingLong(each -> each.queueKey)
                .thenComparingInt(each -> each.classRecord.importance())
                .thenComparingLong(each -> each.admittedAt)
                .thenComparing(each -> each.id()));
    this.feasibility = new Feasibility(parts);
    parts.state.follow(this);
  }

  /** Starts a pipeline that will run on this cluster. */
  public static PipelineBuilder builder(ClusterState state) {
    return new Builder(state);
  }

  @Override
  public void schedule(SchedulingPass view) {
    Pass pass = Pass.of(view, state);
    pass.busy(true);
    try {
      decide(pass);
    } finally {
      pass.busy(false);
    }
  }

  private void decide(Pass pass) {
    feasibility.begin(pass);
    InstanceRecord next = queue.isEmpty() ? null : queue.first();
    while (next != null) {
      if (next.actedInPass != pass.number() && feasibility.choose(next)) {
        Reason refusal =
            pass.place(
                next,
                feasibility.chosenHost(),
                feasibility.chosenVictims(),
                feasibility.chosenVictimCount(),
                feasibility.decision());
        if (refusal != null) {
          throw new IllegalStateException(
              "the pipeline chose %s for %s, which the guard refuses: %s"
                  .formatted(feasibility.chosenHost(), next, refusal.describe()));
        }
      }
      next = queue.higher(next);
    }
  }

  @Override
  public Optional<Duration> watchdog() {
    return watchdog;
  }

  Feasibility feasibility() {
    return feasibility;
  }

  // ---- Following the cluster

  @Override
  public void joined(HostRecord host) {
    if (victimOrder != null) {
      VictimList[] lists = new VictimList[feasibility.groups()];
      for (int g = 0; g < lists.length; g++) {
        lists[g] = new VictimList();
      }
      host.victims = lists;
    }
  }

  @Override
  public void rekey(InstanceRecord instance) {
    if (instance.state == InstanceState.PENDING) {
      instance.nextQueueKey = queueOrder.key(instance);
    }
    if (victimOrder != null) {
      instance.nextVictimKey = victimOrder.key(instance);
    }
  }

  @Override
  public void isPending(InstanceRecord instance) {
    queue.add(instance);
  }

  @Override
  public void leavesQueue(InstanceRecord instance) {
    if (!queue.remove(instance)) {
      throw new IllegalStateException(instance + " is not in its place in the queue");
    }
  }

  @Override
  public void isOnHost(InstanceRecord instance, HostRecord host) {
    VictimList list = listOf(instance, host, instance.state);
    if (list != null) {
      list.add(instance);
    }
  }

  @Override
  public void leavesHost(InstanceRecord instance, HostRecord host, InstanceState formerState) {
    VictimList list = listOf(instance, host, formerState);
    if (list != null) {
      list.remove(instance);
    }
  }

  private @Nullable VictimList listOf(
      InstanceRecord instance, HostRecord host, InstanceState state) {
    if (host.victims == null) {
      return null;
    }
    if (state == InstanceState.RUNNING) {
      return host.victims[instance.classRecord.rank()];
    }
    return preemptStarting ? host.victims[classes.size() + instance.classRecord.rank()] : null;
  }

  /** Collects the parts. */
  static final class Builder implements PipelineBuilder {

    final ClusterState state;
    QueueOrder queue = instance -> instance.admittedAt();
    @Nullable VictimOrder victims;
    @Nullable PreemptionRule rule;
    AllocationScore score =
        AllocationScores.weighted(
            List.of(
                new AllocationScores.Weighted(AllocationScores.leastRequested(), 1),
                new AllocationScores.Weighted(AllocationScores.balancedAllocation(), 1)));
    PreemptionCost cost = PreemptionCost.fewestVictims();
    boolean preemptStarting;
    boolean spareUnneeded = true;
    @Nullable Duration watchdog;

    Builder(ClusterState state) {
      this.state = state;
    }

    @Override
    public PipelineBuilder queue(QueueOrder order) {
      this.queue = order;
      return this;
    }

    @Override
    public PipelineBuilder preemption(VictimOrder order, PreemptionRule rule) {
      this.victims = order;
      this.rule = rule;
      return this;
    }

    @Override
    public PipelineBuilder allocationScore(AllocationScore score) {
      this.score = score;
      return this;
    }

    @Override
    public PipelineBuilder preemptionCost(PreemptionCost cost) {
      this.cost = cost;
      return this;
    }

    @Override
    public PipelineBuilder preemptStarting(boolean allowed) {
      this.preemptStarting = allowed;
      return this;
    }

    @Override
    public PipelineBuilder spareUnneeded(boolean spare) {
      this.spareUnneeded = spare;
      return this;
    }

    @Override
    public PipelineBuilder watchdog(Duration longest) {
      if (longest.isNegative() || longest.isZero()) {
        throw new IllegalArgumentException("watchdog was %s, must be positive.".formatted(longest));
      }
      this.watchdog = longest;
      return this;
    }

    @Override
    public Policy build() {
      return new Pipeline(this);
    }
  }
}

package dev.berth.core.internal.pipeline;

import dev.berth.api.Dimension;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.AllocationRule;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.HostFilter;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.ScoreWeights;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.internal.cluster.ClassRecord;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.SavedInstance;
import dev.berth.core.internal.cluster.TransitionListener;
import dev.berth.core.internal.pass.Pass;
import dev.berth.core.internal.search.Backfilling;
import dev.berth.core.internal.search.Feasibility;
import dev.berth.core.internal.search.PipelineParts;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.undo.UndoLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A policy assembled from parts, run as Algorithm 1 of QoS-driven scheduling (section 3.4).
 *
 * <p>It follows the transitions of the cluster. It keeps the pending instances in queue order and
 * the possible victims on each host in victim order. Neither order changes with time, so a pass
 * sorts nothing.
 *
 * <p>Pending instances are in one of two queues: {@link ByClass} if each instance is decided
 * independently of those before it, otherwise {@link InOrder}.
 */
public final class Pipeline implements Policy, TransitionListener {

  private final ClusterState state;
  private final QueueOrder queueOrder;
  private final @Nullable VictimOrder victimOrder;
  private final Optional<Duration> watchdog;
  private final Feasibility feasibility;
  private final @Nullable Backfilling backfilling; // null: queued by class
  private final PendingQueue queue;
  private final NavigableMap<Long, Set<InstanceRecord>> dated = // pending; by when tiers end
      new TreeMap<>();
  private final Set<Dimension> oversubscribed;

  private Pipeline(Builder parts) {
    this.state = parts.state;
    this.queueOrder = parts.queue;
    this.victimOrder = parts.victims;
    this.watchdog = Optional.ofNullable(parts.watchdog);
    this.feasibility = new Feasibility(parts.toParts());
    boolean independent =
        parts.backfill == Backfill.AGGRESSIVE
            && !parts.molding.molds()
            && parts.admission == Admission.ALL;
    if (independent && (feasibility.sharesFailures() || parts.served != null)) {
      this.backfilling = null;
      this.queue = new ByClass(feasibility, this::compare, parts.served);
    } else {
      this.backfilling = new Backfilling(state, parts.backfill);
      this.queue = new InOrder(state, feasibility, backfilling, this::compare, parts);
    }
    this.oversubscribed = parts.oversubscribed;
    parts.state.follow(this);
  }

  private int compare(InstanceRecord a, InstanceRecord b) {
    ClassRecord classOfA = a.classRecord;
    ClassRecord classOfB = b.classRecord;
    int byPlace = Integer.compare(a.queueTier(), b.queueTier());
    if (byPlace == 0) {
      byPlace = Long.compare(a.queueKey(), b.queueKey());
    }
    if (byPlace == 0) {
      byPlace = Integer.compare(classOfA.importance(), classOfB.importance());
    }
    if (byPlace == 0) {
      byPlace = Long.compare(a.admittedAt(), b.admittedAt());
    }
    return byPlace == 0 ? a.id().compareTo(b.id()) : byPlace;
  }

  private void askForTier(InstanceRecord instance) {
    askForTier(instance, state.now());
  }

  /** Asks for the tier that an instance has at a time from its next place in the queue on. */
  public void askForTier(InstanceRecord instance, long time) {
    long now = Math.max(time, instance.stateSince());
    int tier = queueOrder.tier(instance, now);
    instance.nextTier(tier, queueOrder.tierUntil(instance, now));
  }

  /** Moves the instances whose tiers have ended. */
  private void renewTiers(UndoLog log) {
    List<InstanceRecord> ended = new ArrayList<>();
    dated.headMap(state.now(), true).values().forEach(ended::addAll);
    ended.sort(Comparator.comparingLong(each -> each.sequence));
    for (InstanceRecord each : ended) {
      SavedInstance former = new SavedInstance().note(each);
      askForTier(each);
      SavedInstance renewed = new SavedInstance().note(each);
      each.saveNextKeys(renewed);
      log.add(() -> moveInQueue(each, former));
      moveInQueue(each, renewed);
    }
  }

  private void moveInQueue(InstanceRecord instance, SavedInstance keys) {
    leavesQueue(instance);
    instance.restoreKeys(keys);
    instance.takeKeys();
    isPending(instance);
  }

  /** Returns a builder of a pipeline for a cluster. */
  public static PipelineBuilder builder(ClusterState state) {
    return new Builder(state);
  }

  @Override
  public void schedule(SchedulingPass view) {
    Pass pass = Pass.of(view, state);
    pass.beginDeciding();
    try {
      feasibility.begin(pass.number(), pass.groupBits(), pass.detailed(), pass.topScores());
      renewTiers(pass.log());
      queue.decide(pass);
    } catch (VirtualMachineError fatal) { // perhaps in the midst of an index
      pass.failDeciding(fatal);
      throw fatal;
    } catch (Throwable failure) { // of a part, whose calls change nothing
      pass.endDeciding();
      throw failure;
    }
    pass.endDeciding();
  }

  @Override
  public Set<Dimension> oversubscribes() {
    return oversubscribed;
  }

  @Override
  public Optional<Duration> watchdog() {
    return watchdog;
  }

  /** Its parts are pure, and its caches change no plan. */
  @Override
  public Optional<PolicyMemory> memory() {
    return Optional.of(PolicyMemory.none());
  }

  Feasibility feasibility() {
    return feasibility;
  }

  PendingQueue queue() {
    return queue;
  }

  // ---- For snapshots: what explanations need until the next pass

  /** Returns the latest pass that decided in one order, 0 if none did. */
  public long queuePass() {
    return queue.decidedPass();
  }

  /** Returns the instance that others wait for since that pass, or null. It may be done by now. */
  public @Nullable InstanceRecord queueHead() {
    return queue.head();
  }

  /** Restores what {@link #queuePass} and {@link #queueHead} return. */
  public void restoreQueue(long pass, @Nullable InstanceRecord head) {
    queue.restore(pass, head);
  }

  // ---- Following the cluster

  @Override
  public void joined(HostRecord host) {
    feasibility.joined(host);
    if (backfilling != null) {
      backfilling.joined(host);
    }
  }

  @Override
  public void left(HostRecord host) {
    feasibility.left(host);
    if (backfilling != null) {
      backfilling.left(host);
    }
  }

  @Override
  public void changed(HostRecord host) {
    feasibility.changed(host);
    if (backfilling != null) {
      backfilling.changed();
    }
  }

  @Override
  public boolean mayMoveTo(InstanceRecord instance, HostRecord host) {
    return feasibility.filteredFrom(instance, host, state.now()) == null;
  }

  @Override
  public void rekey(InstanceRecord instance) {
    if (instance.state() == InstanceState.PENDING) {
      instance.nextWait(queueOrder.key(instance), queue.decidedPass());
      askForTier(instance);
    }
    if (victimOrder != null) {
      instance.nextVictimKey(victimOrder.key(instance));
    }
  }

  @Override
  public void isPending(InstanceRecord instance) {
    queue.add(instance);
    if (instance.tierUntil() != Long.MAX_VALUE) {
      dated.computeIfAbsent(instance.tierUntil(), until -> new HashSet<>()).add(instance);
    }
  }

  @Override
  public void leavesQueue(InstanceRecord instance) {
    queue.remove(instance);
    long until = instance.tierUntil();
    Set<InstanceRecord> its = until == Long.MAX_VALUE ? null : dated.get(until);
    if (its != null && its.remove(instance) && its.isEmpty()) {
      dated.remove(until);
    }
  }

  @Override
  public void isOnHost(InstanceRecord instance, HostRecord host) {
    feasibility.isOnHost(instance, host);
    if (backfilling != null) {
      backfilling.isOnHost(instance, host);
    }
  }

  @Override
  public void leavesHost(InstanceRecord instance, HostRecord host, InstanceState formerState) {
    feasibility.leavesHost(instance, host, formerState);
    if (backfilling != null) {
      backfilling.leavesHost(instance, host, formerState);
    }
  }

  /** Collects the parts of a pipeline. */
  static final class Builder implements PipelineBuilder {

    final ClusterState state;
    QueueOrder queue = instance -> instance.admittedAt();
    @Nullable VictimOrder victims;
    @Nullable PreemptionRule rule;
    AllocationScore score = ScoreWeights.EQUAL.score();
    PreemptionCost cost = PreemptionCost.fewestVictims();
    boolean preemptStarting;
    boolean minimizeVictims = true;
    Backfill backfill = Backfill.AGGRESSIVE;
    Molding molding = Molding.NONE;
    Admission admission = Admission.ALL;
    @Nullable Predicate<Instance> served;
    final List<HostFilter> filters = new ArrayList<>();
    @Nullable AllocationRule grants;
    TieBreak ties = TieBreak.SEEDED;
    Set<Dimension> oversubscribed = Set.of();
    @Nullable Duration watchdog;

    Builder(ClusterState state) {
      this.state = state;
    }

    @Override
    public PipelineBuilder queue(QueueOrder order) {
      this.queue = Objects.requireNonNull(order, "order");
      return this;
    }

    @Override
    public PipelineBuilder preemption(VictimOrder order, PreemptionRule rule) {
      this.victims = Objects.requireNonNull(order, "order");
      this.rule = Objects.requireNonNull(rule, "rule");
      return this;
    }

    @Override
    public PipelineBuilder allocationScore(AllocationScore score) {
      this.score = Objects.requireNonNull(score, "score");
      return this;
    }

    @Override
    public PipelineBuilder preemptionCost(PreemptionCost cost) {
      this.cost = Objects.requireNonNull(cost, "cost");
      return this;
    }

    @Override
    public PipelineBuilder preemptStarting(boolean allowed) {
      this.preemptStarting = allowed;
      return this;
    }

    @Override
    public PipelineBuilder minimizeVictims(boolean spare) {
      this.minimizeVictims = spare;
      return this;
    }

    @Override
    public PipelineBuilder backfill(Backfill backfill) {
      this.backfill = Objects.requireNonNull(backfill, "backfill");
      return this;
    }

    @Override
    public PipelineBuilder molding(Molding molding) {
      this.molding = Objects.requireNonNull(molding, "molding");
      return this;
    }

    @Override
    public PipelineBuilder admission(Admission admission) {
      this.admission = Objects.requireNonNull(admission, "admission");
      return this;
    }

    @Override
    public PipelineBuilder serve(Predicate<Instance> served) {
      this.served = Objects.requireNonNull(served, "served");
      return this;
    }

    @Override
    public PipelineBuilder filter(HostFilter filter) {
      Objects.requireNonNull(filter, "filter");
      filters.add(filter);
      return this;
    }

    @Override
    public PipelineBuilder grants(AllocationRule allocation) {
      Objects.requireNonNull(allocation, "rule");
      this.grants = allocation;
      return this;
    }

    @Override
    public PipelineBuilder ties(TieBreak ties) {
      this.ties = Objects.requireNonNull(ties, "ties");
      return this;
    }

    @Override
    public PipelineBuilder oversubscribe(Set<Dimension> dimensions) {
      Objects.requireNonNull(dimensions, "dimensions");
      this.oversubscribed = Set.copyOf(dimensions);
      return this;
    }

    @Override
    public PipelineBuilder watchdog(Duration longest) {
      Objects.requireNonNull(longest, "longest");
      if (longest.isNegative() || longest.isZero()) {
        throw new IllegalArgumentException("watchdog was %s, must be positive.".formatted(longest));
      }
      this.watchdog = longest;
      return this;
    }

    private PipelineParts toParts() {
      return new PipelineParts(
          state,
          victims,
          rule,
          score,
          cost,
          preemptStarting,
          minimizeVictims,
          filters,
          grants,
          ties,
          oversubscribed);
    }

    @Override
    public Policy build() {
      if (backfill.reserves() && rule != null) {
        throw new IllegalStateException(
            "a pipeline that preempts cannot backfill by reservations (%s). Maybe use aggressive."
                .formatted(backfill));
      }
      if (served != null
          && (backfill != Backfill.AGGRESSIVE
              || molding.molds()
              || admission != Admission.ALL
              || !filters.isEmpty())) {
        throw new IllegalStateException(
            "serve needs aggressive backfilling, without molding, admission by deadline and filters.");
      }
      return new Pipeline(this);
    }
  }
}

package dev.berth.core.internal.pipeline;

import com.google.common.math.LongMath;
import dev.berth.api.Dimension;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.AllocationRule;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.ClassTiers;
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
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.internal.pass.Pass;
import dev.berth.core.internal.search.AvailabilityProfile;
import dev.berth.core.internal.search.EquivalenceClass;
import dev.berth.core.internal.search.Feasibility;
import dev.berth.core.internal.search.PipelineParts;
import dev.berth.core.internal.state.ClassRecord;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Grant;
import dev.berth.core.internal.state.HostRecord;
import dev.berth.core.internal.state.InstanceRecord;
import dev.berth.core.internal.state.TransitionListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A policy assembled from parts, run as Algorithm 1 of QoS-driven scheduling (section 3.4).
 *
 * <p>It follows the transitions of the cluster. It keeps the pending instances in queue order and
 * the possible victims on each host in victim order. Neither order changes with time, so a pass
 * sorts nothing.
 *
 * <p>Pending instances are in one of two queues. If each instance is decided independently of those
 * before it, they are queued by {@link EquivalenceClass}. Backfilling by reservations, stopping at
 * the first instance without room, molding and admission need the total order instead.
 */
public final class Pipeline implements Policy, TransitionListener {

  private final ClusterState state;
  private final QueueOrder queueOrder;
  private final @Nullable VictimOrder victimOrder;
  private final Optional<Duration> watchdog;
  private final List<ServiceClass> classes;
  private final int[] queueTiers;
  private final Comparator<InstanceRecord> order; // of the queue
  private final TreeSet<InstanceRecord> queue; // all pending; empty if queued by class
  private final @Nullable EquivalenceClassQueue classQueue; // null: one queue for all
  private final PriorityQueue<EquivalenceClass> turns; // by the next request of each class
  private final List<EquivalenceClass> parked = new ArrayList<>(); // classes that find no host
  private final Feasibility feasibility;
  private final Backfill backfill;
  private final Molding molding;
  private final Admission admission;
  private final Set<Dimension> oversubscribed;

  private Pipeline(Builder parts) {
    this.state = parts.state;
    this.queueOrder = parts.queue;
    this.victimOrder = parts.victims;
    this.watchdog = Optional.ofNullable(parts.watchdog);
    this.classes = parts.state.serviceClasses();
    this.queueTiers = classes.stream().mapToInt(each -> ClassTiers.of(queueOrder, each)).toArray();
    this.order = this::compare;
    this.queue = new TreeSet<>(order);
    this.turns = new PriorityQueue<>((a, b) -> compare(a.turn(), b.turn()));
    this.feasibility = new Feasibility(parts.toParts());
    this.backfill = parts.backfill;
    this.molding = parts.molding;
    this.admission = parts.admission;
    boolean independent =
        backfill == Backfill.AGGRESSIVE && !molding.molds() && admission == Admission.ALL;
    this.classQueue =
        independent && feasibility.sharesFailures() ? new EquivalenceClassQueue(order) : null;
    this.oversubscribed = parts.oversubscribed;
    parts.state.follow(this);
  }

  private int compare(InstanceRecord a, InstanceRecord b) {
    ClassRecord classOfA = a.classRecord;
    ClassRecord classOfB = b.classRecord;
    int byPlace = Integer.compare(queueTiers[classOfA.rank()], queueTiers[classOfB.rank()]);
    if (byPlace == 0) {
      byPlace = Long.compare(a.queueKey, b.queueKey);
    }
    if (byPlace == 0) {
      byPlace = Integer.compare(classOfA.importance(), classOfB.importance());
    }
    if (byPlace == 0) {
      byPlace = Long.compare(a.admittedAt, b.admittedAt);
    }
    return byPlace == 0 ? a.id().compareTo(b.id()) : byPlace;
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
      decide(pass);
    } catch (VirtualMachineError fatal) { // perhaps in the midst of an index
      pass.failDeciding(fatal);
      throw fatal;
    } catch (Throwable failure) { // of a part, whose calls change nothing
      pass.endDeciding();
      throw failure;
    }
    pass.endDeciding();
  }

  private void decide(Pass pass) {
    feasibility.begin(pass.number(), pass.groupBits(), pass.detailed(), pass.topScores());
    if (classQueue != null) {
      decideByClass(pass, classQueue);
      return;
    }
    if (admission == Admission.IN_TIME) {
      rejectLate(pass);
    }
    InstanceRecord head = null; // first without room; backfilling may overtake it
    AvailabilityProfile reservations = null;
    InstanceRecord next = queue.isEmpty() ? null : queue.first();
    for (; next != null; next = queue.higher(next)) {
      pass.requireRunning();
      if (next.actedInPass == pass.number()) {
        continue;
      }
      if (head != null && backfill == Backfill.NONE) {
        pass.defer(next, new Reason.QueuedBehind(head.id()));
        continue;
      }
      boolean found = feasibility.choose(next, reservations);
      boolean blocked = !found && feasibility.blockedByReservation();
      Reason filtered = feasibility.filtered();
      if (!found && head == null && molding.molds()) {
        found = feasibility.chooseMolded(next, molding);
      }
      if (found) {
        place(pass, next, reservations);
        continue;
      }
      if (blocked && head != null) {
        pass.defer(next, new Reason.QueuedBehind(head.id()));
      } else if (filtered != null) {
        pass.defer(next, filtered);
      }
      boolean isHead = head == null && backfill != Backfill.AGGRESSIVE;
      if ((isHead || backfill == Backfill.CONSERVATIVE || (head == null && molding.molds()))
          && feasibility.couldEverFit(next, molding)) {
        head = head == null ? next : head;
        if (backfill.reserves()) {
          if (reservations == null) {
            reservations = new AvailabilityProfile(state.table(), state.now());
          }
          HostRecord where = feasibility.reserve(next, molding, reservations);
          if (backfill == Backfill.CONSERVATIVE) {
            pass.promise(next, where);
          }
        }
      }
    }
  }

  /**
   * Decides on the instances in queue order, but skips instances that cannot find a host because an
   * earlier one of their class found none. A preemption ends the skipping, since nothing else in a
   * pass frees room.
   */
  private void decideByClass(Pass pass, EquivalenceClassQueue waiting) {
    turns.clear();
    parked.clear();
    for (EquivalenceClass equivalenceClass : waiting.waiting()) {
      equivalenceClass.next = equivalenceClass.waiting.first();
      if (equivalenceClass.inOrderOfValue && feasibility.isKnownToFail(equivalenceClass.turn())) {
        parked.add(equivalenceClass);
      } else {
        turns.add(equivalenceClass);
      }
    }
    for (EquivalenceClass equivalenceClass = turns.poll();
        equivalenceClass != null;
        equivalenceClass = turns.poll()) {
      pass.requireRunning();
      InstanceRecord instance = equivalenceClass.turn();
      equivalenceClass.next = equivalenceClass.waiting.higher(instance);
      boolean fails = false;
      if (instance.actedInPass != pass.number()) {
        if (feasibility.choose(instance, null)) {
          boolean preempts = feasibility.chosenVictimCount() > 0;
          place(pass, instance, null);
          if (preempts) {
            unpark(instance);
          }
        } else {
          fails = equivalenceClass.inOrderOfValue && feasibility.failedForClass();
        }
      }
      if (fails) {
        parked.add(equivalenceClass);
      } else if (equivalenceClass.next != null) {
        turns.add(equivalenceClass);
      }
    }
  }

  /** Resumes the parked classes with their instances that follow a placed one in queue order. */
  private void unpark(InstanceRecord placed) {
    for (EquivalenceClass equivalenceClass : parked) {
      equivalenceClass.next = equivalenceClass.waiting.higher(placed);
      if (equivalenceClass.next != null) {
        turns.add(equivalenceClass);
      }
    }
    parked.clear();
  }

  private void place(
      Pass pass, InstanceRecord instance, @Nullable AvailabilityProfile reservations) {
    HostRecord host = feasibility.chosenHost();
    Grant grant = feasibility.chosenGrant();
    pass.promise(instance, null);
    if (reservations != null) {
      reservations.reserve(host, instance, grant, state.now());
    }
    Reason refusal =
        pass.place(
            instance,
            host,
            feasibility.chosenVictims(),
            feasibility.chosenVictimCount(),
            grant,
            feasibility.decision());
    if (refusal != null) {
      throw new IllegalStateException(
          "the pipeline chose %s for %s, which the guard refuses: %s"
              .formatted(host, instance, refusal.describe()));
    }
  }

  private void rejectLate(Pass pass) {
    for (InstanceRecord each : List.copyOf(queue)) {
      OptionalLong deadline = each.request.deadline();
      OptionalLong estimate = each.request.estimatedRunTime();
      if (each.placements == 0 && deadline.isPresent() && estimate.isPresent()) {
        long waited = state.now() - each.admittedAt;
        long spare = deadline.getAsLong() - estimate.getAsLong(); // both are positive
        if (waited > spare) {
          long late = LongMath.saturatedSubtract(waited, spare);
          pass.reject(each, new Reason.DeadlineUnreachable(late));
        }
      }
    }
  }

  @Override
  public Set<Dimension> oversubscribes() {
    return oversubscribed;
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
    feasibility.joined(host);
  }

  @Override
  public void left(HostRecord host) {
    feasibility.left(host);
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
    if (classQueue != null) {
      classQueue.add(instance);
    } else {
      queue.add(instance);
    }
  }

  @Override
  public void leavesQueue(InstanceRecord instance) {
    if (classQueue != null) {
      classQueue.remove(instance);
    } else if (!queue.remove(instance)) {
      throw new IllegalStateException(instance + " is not in its place in the queue");
    }
  }

  @Override
  public void isOnHost(InstanceRecord instance, HostRecord host) {
    feasibility.isOnHost(instance, host);
  }

  @Override
  public void leavesHost(InstanceRecord instance, HostRecord host, InstanceState formerState) {
    feasibility.leavesHost(instance, host, formerState);
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
    public PipelineBuilder minimizeVictims(boolean spare) {
      this.minimizeVictims = spare;
      return this;
    }

    @Override
    public PipelineBuilder backfill(Backfill backfill) {
      this.backfill = backfill;
      return this;
    }

    @Override
    public PipelineBuilder molding(Molding molding) {
      this.molding = molding;
      return this;
    }

    @Override
    public PipelineBuilder admission(Admission admission) {
      this.admission = admission;
      return this;
    }

    @Override
    public PipelineBuilder filter(HostFilter filter) {
      filters.add(filter);
      return this;
    }

    @Override
    public PipelineBuilder grants(AllocationRule allocation) {
      this.grants = allocation;
      return this;
    }

    @Override
    public PipelineBuilder ties(TieBreak ties) {
      this.ties = ties;
      return this;
    }

    @Override
    public PipelineBuilder oversubscribe(Set<Dimension> dimensions) {
      this.oversubscribed = Set.copyOf(dimensions);
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
      return new Pipeline(this);
    }
  }
}

package dev.berth.api.policy;

import dev.berth.api.Dimension;
import dev.berth.api.Instance;
import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.AllocationRule;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.HostFilter;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.pipeline.VictimOrder;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Assembles a policy of the common shape (QoS-driven scheduling, Algorithm 1). A pass takes the
 * pending instances in order. For each, it finds the feasible hosts, with preemption if necessary,
 * ranks them, and places the instance on the best one.
 *
 * <ol>
 *   <li>The {@linkplain #queue queue order} sorts the pending instances.
 *   <li>A host is <em>feasible</em> if the placement constraints and anti-affinity hold, and if the
 *       demand fits the free capacity and other rules about instances hold, perhaps after
 *       preempting instances there. Victims are taken in {@linkplain VictimOrder victim order} as
 *       far as the {@linkplain PreemptionRule rule} allows.
 *   <li>If some host needs no preemption, the greatest {@linkplain #allocationScore allocation
 *       score} wins. Otherwise the smallest {@linkplain #preemptionCost preemption cost}, then the
 *       greatest allocation score. Then {@link #ties}.
 * </ol>
 *
 * <p>Each part has a default; without {@link #preemption}, no instance is preempted. Not
 * thread-safe.
 */
public interface PipelineBuilder {

  /** Sets the order of the pending instances; default: order of admission. */
  PipelineBuilder queue(QueueOrder order);

  /**
   * Sets the order in which the instances of a host are considered as victims, and the rule that
   * allows their preemption; default: no preemption.
   */
  PipelineBuilder preemption(VictimOrder order, PreemptionRule rule);

  /**
   * Sets the score of hosts, the greatest of which wins; default: the mean of least-requested and
   * balanced-allocation.
   */
  PipelineBuilder allocationScore(AllocationScore score);

  /**
   * Sets the cost of a set of victims, the smallest of which wins; default: the number of victims.
   */
  PipelineBuilder preemptionCost(PreemptionCost cost);

  /**
   * Sets whether starting instances may be victims; default false, since their preparation would be
   * wasted before any service.
   */
  PipelineBuilder preemptStarting(boolean allowed);

  /**
   * Sets whether unneeded victims are spared; default true. The paper takes victims in order until
   * the demand fits. If demands differ, a later victim can make an earlier one unnecessary.
   * Unneeded victims are spared from the last taken to the first.
   *
   * <p>Of victims with equal tier and value, the fewest go; then those that lose the least
   * progress; then those that free the least capacity, as shares of the host summed over its
   * dimensions. Of the members of a job with a disruption budget, those go whose sizes fit. This is
   * exact for up to 12 victims on a host, and a bounded search for more. Without sparing, ties fall
   * by hash, and budgets are spent in victim order.
   */
  PipelineBuilder minimizeVictims(boolean spare);

  /**
   * Sets which instances may overtake the head of the queue while no host has room for it; default
   * {@link Backfill#AGGRESSIVE}. An instance that waits although a host has room is deferred; the
   * reason names the head.
   */
  PipelineBuilder backfill(Backfill backfill);

  /**
   * Sets whether the head of the queue may be placed on fewer cores; default {@link Molding#NONE}.
   */
  PipelineBuilder molding(Molding molding);

  /** Sets which requests are served at all; default {@link Admission#ALL}. */
  PipelineBuilder admission(Admission admission);

  /**
   * Sets which pending instances the pipeline decides on; default all. A policy around the pipeline
   * decides on the others. The answer must not change while the pipeline schedules.
   */
  PipelineBuilder serve(Predicate<Instance> served);

  /** Adds a condition on placing an instance on a host; default none. All must hold. */
  PipelineBuilder filter(HostFilter filter);

  /** Sets the grants of placed instances; default: their demand. */
  PipelineBuilder grants(AllocationRule rule);

  /** Sets which of several hosts of equal score wins; default {@link TieBreak#SEEDED}. */
  PipelineBuilder ties(TieBreak ties);

  /**
   * Sets the dimensions in which instances may be granted less than their demand; default none. See
   * {@link Policy#oversubscribes}.
   */
  PipelineBuilder oversubscribe(Set<Dimension> dimensions);

  /**
   * Sets the longest time between two passes; default none.
   *
   * @throws IllegalArgumentException if not positive
   */
  PipelineBuilder watchdog(Duration longest);

  /**
   * Returns the policy.
   *
   * @throws IllegalStateException if it backfills by reservations and preempts, which would break
   *     them; or if it does not {@link #serve} all, which its other parts do not allow
   */
  Policy build();
}

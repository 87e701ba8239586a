package dev.berth.api.policy;

import dev.berth.api.Dimension;
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

/**
 * Assembles a policy of the common shape (QoS-driven scheduling, Algorithm 1): take the pending
 * instances in order; for each, check which hosts are feasible, with preemption if need be; rank
 * those; place.
 *
 * <ol>
 *   <li>The {@linkplain #queue queue order} says who goes first.
 *   <li>A host is <em>feasible</em> if the placement constraints and anti-affinity hold and the
 *       demand fits the free capacity, or fits after preempting instances there, taken in
 *       {@linkplain VictimOrder victim order} as far as the {@linkplain PreemptionRule rule}
 *       allows.
 *   <li>If some host needs no preemption, the greatest {@linkplain #allocationScore allocation
 *       score} wins. Otherwise the smallest {@linkplain #preemptionCost preemption cost}, then the
 *       greatest allocation score. Then {@link #ties}.
 * </ol>
 *
 * <p>Without {@link #preemption} nothing is preempted. Each part has a default; not thread-safe.
 */
public interface PipelineBuilder {

  /** Sets who goes first; default: order of admission. */
  PipelineBuilder queue(QueueOrder order);

  /**
   * Sets in which order the instances of a host are considered as victims, and by which rule they
   * may be preempted.
   */
  PipelineBuilder preemption(VictimOrder order, PreemptionRule rule);

  /** Sets which host is best; default: the mean of least-requested and balanced-allocation. */
  PipelineBuilder allocationScore(AllocationScore score);

  /** Sets what preempting costs; default: the number of victims. */
  PipelineBuilder preemptionCost(PreemptionCost cost);

  /**
   * Sets whether instances that are still starting may be victims; default false, since they have
   * cost a preparation and served nobody yet.
   */
  PipelineBuilder preemptStarting(boolean allowed);

  /**
   * Sets whether a victim that turns out not to be needed is spared; default true. Taking victims
   * in order until the demand fits, as the paper does, can include some whose capacity the last
   * ones make superfluous, where demands differ. They are spared from the last taken to the first.
   */
  PipelineBuilder minimizeVictims(boolean spare);

  /**
   * Sets who may go before the head of the queue while no host has room for it; default {@link
   * Backfill#AGGRESSIVE}. Who waits though a host has room is deferred, with the head named.
   */
  PipelineBuilder backfill(Backfill backfill);

  /**
   * Sets whether the head of the queue may be placed on fewer cores; default {@link Molding#NONE}.
   */
  PipelineBuilder molding(Molding molding);

  /** Sets which requests are served at all; default {@link Admission#ALL}. */
  PipelineBuilder admission(Admission admission);

  /** Adds a condition on placing an instance on a host; default none. All must hold. */
  PipelineBuilder filter(HostFilter filter);

  /** Sets what instances are granted when they are placed; default their demand. */
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
   *     them
   */
  Policy build();
}

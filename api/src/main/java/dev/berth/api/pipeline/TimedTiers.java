package dev.berth.api.pipeline;

import dev.berth.api.Experimental;
import dev.berth.api.Instance;

/**
 * Divides the pending instances into tiers that depend on the time. A {@link QueueOrder} may
 * implement it too; a lower tier then precedes a lower key. {@link ClassTiers} take precedence over
 * both.
 *
 * <p>An example is an order in which requests that are close to their objectives precede all
 * others.
 *
 * <p><b>Keys decide within a class.</b> Of two pending instances of one service class, the one with
 * the lower key never has the higher tier. So time changes only the order of instances of different
 * classes, and the engine still sorts nothing.
 *
 * <p>Only a pipeline that decides each instance independently of those before it can use such an
 * order. {@link dev.berth.api.policy.PipelineBuilder#build} refuses it together with backfilling
 * other than {@link Backfill#AGGRESSIVE}, molding, admission by deadline or filters.
 */
@Experimental
@FunctionalInterface
public interface TimedTiers {

  /**
   * Returns the tier of a pending instance. It must be cheap and pure, and depend only on the
   * instance and the time.
   *
   * @param now the time of the pass
   */
  int tier(Instance pending, long now);
}

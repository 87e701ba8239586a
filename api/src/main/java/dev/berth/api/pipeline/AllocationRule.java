package dev.berth.api.pipeline;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.policy.Policy;

/**
 * Determines what an instance is granted when it is placed, if that is not its demand.
 *
 * <p>A grant may be less than the demand only in dimensions that the policy {@linkplain
 * Policy#oversubscribes oversubscribes}. It is never less than what is {@linkplain
 * Request#guaranteed guaranteed}, except for the cores of a moldable request. A host is not
 * feasible if the grant there is too small or does not fit.
 *
 * <p>The scheduler's thread calls it many times in a pass. It must be cheap and pure.
 */
@FunctionalInterface
public interface AllocationRule {

  /**
   * Returns what a pending instance would be granted on a host. The host reflects what the pass has
   * done so far.
   */
  Resources grant(Instance instance, Host host);
}

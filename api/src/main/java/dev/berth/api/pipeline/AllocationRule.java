package dev.berth.api.pipeline;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.api.Resources;

/**
 * Determines the grant of an instance when it is placed, if that is not its demand.
 *
 * <p>A grant may be less than the demand only in dimensions that the policy {@linkplain
 * dev.berth.api.policy.Policy#oversubscribes oversubscribes}. It is never less than the {@linkplain
 * Request#guaranteed guaranteed} amount, except for the cores of a moldable request. A host is not
 * feasible if the grant there is too small or does not fit.
 *
 * <p>The scheduler's thread calls it many times in a pass. It must be cheap and pure.
 */
@FunctionalInterface
public interface AllocationRule {

  /**
   * Returns the grant that a pending instance would have on a host. The host reflects the actions
   * recorded so far.
   */
  Resources grant(Instance instance, Host host);
}

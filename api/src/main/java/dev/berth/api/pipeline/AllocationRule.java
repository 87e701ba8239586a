package dev.berth.api.pipeline;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.policy.Policy;

/**
 * Says what an instance is granted when it is placed, where that is not its demand.
 *
 * <p>Less than the demand only in dimensions that the policy {@linkplain Policy#oversubscribes
 * oversubscribes}, and nowhere less than is {@linkplain Request#guaranteed guaranteed}, save for
 * cores of a moldable request; a host where the grant is too little or does not fit is not
 * feasible.
 *
 * <p>Called by the thread that drives the scheduler, many times in a pass; must be cheap and pure.
 */
@FunctionalInterface
public interface AllocationRule {

  /** Returns what a pending instance would be granted on a host, as the pass has left it so far. */
  Resources grant(Instance instance, Host host);
}

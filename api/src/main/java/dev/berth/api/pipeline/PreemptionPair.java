package dev.berth.api.pipeline;

import dev.berth.api.Instance;
import dev.berth.api.policy.PolicyContext;

/**
 * A pending instance and an instance that might be preempted for it, at one moment.
 *
 * <p>A view that the engine reuses: valid during the call it is passed to.
 */
public interface PreemptionPair {

  /** Returns the time of the pass. */
  long now();

  /** Returns the pending instance. */
  Instance beneficiary();

  /** Returns the rank of its class; see {@link PolicyContext#serviceClasses}. */
  int beneficiaryClassRank();

  /** Returns its value in the {@linkplain VictimOrder victim order}. */
  long beneficiaryValue();

  /** Returns the instance that might be preempted. */
  Instance victim();

  /** Returns the rank of its class; see {@link PolicyContext#serviceClasses}. */
  int victimClassRank();

  /** Returns its value in the {@linkplain VictimOrder victim order}. */
  long victimValue();
}

package dev.berth.api.pipeline;

import dev.berth.api.Instance;

/**
 * A pending instance, the beneficiary, and an instance that might be preempted for it, the victim,
 * at one moment.
 *
 * <p>The engine reuses this view: it is valid only during the call it is passed to.
 */
public interface PreemptionPair {

  /** Returns the time of the pass, in nanoseconds. */
  long now();

  /** Returns the pending instance. */
  Instance beneficiary();

  /**
   * Returns the rank of the beneficiary's class; see {@link
   * dev.berth.api.policy.PolicyContext#serviceClasses}.
   */
  int beneficiaryClassRank();

  /** Returns the beneficiary's {@linkplain QueueOrder#tier tier} in the queue; default 0. */
  default int beneficiaryTier() {
    return 0;
  }

  /** Returns the beneficiary's value in the {@linkplain VictimOrder victim order}. */
  long beneficiaryValue();

  /** Returns the instance that might be preempted. */
  Instance victim();

  /**
   * Returns the {@linkplain Instance#preemptionOverhead preemption overhead} of the victim. The
   * engine often knows it without looking up the victim.
   */
  default double victimPreemptionOverhead() {
    return victim().preemptionOverhead(now());
  }

  /**
   * Returns the rank of the victim's class; see {@link
   * dev.berth.api.policy.PolicyContext#serviceClasses}.
   */
  int victimClassRank();

  /** Returns the victim's value in the {@linkplain VictimOrder victim order}. */
  long victimValue();
}

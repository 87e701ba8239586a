package dev.berth.policies.qos;

import java.time.Duration;

/**
 * Settings of {@code qos-driven}. Safety margin and preemption-overhead limit belong to the
 * {@linkplain dev.berth.api.ServiceClass service classes}.
 *
 * @param watchdog longest time between two passes; positive; default 10 s (section 4.1.3). Shorter:
 *     instances are rescued earlier, more preemptions.
 * @param expectedOverhead α, what it takes to prepare a host for an instance, at most; 0 or more;
 *     default 0. Greater: all instances count as that much closer to violation.
 * @param allocationScore weights of the scores that rank hosts; default both alike (section 4.1.2)
 * @param preemptionCost how victims are weighed; default by sums of slack
 * @param minimizeVictims whether a victim that turns out not to be needed is spared; default true.
 *     The paper takes victims in order until the request fits; where demands differ that can
 *     include some in vain.
 * @param preemptStarting whether instances that are still starting may be preempted; default false
 */
record QosDrivenConfig(
    Duration watchdog,
    Duration expectedOverhead,
    ScoreWeights allocationScore,
    PreemptionCostReading preemptionCost,
    boolean minimizeVictims,
    boolean preemptStarting) {

  /** Checks the ranges. */
  QosDrivenConfig {
    if (watchdog.isNegative() || watchdog.isZero()) {
      throw new IllegalArgumentException("watchdog must be positive");
    }
    if (expectedOverhead.isNegative() || expectedOverhead.toDays() > 36_500) {
      throw new IllegalArgumentException("expectedOverhead must be from 0 to 36500d");
    }
  }
}

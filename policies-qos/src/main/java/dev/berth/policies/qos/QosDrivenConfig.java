package dev.berth.policies.qos;

import dev.berth.api.pipeline.ScoreWeights;
import java.time.Duration;

/**
 * Settings of {@code qos-driven}. The safety margin and the preemption-overhead limit belong to the
 * {@linkplain dev.berth.api.ServiceClass service classes}.
 *
 * @param watchdog longest time between two passes; positive; default 10 s (section 4.1.3). A
 *     shorter time rescues instances earlier and preempts more.
 * @param expectedOverhead α, the expected time to prepare a host for an instance; from 0 to 36500d;
 *     default 0, in experiments the mean overhead. All instances count as closer to violation by
 *     this time.
 * @param allocationScore weights of the scores that rank hosts; default equal (section 4.1.2)
 * @param preemptionCost interpretation of the preemption cost; default sums of slack
 * @param minimizeVictims whether unneeded victims are spared; default true. The paper takes victims
 *     in order until the request fits, which can include unneeded ones if demands differ
 * @param preemptStarting whether starting instances may be preempted; default false
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

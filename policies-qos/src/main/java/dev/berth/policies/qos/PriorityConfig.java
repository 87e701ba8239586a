package dev.berth.policies.qos;

import java.time.Duration;

/**
 * Settings of {@code priority}.
 *
 * @param watchdog longest time between two passes; positive; default 10 s
 * @param allocationScore weights of the scores that rank hosts; default both alike (section 4.1.2)
 * @param minimizeVictims whether a victim that turns out not to be needed is spared; default true
 * @param preemptStarting whether instances that are still starting may be preempted; default false
 */
record PriorityConfig(
    Duration watchdog,
    ScoreWeights allocationScore,
    boolean minimizeVictims,
    boolean preemptStarting) {

  /** Checks the ranges. */
  PriorityConfig {
    if (watchdog.isNegative() || watchdog.isZero()) {
      throw new IllegalArgumentException("watchdog must be positive");
    }
  }
}

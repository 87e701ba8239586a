package dev.berth.policies.qos;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Described;
import dev.berth.api.pipeline.ScoreWeights;
import java.time.Duration;

/**
 * Settings of {@code priority}.
 *
 * @param watchdog longest time between two passes; positive; default 10 s
 * @param allocationScore weights of the scores that rank hosts; default equal (section 4.1.2)
 * @param minimizeVictims whether unneeded victims are spared; default true
 * @param preemptStarting whether starting instances may be preempted; default false
 */
record PriorityConfig(
    @Described(value = "longest time between two scheduling passes", range = "above 0s")
        Duration watchdog,
    ScoreWeights allocationScore,
    @Described("whether victims that the placement does not need are spared")
        boolean minimizeVictims,
    @Described("whether instances that are still starting may be preempted")
        boolean preemptStarting) {

  /** Checks the ranges. */
  PriorityConfig {
    refuseIf(watchdog.isNegative() || watchdog.isZero(), "watchdog must be positive");
  }
}

package dev.berth.policies.baselines;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Described;
import dev.berth.api.pipeline.ScoreWeights;
import java.time.Duration;

/**
 * Settings of {@code never-preempt}.
 *
 * @param watchdog longest time between two passes; positive; default 10 s
 * @param allocationScore weights of the scores that rank hosts; default equal
 */
record NeverPreemptConfig(
    @Described(value = "longest time between two scheduling passes", range = "above 0s")
        Duration watchdog,
    ScoreWeights allocationScore) {

  /** Checks the ranges. */
  NeverPreemptConfig {
    refuseIf(watchdog.isNegative() || watchdog.isZero(), "watchdog must be positive");
  }
}

package dev.berth.policies.qos;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Described;
import dev.berth.api.pipeline.ScoreWeights;
import java.time.Duration;

/**
 * Settings of {@code qos-hysteresis}. The safety margin and the preemption-overhead limit belong to
 * the {@linkplain dev.berth.api.ServiceClass service classes}.
 *
 * @param restartShare ε, the share of its life that an instance may spend on restarts; from 0.0001
 *     to 0.5; default 0.0125, 45 s an hour. A greater share corrects smaller differences, at the
 *     price of more preemptions
 * @param expectedOverhead α, the expected time to prepare a host for an instance; from 0 to 36500d;
 *     default 0, in experiments the mean overhead. If it is 0, α of each instance is the mean of
 *     its own restarts after preemptions
 * @param overload what happens while the objectives ask for more than there is; default equal
 * @param watchdog longest time between two passes; positive; default 10 s
 * @param allocationScore weights of the scores that rank hosts; default equal
 */
record QosHysteresisConfig(
    @Described(
            value =
                "share of its life that an instance may spend on restarts; a greater share corrects smaller differences and preempts more",
            range = "from 0.0001 to 0.5")
        double restartShare,
    @Described(
            value =
                "expected time to prepare a host for an instance; 0s to learn it from the restarts of each instance",
            range = "from 0s to 36500d")
        Duration expectedOverhead,
    @Described(
            "what happens while the objectives ask for more than there is: all share the deficit, or as many as possible are kept at their objectives")
        Overload overload,
    @Described(value = "longest time between two scheduling passes", range = "above 0s")
        Duration watchdog,
    ScoreWeights allocationScore) {

  /** Checks the ranges. */
  QosHysteresisConfig {
    refuseIf(
        !(restartShare >= 0.0001 && restartShare <= 0.5),
        "restartShare must be from 0.0001 to 0.5");
    refuseIf(
        expectedOverhead.isNegative() || expectedOverhead.toDays() > 36_500,
        "expectedOverhead must be from 0 to 36500d");
    refuseIf(watchdog.isNegative() || watchdog.isZero(), "watchdog must be positive");
  }
}

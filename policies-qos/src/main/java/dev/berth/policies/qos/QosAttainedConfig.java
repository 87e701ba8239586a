package dev.berth.policies.qos;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Described;
import dev.berth.api.pipeline.ScoreWeights;
import java.time.Duration;

/**
 * Settings of {@code qos-attained}. The safety margin and the preemption-overhead limit belong to
 * the {@linkplain dev.berth.api.ServiceClass service classes}.
 *
 * @param price by how much more slack a victim that is not likely to end must have, than its
 *     beneficiary and than its margin; from 0 to 365d; default 30 s
 * @param estimates which run times are expected of single instances; default {@code learn}
 * @param watchdog longest time between two passes; positive; default 10 s
 * @param allocationScore weights of the scores that rank hosts; default equal
 */
record QosAttainedConfig(
    @Described(
            value =
                "by how much an instance that does not end must be ahead of its objective to be preempted for an equal",
            range = "from 0s to 365d")
        Duration price,
    @Described(value = "expected run times of single instances", range = "ignore, use or learn")
        Estimates estimates,
    @Described(value = "longest time between two scheduling passes", range = "above 0s")
        Duration watchdog,
    ScoreWeights allocationScore) {

  /** Checks the ranges. */
  QosAttainedConfig {
    refuseIf(price.isNegative() || price.toDays() > 365, "price must be from 0 to 365d");
    refuseIf(watchdog.isNegative() || watchdog.isZero(), "watchdog must be positive");
  }
}

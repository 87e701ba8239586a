package dev.berth.policies.qos;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Described;
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
 * @param queue order in which pending instances are served; default by metric, as in the paper
 * @param allocationScore weights of the scores that rank hosts; default equal (section 4.1.2)
 * @param preemptionCost interpretation of the preemption cost; default sums of slack
 * @param minimizeVictims whether unneeded victims are spared; default true. The paper takes victims
 *     in order until the request fits, which can include unneeded ones if demands differ
 * @param preemptStarting whether starting instances may be preempted; default false
 * @param maxPreemptions the number of preemptions after which only more important instances preempt
 *     an instance; 0 or more, or -1 for no limit; default -1, as in the paper. Set it if instances
 *     lose their work when they are preempted
 */
record QosDrivenConfig(
    @Described(
            value =
                "longest time between two scheduling passes; a shorter time rescues instances earlier and preempts more",
            range = "above 0s")
        Duration watchdog,
    @Described(
            value =
                "expected time to prepare a host for an instance; all instances count as closer to a violation by it",
            range = "from 0s to 36500d")
        Duration expectedOverhead,
    @Described("order of pending instances: by metric, or those below their margins first")
        QueueReading queue,
    ScoreWeights allocationScore,
    @Described(
            "interpretation of the cost of victims: sums of slack, the formula as the paper prints it, or one sum as in its first version")
        PreemptionCostReading preemptionCost,
    @Described("whether victims that the placement does not need are spared")
        boolean minimizeVictims,
    @Described("whether instances that are still starting may be preempted")
        boolean preemptStarting,
    @Described(
            value =
                "number of preemptions after which only more important instances preempt an instance; -1 for no limit, as in the paper, which assumes that progress survives a preemption",
            range = "0 or more, or -1")
        int maxPreemptions) {

  /** No limit of preemptions. */
  static final int UNLIMITED = -1;

  /** Checks the ranges. */
  QosDrivenConfig {
    refuseIf(watchdog.isNegative() || watchdog.isZero(), "watchdog must be positive");
    refuseIf(
        expectedOverhead.isNegative() || expectedOverhead.toDays() > 36_500,
        "expectedOverhead must be from 0 to 36500d");
    refuseIf(maxPreemptions < UNLIMITED, "maxPreemptions must be 0 or more, or -1 for no limit");
  }
}

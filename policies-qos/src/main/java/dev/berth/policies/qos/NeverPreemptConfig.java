package dev.berth.policies.qos;

import java.time.Duration;

/**
 * Settings of {@code never-preempt}.
 *
 * @param watchdog longest time between two passes; positive; default 10 s
 * @param allocationScore weights of the scores that rank hosts; default both alike (section 4.1.2)
 */
public record NeverPreemptConfig(Duration watchdog, QosDrivenConfig.ScoreWeights allocationScore) {

  /** Checks the ranges. */
  public NeverPreemptConfig {
    Checks.positive("watchdog", watchdog);
  }
}

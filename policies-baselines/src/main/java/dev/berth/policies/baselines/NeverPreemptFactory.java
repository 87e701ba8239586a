package dev.berth.policies.baselines;

import dev.berth.api.pipeline.ScoreWeights;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import java.time.Duration;

/**
 * Creates {@code never-preempt}: {@code priority} without preemption, to show what preemption is
 * worth. Running instances run to completion; pending ones wait for free capacity.
 */
record NeverPreemptFactory(String id, String summary, NeverPreemptConfig defaults)
    implements PolicyFactory<NeverPreemptConfig> {

  NeverPreemptFactory() {
    this(
        "never-preempt",
        "serves important classes first and never preempts",
        new NeverPreemptConfig(Duration.ofSeconds(10), ScoreWeights.EQUAL));
  }

  @Override
  public NeverPreemptConfig withWatchdog(NeverPreemptConfig config, Duration watchdog) {
    return new NeverPreemptConfig(watchdog, config.allocationScore());
  }

  @Override
  public Policy create(NeverPreemptConfig config, PolicyContext context) {
    return context
        .pipeline()
        .queue(new ByImportance())
        .allocationScore(config.allocationScore().score())
        .watchdog(config.watchdog())
        .build();
  }
}

package dev.berth.policies.qos;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import java.time.Duration;

/**
 * Makes {@code never-preempt}: {@code priority} without preemption, to see what preemption is
 * worth. Whoever runs, runs to the end; whoever waits, waits for room.
 */
public final class NeverPreemptFactory implements PolicyFactory<NeverPreemptConfig> {

  /** Used by {@link java.util.ServiceLoader}. */
  public NeverPreemptFactory() {}

  @Override
  public String id() {
    return "never-preempt";
  }

  @Override
  public String summary() {
    return "serves important classes first and preempts nobody";
  }

  @Override
  public Class<NeverPreemptConfig> configType() {
    return NeverPreemptConfig.class;
  }

  @Override
  public NeverPreemptConfig defaults() {
    return new NeverPreemptConfig(Duration.ofSeconds(10), new QosDrivenConfig.ScoreWeights(1, 1));
  }

  @Override
  public Policy create(NeverPreemptConfig config, PolicyContext context) {
    return context
        .pipeline()
        .queue(new ByPriority())
        .allocationScore(config.allocationScore().score())
        .watchdog(config.watchdog())
        .build();
  }
}

package dev.berth.policies.baselines;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import java.time.Duration;

/** Creates {@code queue-depth}: a common autoscaler. */
record QueueDepthFactory(String id, String summary, QueueDepthConfig defaults)
    implements PolicyFactory<QueueDepthConfig> {

  QueueDepthFactory() {
    this(
        "queue-depth",
        "keeps as many hosts as running and pending instances need at a target utilisation",
        new QueueDepthConfig(
            "",
            0.8,
            0,
            Integer.MAX_VALUE,
            Duration.ZERO,
            Duration.ofMinutes(5),
            Duration.ofMinutes(1)));
  }

  @Override
  public Policy create(QueueDepthConfig config, PolicyContext context) {
    return new QueueDepth(config);
  }
}

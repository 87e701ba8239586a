package dev.berth.policies.baselines;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import java.time.Duration;

/** Creates {@code queue-depth}: a common autoscaler. */
final class QueueDepthFactory implements PolicyFactory<QueueDepthConfig> {

  @Override
  public String id() {
    return "queue-depth";
  }

  @Override
  public String summary() {
    return "keeps as many hosts as running and pending instances need at a target utilisation";
  }

  @Override
  public QueueDepthConfig defaults() {
    return new QueueDepthConfig(
        "", 0.8, 0, Integer.MAX_VALUE, Duration.ZERO, Duration.ofMinutes(5), Duration.ofMinutes(1));
  }

  @Override
  public Policy create(QueueDepthConfig config, PolicyContext context) {
    return new QueueDepth(config);
  }
}

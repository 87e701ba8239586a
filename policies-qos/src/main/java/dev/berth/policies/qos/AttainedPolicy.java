package dev.berth.policies.qos;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.Optional;

/** A pipeline that learns from the instances that completed. */
final class AttainedPolicy implements Policy {

  private final ServiceHistory history;
  private final Policy pipeline;

  AttainedPolicy(ServiceHistory history, Policy pipeline) {
    this.history = history;
    this.pipeline = pipeline;
  }

  @Override
  public void schedule(SchedulingPass pass) {
    history.observe(pass);
    pipeline.schedule(pass);
  }

  @Override
  public Optional<Duration> watchdog() {
    return pipeline.watchdog();
  }

  @Override
  public Optional<PolicyMemory> memory() {
    return Optional.of(history);
  }
}

package dev.berth.policies.qos;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.Optional;

/** A pipeline that learns from the instances that completed. */
record AttainedPolicy(ServiceHistory history, Policy pipeline) implements Policy {
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
